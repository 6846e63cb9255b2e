r"""Show in the terminal what gave each output away.

python scripts/label.py --task codemix --explain \
  --input "Hallucination Generated Answers/codemix_sample.csv" --output labelled.csv
python scripts/explain.py labelled.csv --label yes
"""

from banglahallueval.cli.script import run_script
from banglahallueval.labelling.explain import main

if __name__ == "__main__":
    run_script(lambda: main(__doc__))
