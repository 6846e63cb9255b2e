"""Combine labelled CSVs at no cost: a jury by majority, a hybrid with the offline judge's proofs.

python scripts/combine_labels.py qwen.csv gemma.csv mistral.csv --name jury --output jury.csv
python scripts/combine_labels.py qwen.csv --offline-first --output hybrid.csv

Rows are matched by their texts. A tie is unknown, and unknown labels are no votes.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.labelling.combine_command import combine_main

if __name__ == "__main__":
    run_script(lambda: combine_main(__doc__))
