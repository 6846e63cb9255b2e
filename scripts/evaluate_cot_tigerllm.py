"""Label QA, summaries and reasoning, both tracks, with chain-of-thought prompts and TigerLLM 9B.

python scripts/evaluate_cot_tigerllm.py --task all
python scripts/evaluate_cot_tigerllm.py --task qa --track main

Chain of thought is not defined for code-mixed QA.
"""

from banglahallueval.labelling.commands import COT_PROMPTS, Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="hf",
            model="md-nishat-008/TigerLLM-9B-it",
            prompts=COT_PROMPTS,
            all_tasks=("qa", "summarization", "reasoning"),
        )
    )
