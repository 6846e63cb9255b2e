"""Compare baseline, chain-of-thought and evidence-augmented judging, for any judges.

python scripts/run_mitigation.py --judges openai:gpt-4.1-mini ollama:qwen2.5:32b-instruct --pilot 50
python scripts/run_mitigation.py --judges openai:gpt-4.1-mini --samples --dry-run
python scripts/run_mitigation.py --judges hybrid:openai:gpt-4.1-mini --prompts standard,few_shot

All arms judge the same rows. A study that was stopped goes on by the same command.
See docs/mitigation.md.
"""

from banglahallueval.cli.script import run_script
from banglahallueval.mitigation.commands import Preset, study_main

if __name__ == "__main__":
    run_script(lambda: study_main(Preset(__doc__)))
