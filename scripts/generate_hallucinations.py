r"""Generate hallucinated outputs from gold ones, every one checked.

python scripts/generate_hallucinations.py --task qa --model gpt-5.4 --pilot 20
python scripts/generate_hallucinations.py --task reasoning --provider ollama --model qwen2.5:32b \
  --input "Reasoning/1000 Selected Samples/reasoning_sample.csv" --output candidates.csv
"""

from banglahallueval.cli.script import run_script
from banglahallueval.generation.commands import generate_main

if __name__ == "__main__":
    run_script(lambda: generate_main(__doc__))
