r"""Label summaries with Gemma 2 27B through Ollama.

python scripts/label_summarization_gemma2.py \
  --input "Hallucination Generated Answers/summarization_3000_corrected.csv" \
  --output "Summarization/Results/summ_3000_gemma2.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="gemma2:27b",
            task="summarization",
        )
    )
