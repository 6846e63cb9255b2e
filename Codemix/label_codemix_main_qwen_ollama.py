r"""Label code-mixed QA (main) with Qwen2.5 32B through Ollama.

python Codemix/label_codemix_main_qwen_ollama.py \
  --input "Codemix/Main dataset/codemix_1000.csv" \
  --output "Codemix/Results/codemix_1000_qwen.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="qwen2.5:32b",
            task="codemix",
            track="main",
        )
    )
