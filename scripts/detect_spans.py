r"""Find the stretches of answers that their evidence does not support.

python scripts/detect_spans.py --data Spans/samples/bangla_gold.csv --output detected.csv
python scripts/detect_spans.py --data hub --split test --detector llm --model gpt-4.1-mini \
  --output psiloqa.csv

The output has the answers, their gold spans where the data has some, and the detector's spans and
scores: one number per code point. See docs/spans.md.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.spans.detection.commands import detect_main

if __name__ == "__main__":
    run_script(lambda: detect_main(__doc__))
