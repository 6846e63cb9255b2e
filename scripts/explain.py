r"""Show in the terminal what gave each output away.

python scripts/label.py --task codemix --explain \
  --input "Hallucination Generated Answers/codemix_sample.csv" --output labelled.csv
python scripts/explain.py labelled.csv --label yes

What an explanation speaks of is in colour in a terminal, in [[double brackets]] in a file or pipe.
Rows are counted from 0.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.labelling.explain_command import explain_main

if __name__ == "__main__":
    run_script(lambda: explain_main(__doc__))
