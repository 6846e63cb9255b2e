r"""Convert Bangla question answering items to code-mixed Bangla in Latin letters, whole.

python scripts/convert_codemix.py --model gpt-5.4 --input "QA/1000 Selected Samples/qa_sample.csv"
python scripts/convert_codemix.py --provider offline --spelling-variation 0.15 \
  --input "QA/1000 Selected Samples/qa_sample.csv" --output codemix.csv
"""

from banglahallueval.cli.script import run_script
from banglahallueval.generation.commands import convert_main

if __name__ == "__main__":
    run_script(lambda: convert_main(__doc__))
