"""Label QA, summaries and reasoning, both tracks, with chain-of-thought prompts and GPT-4.1 mini.

python scripts/evaluate_cot_gpt_4_1_mini.py --task all
python scripts/evaluate_cot_gpt_4_1_mini.py --task qa --track main

Chain of thought is not defined for code-mixed QA.
"""

from banglahallueval.labelling.commands import COT_PROMPTS, Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="openai",
            model="gpt-4.1-mini",
            prompts=COT_PROMPTS,
            all_tasks=("qa", "summarization", "reasoning"),
        )
    )
