r"""Label any task with any judge: offline, encoder, nli, a model, a hybrid or a panel of models.

python scripts/label.py --task codemix --input answers.csv --output labelled.csv
python scripts/label.py --task qa --judge openai --model gpt-4.1-mini \
  --input answers.csv --columns answer=model_output --output labelled.csv
python scripts/label.py --task qa --judge nli --model MoritzLaurer/mDeBERTa-v3-base-mnli-xnli \
  --input answers.csv --output labelled.csv
python scripts/label.py --task qa --judge panel --models openai:gpt-4.1-mini,ollama:qwen2.5:32b \
  --input answers.csv --output labelled.csv
"""

from banglahallueval.labelling.commands import Preset, label_main

if __name__ == "__main__":
    label_main(Preset(__doc__))
