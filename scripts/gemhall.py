"""Measure how well a model answers when it may say that it does not know.

python scripts/gemhall.py run --data Abstention/examples/toy.csv --thresholds 0.5 0.75 0.9
python scripts/gemhall.py mmlu --thresholds 0.5 0.75 0.9 --limit 200 --judge llm --async
python scripts/gemhall.py bangla --task qa --idk-frac 0.3 --thresholds 0.5 0.75 0.9
"""

from banglahallueval.abstention.commands import gemhall
from banglahallueval.cli.script import run_script

if __name__ == "__main__":
    run_script(lambda: gemhall(__doc__))
