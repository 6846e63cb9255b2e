r"""Audit a benchmark file: what gives its labels away, and what is wrong with it.

python scripts/audit_dataset.py "Codemix/Main dataset/codemix_1000.csv" \
  "Hallucination Generated Answers/codemix_4000.csv"
python scripts/audit_dataset.py "Hallucination Generated Answers/reasoning_1000.csv" --json
"""

from banglahallueval.audit.commands import main
from banglahallueval.cli.script import run_script

if __name__ == "__main__":
    run_script(lambda: main(__doc__))
