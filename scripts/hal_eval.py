r"""Evaluate vision-language models for hallucination, as Hal-Eval does.

python scripts/hal_eval.py discriminative --data in_domain_evaluation.json \
  --image-root val2014 --provider ollama --model llava:7b --output captions.csv
python scripts/hal_eval.py discriminative --data in_domain_evaluation.json \
  --predictions replies.json --output captions.csv
python scripts/hal_eval.py generative --data in_domain_evaluation.json --image-root val2014 \
  --provider ollama --model llava:7b --prompt short long --output descriptions.csv
python scripts/hal_eval.py correlate --scores scores.csv --automatic judge --human people
python scripts/hal_eval.py baseline --data in_domain_evaluation.json --output guessed.csv
"""

from banglahallueval.cli.script import run_script
from banglahallueval.vision.commands import hal_eval

if __name__ == "__main__":
    run_script(lambda: hal_eval(__doc__))
