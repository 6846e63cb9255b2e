"""Write a page of the items that annotators disagree on; then, with its export, the gold files.

python annotation/adjudicate.py exports/*.csv --study STUDY --output-dir STUDY/adjudication
python annotation/adjudicate.py exports/*.csv --study STUDY --adjudicated d.csv --output-dir gold

Exit status 1 if labels are still undecided.
"""

from banglahallueval.annotation.commands import adjudicate
from banglahallueval.cli.script import run_script

if __name__ == "__main__":
    run_script(lambda: adjudicate(__doc__))
