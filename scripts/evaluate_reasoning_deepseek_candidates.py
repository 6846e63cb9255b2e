r"""Label reasoning (candidates) with DeepSeek-R1 14B through Ollama.

python scripts/evaluate_reasoning_deepseek_candidates.py \
  --input "Hallucination Generated Answers/reasoning_1000.csv" \
  --output "Reasoning/Results/reasoning_1000_deepseek.csv"
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="deepseek-r1:14b",
            task="reasoning",
            track="candidates",
        )
    )
