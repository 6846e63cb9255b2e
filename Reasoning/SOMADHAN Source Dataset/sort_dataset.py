"""Sort SOMADHAN.csv by the length of its solutions, the longest first.

python "Reasoning/SOMADHAN Source Dataset/sort_dataset.py"
"""

from banglahallueval.cli.script import run_script
from banglahallueval.generation.selection.commands import sort_main

if __name__ == "__main__":
    run_script(lambda: sort_main(__doc__))
