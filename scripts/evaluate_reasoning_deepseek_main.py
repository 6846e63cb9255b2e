r"""Label reasoning (main) with DeepSeek-R1 14B through Ollama.

python scripts/evaluate_reasoning_deepseek_main.py \
  --input "Reasoning/1000 Selected Samples/somadhan_1000_main.csv" \
  --output "Reasoning/Results/somadhan_1000_main_deepseek.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="deepseek-r1:14b",
            task="reasoning",
            track="main",
        )
    )
