r"""Build a data set of answers with marked spans, as PsiloQA was built, step by step or at once.

python scripts/build_span_dataset.py pipeline --texts my_texts --folder my_spans \
  --models openai:gpt-4.1-nano,ollama:qwen2.5:7b --qa-model gpt-4.1 --annotator-model gpt-4.1 \
  --filter-model gpt-4.1-mini --jsonl my_spans/dataset.jsonl
python scripts/build_span_dataset.py contexts --wikipedia -l bn -n 10
python scripts/build_span_dataset.py questions --model gpt-4.1
python scripts/build_span_dataset.py answers --models openai:gpt-4.1-nano
python scripts/build_span_dataset.py annotate --model gpt-4.1
python scripts/build_span_dataset.py filter --model gpt-4.1-mini
"""

from banglahallueval.cli.script import run_script
from banglahallueval.spans.building.commands import build_main

if __name__ == "__main__":
    run_script(lambda: build_main(__doc__))
