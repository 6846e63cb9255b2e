r"""Score labelled CSVs: rates with intervals, comparisons, calibration, agreement.

python scripts/score.py Codemix/Results
python scripts/score.py Codemix/Results Reasoning/Results --against published \
  --output scores --format markdown,csv,json,latex

Task, track, judge and prompt of a file are read from the run record beside it, its columns or its
name.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.scoring.commands import score

if __name__ == "__main__":
    run_script(lambda: score(__doc__))
