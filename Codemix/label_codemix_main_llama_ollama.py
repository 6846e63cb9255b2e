r"""Label code-mixed QA (main) with LLaMA 3.1 8B through Ollama.

python Codemix/label_codemix_main_llama_ollama.py \
  --input "Codemix/Main dataset/codemix_1000.csv" \
  --output "Codemix/Results/codemix_1000_llama.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="llama3.1:8b",
            task="codemix",
            track="main",
        )
    )
