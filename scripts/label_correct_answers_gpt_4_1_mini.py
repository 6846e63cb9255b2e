r"""Label QA ground truth (main) with GPT-4.1 mini.

python scripts/label_correct_answers_gpt_4_1_mini.py \
  --input "QA/1000 Selected Samples/banglahallueval_qa_1000.csv" \
  --output "QA/Results/qa_1000_gpt4mini.csv"

The prompt shows no context, as specified; --prompt qa.standard_context shows it.
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            task="qa",
            track="main",
        )
    )
