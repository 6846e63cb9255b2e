r"""Label reasoning candidates with GPT-4.1 mini.

python scripts/label_reasoning_gpt_4_1_mini.py \
  --input "Hallucination Generated Answers/reasoning_1000.csv" \
  --output "Reasoning/Results/reasoning_1000_gpt4mini.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            task="reasoning",
            track="candidates",
        )
    )
