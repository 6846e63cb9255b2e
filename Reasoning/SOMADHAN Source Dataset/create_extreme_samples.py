"""Take the longest and the shortest solutions of SOMADHAN_SORTED.csv.

python "Reasoning/SOMADHAN Source Dataset/create_extreme_samples.py" --longest 500 --shortest 500
"""

from banglahallueval.cli.script import run_script
from banglahallueval.generation.selection.commands import extremes_main

if __name__ == "__main__":
    run_script(lambda: extremes_main(__doc__))
