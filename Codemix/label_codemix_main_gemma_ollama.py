r"""Label code-mixed QA (main) with Gemma 2 27B through Ollama.

python Codemix/label_codemix_main_gemma_ollama.py \
  --input "Codemix/Main dataset/codemix_1000.csv" \
  --output "Codemix/Results/codemix_1000_gemma.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="gemma2:27b",
            task="codemix",
            track="main",
        )
    )
