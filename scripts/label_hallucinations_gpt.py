r"""Label QA candidates with GPT.

python scripts/label_hallucinations_gpt.py \
  --input "Hallucination Generated Answers/qa_4000.csv" \
  --output "QA/Results/qa_4000_gpt4mini.csv"

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
            track="candidates",
        )
    )
