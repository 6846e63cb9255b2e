r"""Train a span detector: a token classifier on answers with marked spans and their evidence.

python scripts/train_span_encoder.py --model jhu-clsp/mmBERT-base \
  --train Spans/train.csv --validation Spans/validation.csv --output Spans/Results/encoder
"""

from banglahallueval.cli.script import run_script
from banglahallueval.spans.training.commands import train_main

if __name__ == "__main__":
    run_script(lambda: train_main(__doc__))
