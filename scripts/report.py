"""Write one HTML page of all scores, figures and rows of labelled CSVs.

python scripts/report.py Codemix/Results Reasoning/Results --output report.html --plots plots

Outputs of `scripts/gemhall.py`, `scripts/evaluate_spans.py` and `scripts/hal_eval.py`, and folders
of them, and labelled contrast sets, become sections of it. The page holds the rows themselves, to
filter, sort and read: up to 20,000, or as many as --rows says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banglahallueval.cli.script import run_script
from banglahallueval.scoring.report_command import report

if TYPE_CHECKING:
    from banglahallueval.scoring.sections import SectionFinder


def finders() -> tuple[SectionFinder, ...]:
    """Import what makes sections of other studies, which takes seconds."""
    from banglahallueval.abstention.section import find_sections as find_abstention
    from banglahallueval.spans.evaluation.section import find_sections as find_spans
    from banglahallueval.vision.section import find_sections as find_vision

    return find_abstention, find_spans, find_vision


if __name__ == "__main__":
    run_script(lambda: report(__doc__, finders=finders))
