"""Predict the track of a study's items from surface features, and report how well that works.

python annotation/check_blinding.py annotation/studies/pilot
python annotation/check_blinding.py --sheet other/sheet.csv --key other/key.csv

Exit status 1 if a track can be predicted better than by chance.
"""

from banglahallueval.annotation.commands import check_blinding
from banglahallueval.cli.script import run_script

if __name__ == "__main__":
    run_script(lambda: check_blinding(__doc__))
