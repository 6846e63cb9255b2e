"""The rows of an output: one per question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Cells, Table
from banglahallueval.vision.asking import NO_REPLY
from banglahallueval.vision.discriminative.naming import TYPE_LABELS, TypeLabel
from banglahallueval.vision.prompts import ASKS, Ask
from banglahallueval.vision.types import KINDS, Kind, Question

# In the run records of answers about pictures, and of answers without them.
KIND: Final = "captions of pictures"
BASELINE_KIND: Final = "captions without pictures"
GUESSES: Final = "captions guessed from their text"  # by rules
NO_PREDICTION: Final = "no prediction"

# `yes` in `answer_matches` says that the caption matches its picture, not that it is hallucinated.
_ANSWERS: Final[dict[Ask, tuple[str, str]]] = {
    "match": ("caption_matches", "answer_matches"),
    "type": ("caption_type", "answer_type"),
}
_QUESTION = ("index", "image", "key", "kind", "defect", "caption")
_REPLY = ("unknown_reason", "conflict", "reply", "finish", "image_sha256", "image_conversion")
COLUMNS: Final[dict[Ask, tuple[str, ...]]] = {
    ask: (*_QUESTION, *_ANSWERS[ask], *_REPLY) for ask in ASKS
}
# What a row is matched by when a run is resumed; `defect` follows from the caption.
KEY_COLUMNS = ("index", "image", "key", "kind", "caption")

# Reasons that are not the model's: it was not asked, or its reply did not arrive.
_NOT_THE_MODELS = ("image missing", "image unreadable", NO_PREDICTION)


@dataclass(frozen=True, slots=True)
class Result:
    """One question and what came of it.

    Attributes:
        index: The item's place in the data file, from 0.
        image: The picture as the data file names it.
        key: The data file's other name for it; empty without one.
        kind: Which of the item's captions was asked about.
        caption: The caption.
        answer: `yes` that it matches, `no`, or a type where that was asked; `unknown` without one.
        reason: Why it is unknown; empty otherwise.
        defect: What is wrong with the caption itself; empty where nothing is.
        conflicts: Whether the reply takes a part of its answer back.
        reply: The model's own words.
        finish: How the reply ended; empty without one.
        image_sha256: Of the picture's file; empty where none was sent.
        image_conversion: How what was sent differs from the file.
    """

    index: int
    image: str
    key: str
    kind: Kind
    caption: str
    answer: str
    reason: str = ""
    defect: str = ""
    conflicts: bool = False
    reply: str = ""
    finish: str = ""
    image_sha256: str = ""
    image_conversion: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the model has not answered at all, through no doing of its own."""
        return self.reason.startswith((NO_REPLY, *_NOT_THE_MODELS))

    @property
    def picture(self) -> tuple[str, str]:
        """What names the picture, of which several items may ask."""
        return self.image, self.key


def gold_of(ask: Ask, kind: Kind) -> str:
    """The right answer about a caption of a kind."""
    if ask == "match":
        return "yes" if kind == "true" else "no"
    return type_of(kind)


def type_of(kind: Kind) -> TypeLabel:
    """The type that a caption of a kind has."""
    return "none" if kind == "true" else kind


def key_cells(question: Question) -> Cells:
    """Return the cells of `KEY_COLUMNS` for a question."""
    item = question.item
    return [str(item.index), item.image, item.key, question.kind, question.caption]


def unanswered(question: Question, defect: str = "") -> Result:
    """Make the result of a question without an answer yet."""
    item = question.item
    return Result(
        item.index,
        item.image,
        item.key,
        question.kind,
        question.caption,
        "unknown",
        defect=defect,
    )


def cells_of(result: Result, ask: Ask) -> Cells:
    """Write a result as a row of `COLUMNS`."""
    gold, answer = _ANSWERS[ask]
    cells = {
        "index": str(result.index),
        "image": result.image,
        "key": result.key,
        "kind": result.kind,
        "defect": result.defect,
        "caption": result.caption,
        gold: gold_of(ask, result.kind),
        answer: result.answer,
        "unknown_reason": result.reason,
        "conflict": "1" if result.conflicts else "",
        "reply": result.reply,
        "finish": result.finish,
        "image_sha256": result.image_sha256,
        "image_conversion": result.image_conversion,
    }
    return [cells[name] for name in COLUMNS[ask]]


def result_from(cells: Cells, ask: Ask, where: str) -> Result:
    """Read a row of `COLUMNS` back.

    Args:
        cells: The row.
        ask: What was asked.
        where: File and row, for messages.

    Raises:
        UsageError: If a cell is not what a run writes.
    """
    cell = dict(zip(COLUMNS[ask], cells, strict=True))
    answer = cell[_ANSWERS[ask][1]]
    if not cell["index"].isdecimal():
        raise UsageError(f"{where}: index {cell['index']!r} is no whole number")
    if cell["kind"] not in KINDS:
        raise UsageError(f"{where}: kind {cell['kind']!r} is none of {', '.join(KINDS)}")
    if answer not in answers(ask):
        raise UsageError(f"{where}: answer {answer!r} is none of {', '.join(answers(ask))}")
    return Result(
        int(cell["index"]),
        cell["image"],
        cell["key"],
        cell["kind"],
        cell["caption"],
        answer,
        cell["unknown_reason"],
        cell["defect"],
        cell["conflict"] == "1",
        cell["reply"],
        cell["finish"],
        cell["image_sha256"],
        cell["image_conversion"],
    )


def answers(ask: Ask) -> tuple[str, ...]:
    """List what an answer may be."""
    return (*(("yes", "no") if ask == "match" else TYPE_LABELS), "unknown")


def ask_of(columns: Sequence[str]) -> Ask | None:
    """Tell by its columns what a file of results asked; None where it is none."""
    return next((ask for ask in ASKS if tuple(columns) == COLUMNS[ask]), None)


def read_results(path: Path, ask: Ask) -> Iterator[Result]:
    """Read a file of results.

    Raises:
        UsageError: If it is none, or damaged.
    """
    table = Table(path)
    if ask_of(table.columns) != ask:
        raise UsageError(f"{path} holds no answers of this version; name another --output")
    for number, cells in enumerate(table.rows(), 1):
        yield result_from(cells, ask, f"{path}, row {number}")
