"""Measure annotators' agreement, list missing labels, and score judges with humans as truth.

python annotation/agreement.py exports/*.csv --study STUDY --output-dir STUDY/agreement
python annotation/agreement.py exports/*.csv --study STUDY --judges Codemix/Results --output-dir out

Exit status 1 if labels are missing or invalid.
"""

from banglahallueval.annotation.commands import agree
from banglahallueval.cli.script import run_script

if __name__ == "__main__":
    run_script(lambda: agree(__doc__))
