r"""Label QA outputs with an Ollama model (Qwen2.5 32B).

python scripts/label_hallucinations_ollama.py \
  --input "Hallucination Generated Answers/qa_4000.csv" \
  --output "QA/Results/qa_4000_qwen32b.csv"

For a rented pod add --ollama-url https://POD-11434.proxy.runpod.net.
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(
        Preset(
            __doc__,
            judge="ollama",
            model="qwen2.5:32b-instruct",
            task="qa",
        )
    )
