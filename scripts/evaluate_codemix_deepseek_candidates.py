r"""Label code-mixed QA (candidates) with DeepSeek-R1 14B through Ollama.

python scripts/evaluate_codemix_deepseek_candidates.py \
  --input "Hallucination Generated Answers/codemix_4000.csv" \
  --output "Codemix/Results/codemix_4000_deepseek.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="deepseek-r1:14b",
            task="codemix",
            track="candidates",
        )
    )
