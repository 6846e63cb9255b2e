"""Packing of rows into a page: columns of numbers and one table of texts, compressed.

What is packed is lines of JSON, gzipped, in base64: first the columns, then lists of texts. A text
that several rows share, such as a context, is there once; columns hold its place in the table, and
0 is the empty text. Browsers read it by DecompressionStream, from a file as from a server.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from banglahallueval.scoring.costs import costs
from banglahallueval.scoring.load import Labelled
from banglahallueval.scoring.rows import DEFAULT_ROWS
from banglahallueval.scoring.rows.items import items_of
from banglahallueval.scoring.rows.marks import claims, findings

LONGEST_REPLY = 2000  # characters of a raw reply that are shown

_TEXTS = ("task", "track", "id", "source_id", "pattern", "evidence", "question", "output", "right")
_LABELS = {"yes": "y", "no": "n", "unknown": "u"}
_TEXTS_PER_LINE = 200
_LEVEL = 6  # 9 takes twice as long, for pages 2 % smaller


@dataclass(frozen=True, slots=True)
class PackedRows:
    """The rows of a page.

    Attributes:
        data: What the page's script unpacks; letters, digits, `+`, `/` and `=`.
        shown: Number of rows in it.
        total: Number of rows that were judged.
        judges: Number of judges.
    """

    data: str
    shown: int
    total: int
    judges: int

    @property
    def sentence(self) -> str:
        """How many rows the page holds, and by what rule others were left out."""
        if self.shown == self.total:
            return (
                f"All {self.total:,} rows are in this page."
                if self.total != 1
                else "The only row is in this page."
            )
        return (
            f"{self.shown:,} of {self.total:,} rows are in this page: as many of each task and "
            "track where there are as many, those that most judges get wrong first. "
            "--rows all takes all of them."
        )


def pack(labelled: Labelled, most: int | None = DEFAULT_ROWS) -> PackedRows:
    """Pack labelled rows for a page.

    Args:
        labelled: The rows.
        most: Maximum number of rows; None for all.
    """
    found = items_of(labelled.rows, most)
    texts = _Texts()
    own = found.own
    head: dict[str, Any] = {"row": [int(number) for number in own["row"]]}
    head |= {name: texts.places(own[name]) for name in _TEXTS}
    means = {
        (each.system, each.task): [
            round(each.prompt_tokens / each.rows),
            round(each.completion_tokens / each.rows),
        ]
        for each in costs(labelled)
    }
    head["judges"] = [
        {
            "name": judge,
            "means": {task: mean for (system, task), mean in means.items() if system == judge},
            **_votes(votes, own, texts),
        }
        for judge, votes in found.votes.items()
    ]
    head["texts"] = len(texts.table)
    data = _compressed([head, *texts.lines()])
    return PackedRows(data, len(own), found.total, len(found.votes))


class _Texts:
    """The table of texts."""

    def __init__(self) -> None:
        self.table: dict[str, int] = {"": 0}

    def places(self, texts: Iterable[str]) -> list[int]:
        return [self.table.setdefault(text, len(self.table)) for text in texts]

    def lines(self) -> Iterator[list[str]]:
        every = list(self.table)
        yield from (
            every[at : at + _TEXTS_PER_LINE] for at in range(0, len(every), _TEXTS_PER_LINE)
        )


def _votes(votes: pd.DataFrame, own: pd.DataFrame, texts: _Texts) -> Mapping[str, Any]:
    """Pack what one judge said of the items; columns that it has nothing for are left out."""
    label = votes["label"].map(_LABELS).fillna("-")
    filled = votes.assign(
        **{name: votes[name].fillna("") for name in ("reason", "raw", "spans", "claims")}
    )
    marked = zip(filled["spans"], votes["output"], own["output"], strict=True)
    cited = zip(filled["claims"], own["task"], votes["evidence"], own["evidence"], strict=True)
    columns: dict[str, list[int] | list[float | None] | list[int | None]] = {
        "reason": texts.places(filled["reason"]),
        "raw": texts.places(map(_cut, filled["raw"])),
        "findings": texts.places(findings(*each) for each in marked),
        "claims": texts.places(claims(*each) for each in cited),
        "p": [None if pd.isna(p) else round(float(p), 4) for p in votes["p"]],
        "prompt_tokens": _counts(votes["prompt_tokens"]),
        "completion_tokens": _counts(votes["completion_tokens"]),
    }
    held = {
        name: column
        for name, column in columns.items()
        if any(value not in (None, 0) for value in column) or (name == "p" and 0.0 in column)
    }
    return {"labels": "".join(label), **held}


def _counts(cells: pd.Series) -> list[int | None]:
    numbers = pd.to_numeric(cells, errors="coerce")
    return [None if pd.isna(number) else int(number) for number in numbers]


def _cut(reply: str) -> str:
    if len(reply) <= LONGEST_REPLY:
        return reply
    return f"{reply[:LONGEST_REPLY]}… (cut here; {len(reply):,} characters)"


def _compressed(lines: Iterable[object]) -> str:
    packer = zlib.compressobj(_LEVEL, wbits=31)  # 31: with the header of gzip
    packed = bytearray()
    for line in lines:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        # Half of a surrogate pair, as JSON in a cell may hold, is written as JSON escapes it.
        packed += packer.compress(text.encode("utf-8", "backslashreplace"))
    packed += packer.flush()
    return base64.b64encode(packed).decode("ascii")
