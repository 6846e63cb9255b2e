"""The command that trains an encoder: flags become a plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import add_device_flag
from banglahallueval.cli.types import positive, positive_number, seed
from banglahallueval.spans.formats import FORMATS, read_span_data
from banglahallueval.spans.training.plan import TrainingPlan
from banglahallueval.spans.training.run import train
from banglahallueval.spans.types import Sample

_READS = "a file of answers with spans, or a folder of files of which the {} ones are read"


def train_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/train_span_encoder.py` and return its exit status.

    Raises:
        UsageError: If the flags, the data or the output do not do.
        RunError: If the encoder cannot be loaded.
    """
    parser = new_parser(doc)
    add = parser.add_argument
    add("--model", required=True, help="the encoder to train: name on the hub, or a folder")
    for split in ("train", "validation"):
        add(f"--{split}", type=Path, required=True, help=_READS.format(split))
    add("--format", choices=list(FORMATS), default="", help="of the files (default: by columns)")
    add("--output", type=Path, required=True, metavar="FOLDER", help="the trained model")
    add("--epochs", type=positive, default=6, help="(default: 6)")
    add("--lr", type=positive_number, default=1e-5, help="learning rate (default: 1e-5)")
    add("--batch-size", type=positive, default=4, help="inputs to a step (default: 4)")
    add(
        "--max-length",
        type=positive,
        metavar="TOKENS",
        help="longest input; longer evidence is windowed (default: what the model reads)",
    )
    add("--seed", type=seed, default=0, help="(default: 0)")
    add_device_flag(parser)
    add("--resume", action="store_true", help="go on from the last finished epoch")
    add("--overwrite", action="store_true", help="replace a model, begin a training anew")
    add("--quiet", action="store_true", help="no progress bar")
    args = parser.parse_args(argv)
    plan = TrainingPlan(
        args.model,
        args.train,
        args.validation,
        args.output,
        args.epochs,
        args.lr,
        args.batch_size,
        args.max_length,
        args.seed,
        args.device,
        args.resume,
        args.overwrite,
        args.quiet,
    )
    data = [_read(path, args.format, split) for split, path in _splits(plan)]
    train(plan, *data)
    return 0


def _splits(plan: TrainingPlan) -> list[tuple[str, Path]]:
    return [("train", plan.train), ("validation", plan.validation)]


def _read(path: Path, format_name: str, split: str) -> Sequence[Sample]:
    """Read a file as it is, and of a folder the files of a split."""
    found = read_span_data(path, format_name=format_name, split=split if path.is_dir() else "")
    for note in found.notes:
        print(f"Note: {note}")
    return found.samples
