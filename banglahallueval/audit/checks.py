"""The checks of an audit: faults of benchmark files."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import regex

from banglahallueval.audit.sides import Side
from banglahallueval.tasks import split_final_answer

# A text is closed by a final mark, or by a quote or bracket.
_CLOSED = regex.compile(r"[।॥?!.…\"'”’»)\]}]\s*\Z")
_ONE_QUESTION = regex.compile(r"[^।?!]*\?\s*\Z")
_BENGALI = regex.compile(r"\p{Bengali}")
_NO_ANSWERS = {"error", "na", "n/a", "none", "null", "nan"}
_LONGEST_QUESTION = 20  # words
_FEW = 0.05  # share of rows up to which a fault needs no attention
_FIRST_CASES = 5


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check.

    Attributes:
        where: The file that was checked: main, candidates, or both.
        name: What was checked.
        count, of: Number of rows that have it, and of rows checked; `of` is 0 for an AUROC.
        auroc: How well this alone separates candidates from gold outputs, 0 to 1: ½ is chance,
            1 is perfect by more of it, 0 by less; nan for counts.
        warning: Whether it needs attention.
        rows: 0-based rows of the first cases.
    """

    where: str
    name: str
    count: int = 0
    of: int = 0
    auroc: float = float("nan")
    warning: bool = False
    rows: tuple[int, ...] = ()

    @property
    def found(self) -> str:
        """The result as text: `AUROC 0.964` or `3 of 500`."""
        return f"{self.count:,} of {self.of:,}" if self.of else f"AUROC {self.auroc:.3f}"


def check_side(side: Side) -> Iterator[Check]:
    """Check one file by itself."""
    yield from _check_rows(side)
    yield from _check_texts(side)
    gold = side.gold
    if gold is not None:
        yield from _check_gold(side, gold)
        if side.layout.track == "candidates":
            yield from _check_candidates(side, gold)


def fold(text: str) -> str:
    """Normalise for comparison: NFC, case folded, runs of white space made one space."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _check_rows(side: Side) -> Iterator[Check]:
    frame = side.frame
    yield _count(side, "duplicated rows", frame.duplicated(keep="first"), warn=0)
    if side.layout.id:
        ids = frame[side.layout.id].str.strip()
        bare = ids.str.startswith("::")
        yield _count(side, "duplicate ids", ids.duplicated() & ids.ne(""), warn=0)
        yield _count(side, "blank ids", ids.eq("") | bare, warn=0)
    else:
        yield Check(side.name, "no id column", len(frame), len(frame), warning=True)
    for name in frame.columns:
        blank = frame[name].str.strip().eq("")
        if blank.any():
            yield _count(side, f"blank {name}", blank, warn=0)


def _check_texts(side: Side) -> Iterator[Check]:
    task = side.layout.task.name
    outputs = [item.output for item in side.items]
    no_answer = [output.strip().casefold() in _NO_ANSWERS for output in side.outputs]
    yield _count(side, "outputs that are no answer (ERROR, NA, …)", no_answer, warn=0)
    if task in {"summarization", "reasoning"}:
        yield _count(side, "outputs not closed by a final mark", _open(outputs), warn=_FEW)
    if task != "reasoning":
        evidence = [item.evidence for item in side.items]
        yield _count(side, "contexts not closed by a final mark", _open(evidence), warn=_FEW)
    if task == "summarization":
        asked = [_is_question(item.context) for item in side.items]
        yield _count(side, "documents that are one question (wrong file?)", asked, warn=_FEW)
    if task == "codemix":
        letters = [bool(_BENGALI.search(text)) for text in outputs]
        yield _count(side, "code-mixed outputs with Bengali letters", letters, warn=0)
        not_ascii = [not text.isascii() for text in outputs]
        yield _count(side, "code-mixed outputs that are not ASCII", not_ascii)


def _check_gold(side: Side, gold: Sequence[str]) -> Iterator[Check]:
    task = side.layout.task.name
    if task in {"qa", "codemix"}:
        pairs = list(zip(gold, (item.context for item in side.items), strict=True))
        exact = sum(bool(g.strip()) and g.strip() in context for g, context in pairs)
        folded = sum(bool(g.strip()) and fold(g) in fold(context) for g, context in pairs)
        yield Check(
            side.name,
            "right answer verbatim in its context",
            exact,
            len(pairs),
            warning=len(pairs) - exact > _FEW * len(pairs),
        )
        yield Check(side.name, "right answer in its context, ignoring case", folded, len(pairs))
    if task == "reasoning":
        blank = [not split_final_answer(solution)[1].strip() for solution in gold]
        yield _count(side, "right solutions without a final answer", blank, warn=0)


def _check_candidates(side: Side, gold: Sequence[str]) -> Iterator[Check]:
    same = [fold(g) == fold(output) for g, output in zip(gold, side.outputs, strict=True)]
    yield _count(side, "candidates equal to the right output", same, warn=0)
    if side.layout.task.name == "reasoning":
        right = [
            _same_number(split_final_answer(solution)[1], item.final_answer)
            for solution, item in zip(gold, side.items, strict=True)
        ]
        yield _count(side, "chains whose final answer is right", right, warn=0)


def _count(
    side: Side, name: str, cases: Sequence[bool] | pd.Series, warn: float | None = None
) -> Check:
    """Count cases; a share above `warn` needs attention, None for never."""
    has = np.asarray(cases, dtype=bool)
    rows = tuple(int(row) for row in np.flatnonzero(has)[:_FIRST_CASES])
    count = int(has.sum())
    warning = warn is not None and count > warn * len(has)
    return Check(side.name, name, count, len(has), warning=warning, rows=rows)


def _open(texts: Sequence[str]) -> list[bool]:
    return [bool(text.strip()) and not _CLOSED.search(text) for text in texts]


def _is_question(text: str) -> bool:
    short = len(text.split()) <= _LONGEST_QUESTION
    return short and bool(_ONE_QUESTION.fullmatch(text.strip()))


def _same_number(a: str, b: str) -> bool:
    a, b = (fold(text).replace(",", "") for text in (a, b))
    try:
        return float(a) == float(b)  # reads Bengali digits too
    except ValueError:
        return a == b != ""
