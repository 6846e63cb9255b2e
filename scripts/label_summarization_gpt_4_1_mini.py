r"""Label summaries with GPT-4.1 mini.

python scripts/label_summarization_gpt_4_1_mini.py \
  --input "Hallucination Generated Answers/summarization_3000_corrected.csv" \
  --output "Summarization/Results/summ_3000_gpt4mini.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            task="summarization",
        )
    )
