"""Estimate the true hallucination rate of your own outputs from a judge's labels.

python scripts/estimate_rate.py --raw 150/500 --detection 3186/4000 --false-alarms 240/1000
python scripts/estimate_rate.py --outputs my_labelled.csv --benchmark Codemix/Results

The raw rate is corrected for the judge's detection and false alarms on the benchmark (Rogan and
Gladen 1978).
"""

from banglahallueval.cli.script import run_script
from banglahallueval.scoring.estimate_command import estimate

if __name__ == "__main__":
    run_script(lambda: estimate(__doc__))
