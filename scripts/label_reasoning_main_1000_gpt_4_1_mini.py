r"""Label reasoning ground truth (main) with GPT-4.1 mini.

python scripts/label_reasoning_main_1000_gpt_4_1_mini.py \
  --input "Reasoning/1000 Selected Samples/somadhan_1000_main.csv" \
  --output "Reasoning/Results/somadhan_1000_main_gpt4mini.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            task="reasoning",
            track="main",
        )
    )
