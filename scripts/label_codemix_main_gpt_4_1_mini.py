r"""Label code-mixed QA ground truth (main) with GPT-4.1 mini.

python scripts/label_codemix_main_gpt_4_1_mini.py \
  --input "Codemix/Main dataset/codemix_1000.csv" \
  --output "Codemix/Results/codemix_1000_gpt4mini.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            task="codemix",
            track="main",
        )
    )
