"""Label QA, summaries and reasoning, both tracks, with chain-of-thought prompts through Ollama.

python scripts/evaluate_cot_ollama.py --task all
python scripts/evaluate_cot_ollama.py --task qa --track main --models llama3.1:8b

Chain of thought is not defined for code-mixed QA.
"""

from banglahallueval.labelling.commands import COT_PROMPTS, Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            prompts=COT_PROMPTS,
            all_tasks=("qa", "summarization", "reasoning"),
            models=("qwen2.5:32b-instruct", "gemma2:27b", "mistral-nemo:latest", "llama3.1:8b"),
        )
    )
