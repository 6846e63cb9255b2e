"""Replies that somebody supplies: in a CSV, as JSON lines, or as Hal-Eval's script writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import regex

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.text.yes_no import NO, YES, fold
from banglahallueval.vision.data import hallucination_named, questions_of
from banglahallueval.vision.discriminative.naming import TYPE_LABELS
from banglahallueval.vision.prompts import Ask
from banglahallueval.vision.supplied import ItemFinder, Row, read_rows, text_of
from banglahallueval.vision.types import KINDS, Kind, PictureItem, Question

_FORM: Final = (
    "rows with index (or image), kind and reply (or answer), or what Hal-Eval's script writes: "
    "predict (or result), a list of five"
)
# The script's order: the true caption, then the wrong ones in the order of the data.
_CODES: Final = {1: "yes", 0: "no", 2: "unknown"}
_YES: Final = frozenset((*YES, "1", "true", "match", "matches", "y"))
_NO: Final = frozenset((*NO, "0", "false", "no match", "mismatch", "n"))
_WHOLE: Final = regex.compile(r"(?<=^\d)\.0+$")  # as pandas writes whole numbers beside gaps
_UNKNOWN: Final = frozenset(("", "unknown", "2", "nan", "none", "null", "unparsed"))


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is supplied for one question: a reply to be read, or an answer that somebody has read.

    Attributes:
        reply: The model's own words; None where there are none.
        answer: The answer; empty where the reply is to be read.
    """

    reply: str | None
    answer: str = ""


@dataclass(frozen=True)
class Predictions:
    """The replies of a file.

    Attributes:
        path: The file.
        sha256: Of its bytes.
        found: What is supplied, by the item's index and the caption's kind.
        notes: What is left out, a sentence each.
    """

    path: Path
    sha256: str
    found: Mapping[tuple[int, Kind], Prediction]
    notes: tuple[str, ...]


def read_predictions(path: Path, items: Sequence[PictureItem], ask: Ask) -> Predictions:
    """Read replies, and find the questions that they answer.

    A row is joined by `index`, its item's place in the data from 0, or by its picture where that is
    of one item, never by its own place: a row too many would shift all that follow. Where a row
    repeats captions, they must be the data's. A reply counts before an answer that stands beside
    it, which another parser has read.

    Args:
        path: The file.
        items: The items of the data.
        ask: What was asked.

    Raises:
        UsageError: If it cannot be read, a row is invalid, two rows answer one question
            differently, or none answers any.
    """
    join = _Join(items)
    found: dict[tuple[int, Kind], Prediction] = {}
    rows = unknown = repeated = 0
    for row in read_rows(path, _FORM):
        rows += 1
        for kind, prediction in _answers(row, ask):
            question = join.question(row, kind)
            if question is None:
                unknown += 1
                continue
            key = (question.item.index, kind)
            if found.setdefault(key, prediction) != prediction:
                raise UsageError(
                    f"{row.where}: a second, different answer about item {key[0]}, {kind}; give "
                    "one each"
                )
            repeated += found[key] is not prediction
    if not found:
        raise UsageError(
            f"{path}: none of its {rows:,} rows is about a caption of the data; give {_FORM}, as "
            "the data names them"
        )
    notes = []
    if unknown:
        notes.append(f"{unknown:,} replies in {path} are about no caption of the data; left out")
    if repeated:
        notes.append(f"{repeated:,} replies in {path} repeat others; counted once")
    return Predictions(path, file_sha256(path), found, tuple(notes))


class _Join:
    """Finds the question that a row answers."""

    def __init__(self, items: Sequence[PictureItem]) -> None:
        self._items = {item.index: item for item in items}
        self._finder = ItemFinder(items)

    def question(self, row: Row, kind: Kind) -> Question | None:
        """Find it; None where the data has none.

        Raises:
            UsageError: If it may be one of several, or the row is about other captions.
        """
        found = self._finder.find(row)
        fitting = [at for at in found if not _differing(row, self._items[at], kind)]
        if found and not fitting:
            field, said = _differing(row, self._items[found[0]], kind) or ("", "")
            raise UsageError(
                f"{row.where}: item {found[0]} of the data has another {field} than {said[:60]!r}; "
                "the replies are to other data"
            )
        if len(fitting) > 1:
            listed = " and ".join(map(str, fitting[:3]))
            raise UsageError(
                f"{row.where}: its picture is that of items {listed}; add index, the item's place "
                "in the data from 0"
            )
        if not fitting:
            return None
        item = self._items[fitting[0]]
        return next((each for each in questions_of(item) if each.kind == kind), None)


def _differing(row: Row, item: PictureItem, kind: Kind) -> tuple[str, str] | None:
    """Find a caption that a row repeats and that is not the item's; None where there is none."""
    own = {each.kind: each.caption for each in questions_of(item)}
    for name, text in _repeated(row, kind):
        if own.get(name, text) != text:
            return f"{name} caption", text
    return None


def _repeated(row: Row, kind: Kind) -> Iterator[tuple[Kind, str]]:
    """Yield the captions that a row repeats.

    `caption` is the true one beside `hal_caption`, as in the script's files, else the one asked
    about.
    """
    wrong = row.fields.get("hal_caption")
    said = row.fields.get("caption")
    if isinstance(said, str) and said.strip():
        yield "true" if isinstance(wrong, list) else kind, said.strip()
    for fields in wrong if isinstance(wrong, list) else ():
        if isinstance(fields, Mapping):
            name = hallucination_named(str(fields.get("type", "")))
            if name is not None:
                yield name, str(fields.get("caption", "")).strip()


def _answers(row: Row, ask: Ask) -> Iterator[tuple[Kind, Prediction]]:
    """Yield what a row supplies: one answer, or the script's five."""
    lists = {name: row.fields[name] for name in ("predict", "result") if _is_there(row, name)}
    if lists:
        yield from _of_script(row, lists, ask)
        return
    kind = str(row.fields.get("kind") or "").strip()
    if kind not in KINDS:
        named = hallucination_named(kind) if kind else None
        if named is None:
            raise UsageError(
                f"{row.where}: kind {kind[:40]!r} is none of {', '.join(KINDS)}; give {_FORM}"
            )
        kind = named
    place = KINDS[KINDS.index(kind)]
    if _is_there(row, "reply"):
        yield place, Prediction(row.text("reply"))
    elif _is_there(row, "answer"):
        yield place, Prediction(None, _answer(row.fields["answer"], f"{row.where}, answer", ask))
    else:
        raise UsageError(f"{row.where}: neither reply nor answer; give {_FORM}")


def _is_there(row: Row, name: str) -> bool:
    return row.fields.get(name) is not None


def _of_script(row: Row, lists: Mapping[str, Any], ask: Ask) -> Iterator[tuple[Kind, Prediction]]:
    for name, values in lists.items():
        if not isinstance(values, list) or len(values) != len(KINDS):
            raise UsageError(
                f"{row.where}: {name} is no list of {len(KINDS)}, one for each of "
                f"{', '.join(KINDS)}"
            )
    if ask == "type":
        raise UsageError(f"{row.where}: Hal-Eval's script asks --ask match, and this is --ask type")
    for at, kind in enumerate(KINDS):
        if "predict" in lists:
            yield kind, Prediction(text_of(lists["predict"][at], f"{row.where}, predict"))
            continue
        code = lists["result"][at]
        if isinstance(code, bool) or not isinstance(code, int | float) or code not in _CODES:
            said = str(code)[:40]
            raise UsageError(f"{row.where}: result {said!r} is no code: 0 no, 1 yes, 2 unknown")
        yield kind, Prediction(None, _CODES[int(code)])


def _answer(value: object, where: str, ask: Ask) -> str:
    """Read an answer that somebody else has read."""
    said = _WHOLE.sub("", fold(str(value)).strip())
    if ask == "type":
        label = "none" if said in ("none", "true") else hallucination_named(said)
        if label is not None:
            return label
        if said in _UNKNOWN:
            return "unknown"
        raise UsageError(f"{where}: {said[:40]!r} is none of {', '.join(TYPE_LABELS)}, unknown")
    if said in _YES:
        return "yes"
    if said in _NO:
        return "no"
    if said in _UNKNOWN:
        return "unknown"
    raise UsageError(f"{where}: {said[:40]!r} is none of yes, no, unknown")
