"""What a benchmark file gives away, or gets wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import regex
from sklearn.metrics import roc_auc_score

from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.layouts import Layout, detect_task, find_layout
from banglahallueval.tasks import Item, TaskName, Track, split_final_answer

# A text is closed by a final mark, or by a quote or bracket.
_CLOSED = regex.compile(r"[।॥?!.…\"'”’»)\]}]\s*\Z")
_ONE_QUESTION = regex.compile(r"[^।?!]*\?\s*\Z")
_BENGALI = regex.compile(r"\p{Bengali}")
_WORD = regex.compile(r"[\p{L}\p{M}\p{Nd}]+")
_NO_ANSWERS = {"error", "na", "n/a", "none", "null", "nan"}
_MOST_WORDS_OF_A_QUESTION = 20
_TELLING = 0.1  # how far from ½ an AUROC of something meaningless may be


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at.

    Attributes:
        where: Which file: main, candidates, or both.
        name: What was looked at.
        count, of: How many rows have it, of how many; of is 0 for an AUROC.
        auroc: How well this alone tells candidates from right outputs: ½ is not at all, 1 is by
            more of it, 0 is by less; nan for counts.
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


@dataclass(frozen=True, slots=True)
class Side:
    """One file under audit: its cells, where they are, and its items."""

    name: str
    frame: pd.DataFrame
    layout: Layout
    items: list[Item]

    @property
    def outputs(self) -> list[str]:
        """The raw cells under judgement, closing `####` lines included."""
        return self.frame[self.layout.columns[self.layout.task.output_role]].to_list()

    @property
    def gold(self) -> list[str] | None:
        """The right outputs beside candidates; of a main file its outputs; None without."""
        if self.layout.track == "main":
            return self.outputs
        names = [n for n in self.layout.task.outputs["main"] if n in self.frame.columns]
        return self.frame[names[0]].to_list() if names else None


def read_side(path: Path, task: TaskName | None = None, track: Track | None = None) -> Side:
    """Read a file to audit.

    Raises:
        UsageError: If it cannot be read, or its task cannot be told.
    """
    return make_side(tables.read_frame(path), task, track, str(path))


def make_side(frame: pd.DataFrame, task: TaskName | None, track: Track | None, where: str) -> Side:
    """Find a frame's columns and items; `where` names it in messages."""
    header = [str(name) for name in frame.columns]
    found = task or detect_task(header)
    if found is None:
        raise UsageError(f"{where}: which task it is cannot be told; give --task")
    layout = find_layout(header, found, track, where=where)
    columns = [frame[name].to_list() for name in frame.columns]
    items = [layout.item(cells) for cells in zip(*columns, strict=True)]
    return Side(layout.track or "outputs", frame, layout, items)


def audit(*sides: Side) -> list[Check]:
    """Audit one file, or a main and candidates pair.

    Raises:
        UsageError: If two files are not one task's main and candidates.
    """
    if len({side.layout.task.name for side in sides}) > 1:
        raise UsageError("the two files are of different tasks; give one task's pair")
    if len(sides) == 2 and {side.name for side in sides} != {"main", "candidates"}:
        raise UsageError("the two files are not one main and one candidates file; name --track")
    checks = [check for side in sides for check in _checks(side)]
    return [*checks, *_tells(sides)]


def _checks(side: Side) -> Iterator[Check]:
    frame, task = side.frame, side.layout.task.name
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
    outputs = pd.Series(side.outputs)
    texts = [item.output for item in side.items]
    yield _count(side, "outputs that are no answer (ERROR, NA, …)", _among(outputs), warn=0)
    if task in {"summarization", "reasoning"}:
        yield _count(side, "outputs not closed by a final mark", _open(texts), warn=0.05)
    if task != "reasoning":
        evidence = [item.evidence for item in side.items]
        yield _count(side, "contexts not closed by a final mark", _open(evidence), warn=0.05)
    if task == "summarization":
        asked = [_is_question(item.context) for item in side.items]
        yield _count(side, "documents that are one question (wrong file?)", asked, warn=0.05)
    if task == "codemix":
        letters = [bool(_BENGALI.search(text)) for text in texts]
        yield _count(side, "code-mixed outputs with Bengali letters", letters, warn=0)
        ascii_only = [not text.isascii() for text in texts]
        yield _count(side, "code-mixed outputs that are not ASCII", ascii_only)
    yield from _against_gold(side)


def _against_gold(side: Side) -> Iterator[Check]:
    gold, task = side.gold, side.layout.task.name
    if gold is None:
        return
    if task in {"qa", "codemix"}:
        pairs = list(zip(gold, (item.context for item in side.items), strict=True))
        exact = [bool(g.strip()) and g.strip() in context for g, context in pairs]
        folded = [bool(g.strip()) and _fold(g) in _fold(context) for g, context in pairs]
        missing = len(pairs) - sum(exact) > 0.05 * len(pairs)
        name = "right answer verbatim in its context"
        yield Check(side.name, name, sum(exact), len(exact), warning=missing)
        name = "right answer in its context, ignoring case"
        yield Check(side.name, name, sum(folded), len(folded))
    if task == "reasoning":
        finals = [split_final_answer(solution)[1] for solution in gold]
        blank = [not final.strip() for final in finals]
        yield _count(side, "right solutions without a final answer", blank, warn=0)
    if side.layout.track != "candidates":
        return
    same = [_fold(g) == _fold(output) for g, output in zip(gold, side.outputs, strict=True)]
    yield _count(side, "candidates equal to the right output", same, warn=0)
    if task == "reasoning":
        right = [
            _same_number(final, item.final_answer)
            for final, item in zip(finals, side.items, strict=True)
        ]
        yield _count(side, "chains whose final answer is right", right, warn=0)


def _tells(sides: Sequence[Side]) -> Iterator[Check]:
    """How well each outward mark alone tells candidates from right outputs."""
    candidates = next((side for side in sides if side.layout.track == "candidates"), None)
    if candidates is None:
        return
    if len(sides) == 2:
        main = next(side for side in sides if side is not candidates)
        right, evidence = main.outputs, [item.evidence for item in main.items]
        where = "both"
    elif candidates.gold is not None:
        # One file holds each right output once per candidate; once is enough.
        once = dict(zip(candidates.gold, (item.evidence for item in candidates.items), strict=True))
        right, evidence = list(once), list(once.values())
        where = candidates.name
    else:
        return
    outputs = [*right, *candidates.outputs]
    evidence += [item.evidence for item in candidates.items]
    truth = np.arange(len(outputs)) >= len(right)
    marks: dict[str, Callable[[str, str], float]] = {
        "length alone tells": lambda text, _: len(text),
        "script alone tells (share of Bengali letters)": lambda text, _: _bengali_share(text),
        "#### alone tells": lambda text, _: text.count("####"),
        "<<…>> alone tells": lambda text, _: text.count("<<"),
        "word overlap with the evidence alone tells": _overlap,
    }
    for name, measure in marks.items():
        values = [measure(text, given) for text, given in zip(outputs, evidence, strict=True)]
        auroc = float(roc_auc_score(truth, values))
        # Overlap with the evidence is what a judge should go by; the others mean nothing.
        warning = abs(auroc - 0.5) > _TELLING and measure is not _overlap
        yield Check(where, name, auroc=auroc, warning=warning)


def _count(
    side: Side, name: str, cases: Sequence[bool] | pd.Series, warn: float | None = None
) -> Check:
    """Count cases; a share above `warn` needs attention, None for never."""
    has = np.asarray(cases, dtype=bool)
    rows = tuple(int(row) for row in np.flatnonzero(has)[:5])
    count = int(has.sum())
    warning = warn is not None and count > warn * len(has)
    return Check(side.name, name, count, len(has), warning=warning, rows=rows)


def _open(texts: Sequence[str]) -> list[bool]:
    return [bool(text.strip()) and not _CLOSED.search(text) for text in texts]


def _among(outputs: pd.Series) -> pd.Series:
    return outputs.str.strip().str.casefold().isin(_NO_ANSWERS)


def _is_question(text: str) -> bool:
    short = len(text.split()) <= _MOST_WORDS_OF_A_QUESTION
    return short and bool(_ONE_QUESTION.fullmatch(text.strip()))


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _bengali_share(text: str) -> float:
    letters = sum(char.isalpha() for char in text)
    return sum(bool(_BENGALI.match(char)) and char.isalpha() for char in text) / max(letters, 1)


def _overlap(text: str, evidence: str) -> float:
    words = set(_WORD.findall(_fold(text)))
    return len(words & set(_WORD.findall(_fold(evidence)))) / max(len(words), 1)


def _same_number(a: str, b: str) -> bool:
    a, b = (_fold(text).replace(",", "") for text in (a, b))
    try:
        return float(a) == float(b)  # reads Bengali digits too
    except ValueError:
        return a == b != ""


def check_rows(checks: Sequence[Check]) -> pd.DataFrame:
    """The checks as a table, those that need attention first."""
    ordered = sorted(checks, key=lambda check: not check.warning)
    return pd.DataFrame(
        {
            "": "warning" if check.warning else "",
            "file": check.where,
            "check": check.name,
            "found": f"AUROC {check.auroc:.3f}"
            if not check.of
            else f"{check.count:,} of {check.of:,}",
            "first rows": ", ".join(map(str, check.rows)),
        }
        for check in ordered
    )
