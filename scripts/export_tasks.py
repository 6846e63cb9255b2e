r"""Export the benchmark to harnesses that people use: lm-evaluation-harness, Inspect, the Hub.

python scripts/export_tasks.py --to lm-eval exports/lm_eval
python scripts/export_tasks.py --to inspect exports/inspect --task qa --prompt cot
python scripts/export_tasks.py --to hf exports/hf --licence cc-by-4.0
python scripts/export_tasks.py --to lm-eval exports/mine --task qa \
  --input qa.main=main.csv --input qa.candidates=candidates.csv

Nothing but this project need be installed. scripts/import_results.py brings a harness's results
back as labelled files.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.harnesses.commands import export_main

if __name__ == "__main__":
    run_script(lambda: export_main(__doc__))
