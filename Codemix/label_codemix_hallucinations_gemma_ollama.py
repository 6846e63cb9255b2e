r"""Label code-mixed QA (candidates) with Gemma 2 27B through Ollama.

python Codemix/label_codemix_hallucinations_gemma_ollama.py \
  --input "Hallucination Generated Answers/codemix_4000.csv" \
  --output "Codemix/Results/codemix_4000_gemma.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="gemma2:27b",
            task="codemix",
            track="candidates",
        )
    )
