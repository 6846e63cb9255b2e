"""The checks of an audit: faults of benchmark files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import regex

from banglahallueval.audit.sides import Side, fold, gold_item, source_key
from banglahallueval.judges.offline import judge_offline
from banglahallueval.tasks import split_final_answer

# A text is closed by a final mark, or by a quote or bracket.
_CLOSED = regex.compile(r"[।॥?!.…\"'”’»)\]}]\s*\Z")
_ONE_QUESTION = regex.compile(r"[^।?!]*\?\s*\Z")
_BENGALI = regex.compile(r"\p{Bengali}")
_NO_ANSWERS = {"error", "na", "n/a", "none", "null", "nan"}
_LONGEST_QUESTION = 20  # words
FEW = 0.05  # share of rows up to which a fault needs no attention
LEAK = 0.1  # distance from ½ at which the AUROC of a meaningless feature needs attention
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
        low, high: The ends of the AUROC's 95 % interval by source; nan for counts.
        warning: Whether it needs attention.
        rows: 0-based rows of the first cases.
        detail: What a reader needs besides to find the cause.
    """

    where: str
    name: str
    count: int = 0
    of: int = 0
    auroc: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    warning: bool = False
    rows: tuple[int, ...] = ()
    detail: str = ""

    @property
    def found(self) -> str:
        """The result as text: `AUROC 0.964 [0.950, 0.977]` or `3 of 500`."""
        if self.of:
            return f"{self.count:,} of {self.of:,}"
        return f"AUROC {self.auroc:.3f} [{self.low:.3f}, {self.high:.3f}]"

    @property
    def where_seen(self) -> str:
        """The first cases and the detail as text."""
        rows = ", ".join(map(str, self.rows))
        return "; ".join(filter(None, (f"rows {rows}" if rows else "", self.detail)))


def check_side(side: Side) -> Iterator[Check]:
    """Check one file by itself."""
    if side.has_bom:
        first = f"\\ufeff{side.frame.columns[0]}"
        detail = f"readers that expect plain UTF-8 call the first column '{first}'"
        yield Check(side.name, "byte order mark", 1, 1, warning=True, detail=detail)
    if side.flagged:
        whole = side.flagged + len(side.frame)
        yield Check(side.name, "rows that fail a generation check, left out", side.flagged, whole)
    yield from _check_rows(side)
    yield from _check_texts(side)
    gold = side.gold
    if gold is not None:
        yield from _check_gold(side, gold)
        if side.layout.track == "candidates":
            yield from _check_candidates(side, gold)


def _check_rows(side: Side) -> Iterator[Check]:
    frame = side.frame
    yield count_rows(side, "duplicated rows", frame.duplicated(keep="first"), warn=0)
    if side.layout.id:
        ids = frame[side.layout.id].str.strip()
        bare = ids.str.startswith("::")
        yield count_rows(side, "duplicate ids", ids.duplicated() & ids.ne(""), warn=0)
        yield count_rows(side, "blank ids", ids.eq("") | bare, warn=0)
    else:
        yield Check(side.name, "no id column", len(frame), len(frame), warning=True)
    for name in frame.columns:
        blank = frame[name].str.strip().eq("")
        if blank.any():
            yield count_rows(side, f"blank {name}", blank, warn=0)


def _check_texts(side: Side) -> Iterator[Check]:
    task = side.layout.task.name
    outputs = [item.output for item in side.items]
    no_answer = [output.strip().casefold() in _NO_ANSWERS for output in side.outputs]
    yield count_rows(side, "outputs that are no answer (ERROR, NA, …)", no_answer, warn=0)
    if task in {"summarization", "reasoning"}:
        yield count_rows(side, "outputs not closed by a final mark", _open(outputs), warn=FEW)
    if task != "reasoning":
        evidence = [item.evidence for item in side.items]
        yield count_rows(side, "contexts not closed by a final mark", _open(evidence), warn=FEW)
    if task == "summarization":
        asked = [_is_question(item.context) for item in side.items]
        yield count_rows(side, "documents that are one question (wrong file?)", asked, warn=FEW)
    if task == "codemix":
        letters = [bool(_BENGALI.search(text)) for text in outputs]
        yield count_rows(side, "code-mixed outputs with Bengali letters", letters, warn=0)
        not_ascii = [not text.isascii() for text in outputs]
        yield count_rows(side, "code-mixed outputs that are not ASCII", not_ascii)


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
            warning=len(pairs) - exact > FEW * len(pairs),
            detail=f"{len(pairs) - exact:,} lack it" if exact < len(pairs) else "",
        )
        yield Check(side.name, "right answer in its context, ignoring case", folded, len(pairs))
    if task == "reasoning":
        blank = [not split_final_answer(solution)[1].strip() for solution in gold]
        yield count_rows(side, "right solutions without a final answer", blank, warn=0)
        wrong = _judged_wrong(side, gold)
        yield count_rows(
            side, "right solutions that the arithmetic judge calls wrong", wrong, warn=0
        )


def _check_candidates(side: Side, gold: Sequence[str]) -> Iterator[Check]:
    same = [fold(g) == fold(output) for g, output in zip(gold, side.outputs, strict=True)]
    yield count_rows(side, "candidates equal to the right output", same, warn=0)
    if side.layout.task.name == "reasoning":
        right = [
            _same_number(split_final_answer(solution)[1], item.final_answer)
            for solution, item in zip(gold, side.items, strict=True)
        ]
        yield count_rows(side, "chains whose final answer is right", right, warn=0)
    yield count_rows(
        side, "candidates that say the same under another pattern", _again(side), warn=0
    )
    if side.layout.pattern:
        yield _check_balance(side, side.frame[side.layout.pattern].str.strip())


def _again(side: Side) -> list[bool]:
    """Tell which candidates repeat one of their source that stands before them.

    A row that stands in the file twice has one pattern, so it is none.
    """
    name = side.layout.pattern
    patterns = side.frame[name].to_list() if name else [""] * len(side.items)
    first: dict[tuple[tuple[str, str], str], str] = {}
    again = []
    for item, pattern in zip(side.items, patterns, strict=True):
        text = fold(item.output)
        again.append(first.setdefault((source_key(item), text), pattern) != pattern and bool(text))
    return again


def _check_balance(side: Side, patterns: pd.Series) -> Check:
    """Check that each pattern has an even share of the rows."""
    counts = Counter(dict.fromkeys(side.layout.task.patterns, 0))
    counts.update(patterns.to_list())
    even = len(patterns) / len(counts)
    surplus = sum(max(0, count - math.ceil(even)) for count in counts.values())
    return Check(
        side.name,
        "rows above an even share of the patterns",
        surplus,
        len(patterns),
        warning=surplus > FEW * len(patterns),
        detail=", ".join(f"{name or 'blank'} {count:,}" for name, count in counts.items()),
    )


def _judged_wrong(side: Side, gold: Sequence[str]) -> list[bool]:
    right = [gold_item(item, cell) for item, cell in zip(side.items, gold, strict=True)]
    labels = {item: judge_offline(item).label for item in set(right)}
    return [labels[item] == "yes" for item in right]


def count_rows(
    side: Side, name: str, cases: Sequence[bool] | pd.Series, warn: float | None = None
) -> Check:
    """Count the rows of a file that have a fault.

    Args:
        side: The file.
        name: The fault.
        cases: Whether each row has it.
        warn: The share of rows above which it needs attention; None for never.
    """
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
