"""Write one HTML page of all scores, figures and disagreements of labelled CSVs.

python scripts/report.py Codemix/Results Reasoning/Results --output report.html --plots plots

Folders of `scripts/gemhall.py` become sections of it.
"""

from banglahallueval.abstention.section import find_sections
from banglahallueval.cli.script import run_script
from banglahallueval.scoring.commands import report

if __name__ == "__main__":
    run_script(lambda: report(__doc__, finders=(find_sections,)))
