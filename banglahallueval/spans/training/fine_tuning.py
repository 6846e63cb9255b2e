"""Fine-tuning with transformers' Trainer; imports torch."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import scipy.special

from banglahallueval.errors import RunError
from banglahallueval.judges.classifiers.characters import marked
from banglahallueval.judges.classifiers.encoder import combined, hallucinated
from banglahallueval.judges.classifiers.templates import CONFIG_KEY
from banglahallueval.models.http import one_line
from banglahallueval.models.huggingface.classification import limit_of, load_tokenizer
from banglahallueval.models.huggingface.local import source_of
from banglahallueval.models.huggingface.pairs import PairTokenizer
from banglahallueval.spans.metrics import iou
from banglahallueval.spans.training.examples import (
    HALLUCINATED,
    SUPPORTED,
    Example,
    Rows,
    all_inputs,
)
from banglahallueval.spans.training.plan import Baselines, Epoch, TrainingPlan

torch: Any = importlib.import_module("torch")
transformers: Any = importlib.import_module("transformers")  # much of it has no types

_NAMES = {SUPPORTED: "supported", HALLUCINATED: "hallucinated"}


@dataclass(frozen=True, slots=True)
class Base:
    """What is trained.

    Attributes:
        model: The encoder with a new head, seeded.
        tokenizer: Its tokenizer.
        pairs: The same, with the number of tokens that the model reads.
    """

    model: Any
    tokenizer: Any
    pairs: PairTokenizer


def load_base(plan: TrainingPlan) -> Base:
    """Load the encoder and give it a head of two labels.

    Raises:
        UsageError: If its tokenizer tells no places.
        RunError: If it cannot be loaded.
    """
    transformers.set_seed(plan.seed)
    tokenizer = load_tokenizer(plan.base)
    try:
        model = transformers.AutoModelForTokenClassification.from_pretrained(
            source_of(plan.base),
            dtype="float32",
            id2label=_NAMES,
            label2id={name: label for label, name in _NAMES.items()},
            ignore_mismatched_sizes=True,  # the head of a classifier of other labels
        )
    except Exception as error:  # as many ways to fail as there are broken folders
        raise RunError(f"cannot load {plan.base}: {one_line(str(error))}") from None
    setattr(model.config, CONFIG_KEY, plan.template.name)
    limit = min(plan.max_length or limit_of(model, tokenizer), limit_of(model, tokenizer))
    tokenizer.model_max_length = limit  # saved, so that detection reads no more than it was taught
    return Base(model, tokenizer, PairTokenizer(tokenizer, limit))


def fine_tune(
    plan: TrainingPlan,
    base: Base,
    rows: Rows,
    validation: Sequence[Example],
    baselines: Baselines,
    checkpoint: Path | None,
) -> list[Epoch]:
    """Train, and leave the model of the epoch with the highest validation IoU in `base`.

    Args:
        plan: How.
        base: What is trained.
        rows: What it is trained on.
        validation: What each epoch is measured on.
        baselines: What is printed beside its IoU.
        checkpoint: The epoch to go on from; None to begin.

    Returns:
        All epochs, those before the checkpoint included.
    """

    def measure(predicted: Any) -> dict[str, float]:
        found = mean_iou(validation, predicted.predictions)
        number = round(trainer.state.epoch)
        print(
            f"epoch {number} of {plan.epochs}: validation IoU {found:.4f} {baselines}", flush=True
        )
        return {"iou": found}

    arguments = transformers.TrainingArguments(
        output_dir=str(plan.work_folder),
        num_train_epochs=plan.epochs,
        learning_rate=plan.learning_rate,
        per_device_train_batch_size=plan.batch_size,
        per_device_eval_batch_size=plan.batch_size,
        eval_strategy="epoch",
        save_strategy="epoch",
        logging_strategy="epoch",
        save_total_limit=2,
        load_best_model_at_end=True,
        metric_for_best_model="iou",
        greater_is_better=True,
        seed=plan.seed,
        use_cpu=plan.device.partition(":")[0] == "cpu",
        report_to="none",
        disable_tqdm=plan.quiet,
    )
    use_device(arguments, plan.device)
    trainer = transformers.Trainer(
        model=base.model,
        args=arguments,
        train_dataset=rows,
        eval_dataset=Rows(pair for example in validation for pair in all_inputs(example)),
        data_collator=transformers.DataCollatorForTokenClassification(base.tokenizer),
        compute_metrics=measure,
    )
    _silence(trainer)
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    base.model.eval()
    return _epochs(trainer.state.log_history)


def use_device(arguments: Any, device: str) -> None:
    """Train on one device: a step has as many inputs on a machine with many GPUs as on any other.

    Args:
        arguments: Those of transformers' Trainer, which would take all GPUs there are.
        device: As torch names it, or `auto`.
    """
    if torch.device("cpu" if device == "auto" else device).index is not None:
        vars(arguments)["_setup_devices"] = torch.device(device)
        if device.startswith("cuda"):
            torch.cuda.set_device(device)
    arguments._n_gpu = min(arguments.n_gpu, 1)
    # Pinned memory speeds up copies to a GPU; torch warns of it in each epoch where there is none.
    arguments.dataloader_pin_memory = arguments.device.type == "cuda"


def mean_iou(validation: Sequence[Example], predictions: Any) -> float:
    """Compute the mean IoU of marked and gold characters over the answers.

    Args:
        validation: The answers.
        predictions: Logits of their inputs in order, padded to the longest.
    """
    rows = iter(scipy.special.softmax(np.asarray(predictions, dtype=np.float32), axis=-1))
    score = hallucinated(frozenset((SUPPORTED,)))
    found = []
    for example in validation:
        inputs = example.inputs
        own = list(islice(rows, len(inputs)))
        cut = [row[: len(encoding.ids)] for row, encoding in zip(own, inputs, strict=True)]
        answer = example.sample.answer
        scores = combined(answer, example.parts, [row.tolist() for row in cut], score)
        found.append(iou(example.sample.spans or (), marked(answer, scores), len(answer)))
    return sum(found) / len(found)


def _silence(trainer: Any) -> None:
    """Leave the progress bar, and take away the lines of numbers."""
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.remove_callback(transformers.ProgressCallback)
    if not trainer.args.disable_tqdm:
        bar = transformers.ProgressCallback()
        bar.on_log = lambda *args, **options: None
        trainer.add_callback(bar)


def _epochs(history: Sequence[Mapping[str, float]]) -> list[Epoch]:
    losses = {round(entry["epoch"]): entry["loss"] for entry in history if "loss" in entry}
    return [
        Epoch(round(entry["epoch"]), losses.get(round(entry["epoch"])), entry["eval_iou"])
        for entry in history
        if "eval_iou" in entry
    ]
