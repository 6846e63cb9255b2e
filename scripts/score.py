r"""Score labelled CSVs: rates with intervals, comparisons, calibration, agreement.

python scripts/score.py Codemix/Results
python scripts/score.py Codemix/Results Reasoning/Results --against published \
  --output scores --format markdown,csv,json,latex
python scripts/score.py . --assign assignments.csv
python scripts/score.py Results --as "Results/labels.csv=qa:main:qwen2.5:32b"

Task, track, judge and prompt of a file are read from the run record beside it, else from its
columns, rows, name and folders. Files left open are left out and named (exit status 1). Labelled
contrast sets (docs/contrast-sets.md) have tables of their own: BHS, alarms by style, detection by
kind.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.scoring.commands import score

if __name__ == "__main__":
    run_script(lambda: score(__doc__))
