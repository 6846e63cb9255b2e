"""Say which files of the benchmark's tree are there, whole, and what they should be.

python scripts/check_layout.py
"""

from banglahallueval.cli.script import run_script
from banglahallueval.datasets.commands import layout_main

if __name__ == "__main__":
    run_script(lambda: layout_main(__doc__))
