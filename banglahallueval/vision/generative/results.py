"""The rows of the results: one per item and describing prompt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast, get_args

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Cells, Table
from banglahallueval.vision.generative.types import (
    TYPES,
    Description,
    Judgement,
    Outcome,
    Trial,
    Unit,
)
from banglahallueval.vision.types import PictureItem

# What a row is matched by when a run is resumed.
KEY_COLUMNS: Final = ("index", "image", "key", "caption", "prompt")
COLUMNS: Final = (
    *KEY_COLUMNS,
    "description",
    "words",
    "cut",
    "outcome",
    "types",
    "reason",
    "judge",
    "judge_types",
    "reply",
    "image_sha256",
    "image_conversion",
)
KIND: Final = "vision generative"  # in the run record


def key_cells(item: PictureItem, prompt: str) -> Cells:
    """Return the cells of `KEY_COLUMNS`."""
    return [str(item.index), item.image, item.key, item.caption, prompt]


def unit_key(unit: Unit) -> Cells:
    """Return what a unit's row is matched by."""
    return key_cells(unit.item, unit.prompt)


def cells_of(trial: Trial) -> Cells:
    """Write a trial as a row of `COLUMNS`."""
    description, judgement = trial.description, trial.judgement
    return [
        *key_cells(trial.item, trial.prompt),
        description.text,
        str(trial.words),
        str(int(description.is_cut)),
        judgement.outcome,
        ", ".join(name for name in TYPES if name in judgement.types),
        judgement.reason,
        judgement.first,
        judgement.second,
        description.reply,
        trial.image_sha256,
        trial.image_conversion,
    ]


def trial_of(cells: Cells, where: str) -> Trial:
    """Read a row of `COLUMNS` back; the item's wrong captions are not kept.

    Args:
        cells: The row.
        where: File and row, for messages.

    Raises:
        UsageError: If a cell is not what a run writes.
    """
    cell = dict(zip(COLUMNS, cells, strict=True))
    outcome = cell["outcome"]
    if outcome not in get_args(Outcome):
        raise UsageError(f"{where}: outcome {outcome!r} is none that a run writes")
    if not cell["index"].isdecimal():
        raise UsageError(f"{where}: index {cell['index']!r} is no whole number")
    named = [name for name in cell["types"].split(", ") if name]
    if unknown := [name for name in named if name not in TYPES]:
        raise UsageError(f"{where}: type {unknown[0]!r} is none of {', '.join(TYPES)}")
    item = PictureItem(int(cell["index"]), cell["image"], cell["key"], cell["caption"], {})
    missing = cell["reason"] if outcome == "undescribed" else ""
    return Trial(
        item,
        cell["prompt"],
        Description(cell["description"], missing, cell["cut"] == "1", cell["reply"]),
        Judgement(
            cast(Outcome, outcome),
            cell["reason"],
            frozenset(name for name in TYPES if name in named),
            cell["judge"],
            cell["judge_types"],
        ),
        cell["image_sha256"],
        cell["image_conversion"],
    )


def check_columns(columns: Sequence[str], where: str) -> None:
    """Refuse a file that is no results file.

    Raises:
        UsageError: If its columns are others.
    """
    if tuple(columns) != COLUMNS:
        raise UsageError(
            f"{where} has not the columns of judged descriptions; name another --output"
        )


def is_finished(cells: Cells) -> bool:
    """Whether nothing is left to ask: the description is judged, and its types are known."""
    outcome, types = cells[COLUMNS.index("outcome")], cells[COLUMNS.index("types")]
    return outcome == "clean" or (outcome == "hallucinated" and bool(types))


def read_trials(path: Path) -> list[Trial]:
    """Read a results file.

    Raises:
        UsageError: If it is none.
    """
    table = Table(path)
    check_columns(table.columns, str(path))
    return [trial_of(cells, f"{path} row {row}") for row, cells in enumerate(table.rows(), 1)]
