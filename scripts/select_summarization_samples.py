r"""Select summarization samples that models summarise worst, measured against the reference.

python scripts/fetch_datasets.py banglachq-summ
python scripts/select_summarization_samples.py --provider ollama \
  --models deepseek-r1:14b,gemma2:9b,qwen2.5:14b --metric bertscore --n 1000
"""

from banglahallueval.cli.script import run_script
from banglahallueval.generation.selection.commands import select_summaries_main

if __name__ == "__main__":
    run_script(lambda: select_summaries_main(__doc__))
