r"""Label summaries with DeepSeek-R1 14B through Ollama.

python scripts/label_summarization_deepseek.py \
  --input "Hallucination Generated Answers/summarization_3000_corrected.csv" \
  --output "Summarization/Results/summ_3000_deepseek.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="deepseek-r1:14b",
            task="summarization",
        )
    )
