r"""Label code-mixed QA (main) with DeepSeek-R1 14B through Ollama.

python scripts/evaluate_codemix_deepseek_main.py \
  --input "Codemix/Main dataset/codemix_1000.csv" \
  --output "Codemix/Results/codemix_1000_deepseek.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="deepseek-r1:14b",
            task="codemix",
            track="main",
        )
    )
