r"""Label code-mixed QA (main) with Mistral Nemo through Ollama.

python Codemix/label_codemix_main_mistral_ollama.py \
  --input "Codemix/Main dataset/codemix_1000.csv" \
  --output "Codemix/Results/codemix_1000_mistral.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="mistral-nemo:latest",
            task="codemix",
            track="main",
        )
    )
