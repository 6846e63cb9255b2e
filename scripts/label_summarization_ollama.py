r"""Label summaries with an Ollama model (Qwen2.5 32B).

python scripts/label_summarization_ollama.py \
  --input "Hallucination Generated Answers/summarization_3000_corrected.csv" \
  --output "Summarization/Results/summ_3000_qwen32b.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="qwen2.5:32b-instruct",
            task="summarization",
        )
    )
