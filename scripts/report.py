"""Write one HTML page of all scores, figures and disagreements of labelled CSVs.

python scripts/report.py Codemix/Results Reasoning/Results --output report.html --plots plots

Folders of `scripts/gemhall.py` and of `scripts/evaluate_spans.py` become sections of it.
"""

from banglahallueval.abstention.section import find_sections as find_abstention
from banglahallueval.cli.script import run_script
from banglahallueval.scoring.commands import report
from banglahallueval.spans.evaluation.section import find_sections as find_spans

if __name__ == "__main__":
    run_script(lambda: report(__doc__, finders=(find_abstention, find_spans)))
