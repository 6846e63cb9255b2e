r"""Label code-mixed QA candidates with GPT-4.1 mini.

python scripts/label_codemix_hallucinations_gpt_4_1_mini.py \
  --input "Hallucination Generated Answers/codemix_4000.csv" \
  --output "Codemix/Results/codemix_4000_gpt4mini.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            task="codemix",
            track="candidates",
        )
    )
