r"""Score detectors of hallucinated spans against gold spans: IoU and AP, per language.

python scripts/evaluate_spans.py detected.csv --gold Spans/samples/bangla_gold.csv \
  --own-spans --output Spans/Results/gold

Detections are files of scripts/detect_spans.py, or anyone's JSON lines with id, spans and scores.
See docs/spans.md.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.spans.evaluation.commands import evaluate_main

if __name__ == "__main__":
    run_script(lambda: evaluate_main(__doc__))
