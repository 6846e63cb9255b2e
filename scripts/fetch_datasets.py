"""Fetch the published benchmark and its sources from their public homes, or from a mirror.

python scripts/fetch_datasets.py --list
python scripts/fetch_datasets.py benchmark
python scripts/fetch_datasets.py benchmark somadhan --mirror ../BanglaHalluEval
"""

from banglahallueval.cli.script import run_script
from banglahallueval.datasets.commands import fetch_main

if __name__ == "__main__":
    run_script(lambda: fetch_main(__doc__))
