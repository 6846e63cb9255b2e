"""Label QA and summaries, both tracks, with DeepSeek-R1 14B through Ollama.

python scripts/evaluate_deepseek_ollama.py --task all
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="deepseek-r1:14b",
            all_tasks=("qa", "summarization"),
        )
    )
