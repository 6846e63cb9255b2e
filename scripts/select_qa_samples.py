r"""Select question answering samples that every model gets wrong closed-book.

python scripts/fetch_datasets.py tydiqa
python scripts/select_qa_samples.py --provider ollama \
  --models deepseek-r1:14b,gemma2:9b,qwen2.5:14b --judge-model qwen2.5:32b-instruct --n 1000
"""

from banglahallueval.cli.script import run_script
from banglahallueval.generation.selection.commands import select_answers_main

if __name__ == "__main__":
    run_script(lambda: select_answers_main(__doc__))
