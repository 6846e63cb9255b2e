"""Judge a seeded tenth of each file, stratified by pattern, with and without chain of thought.

python scripts/evaluate_sampled.py --tasks qa,reasoning
python scripts/evaluate_sampled.py --judges hf:hishab/titulm-llama-3.2-3b-v1.1 --full QA/Results

The judges are BanglaLLaMA, TituLLM and the Ollama judges unless --judges names others. The tables
say where the figures on the whole files lie. See docs/mitigation.md.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.mitigation.commands import Preset, study_main

if __name__ == "__main__":
    run_script(
        lambda: study_main(
            Preset(
                __doc__,
                styles=("standard", "cot"),
                judges=(
                    "hf:BanglaLLM/bangla-llama-13b-instruct-v0.1",
                    "hf:hishab/titulm-llama-3.2-3b-v1.1",
                    "ollama:qwen2.5:32b-instruct",
                    "ollama:gemma2:27b",
                    "ollama:mistral-nemo:latest",
                    "ollama:llama3.1:8b",
                    "ollama:deepseek-r1:14b",
                ),
                share=0.1,
            )
        )
    )
