r"""Label code-mixed QA (candidates) with Mistral Nemo through Ollama.

python Codemix/label_codemix_hallucinations_mistral_ollama.py \
  --input "Hallucination Generated Answers/codemix_4000.csv" \
  --output "Codemix/Results/codemix_4000_mistral.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="mistral-nemo:latest",
            task="codemix",
            track="candidates",
        )
    )
