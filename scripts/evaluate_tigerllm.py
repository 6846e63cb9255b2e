"""Label QA, summaries and reasoning, both tracks, with TigerLLM 9B on this machine's GPU.

python scripts/evaluate_tigerllm.py --task all

Reasoning is asked for JSON. One task, one track, one file:
python scripts/evaluate_tigerllm.py --task codemix --track main
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="hf",
            model="md-nishat-008/TigerLLM-9B-it",
            prompts={"reasoning": "reasoning.json"},
            all_tasks=("qa", "summarization", "reasoning"),
        )
    )
