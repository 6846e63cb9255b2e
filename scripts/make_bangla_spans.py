r"""Make a Bangla span set from the benchmark: candidates with their wrong words, gold outputs.

python scripts/make_bangla_spans.py
python scripts/make_bangla_spans.py --samples --output bangla_silver.csv
python scripts/make_bangla_spans.py --tasks qa --main gold.csv --candidates wrong.csv \
  --output qa_spans.csv

Rules place the spans, and leave out each candidate whose fault they cannot place; see
Spans/README.md.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.spans.bangla.commands import main

if __name__ == "__main__":
    run_script(lambda: main(__doc__))
