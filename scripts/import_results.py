r"""Bring a harness's results back as a labelled CSV, which score.py reads.

python scripts/import_results.py --from lm-eval results/ --input qa_main.csv --output labelled.csv
python scripts/import_results.py --from inspect logs/run.eval \
  --input qa_candidates.csv --output labelled.csv

RESULTS is a file that the harness wrote, or a folder of them. Rows are matched by the text of all
their cells; replies are read by this project's own rules.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.harnesses.commands import import_main

if __name__ == "__main__":
    run_script(lambda: import_main(__doc__))
