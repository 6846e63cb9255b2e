"""The rows of a labelled file, in the shape that scores are computed from."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.labelled import LABEL_COLUMN, read_label
from banglahallueval.io.layouts import Layout
from banglahallueval.tasks import Item, TaskName, Track


@dataclass(frozen=True, slots=True)
class LabelledSource:
    """What one labelled file, or the part of it that one judge labelled, holds.

    Attributes:
        path: The file.
        task, track, judge, prompt: What it holds; the track is None only where that is allowed,
            and the prompt is empty where nothing tells it.
        record: The run record beside it; empty where there is none.
        by: What `task`, `track`, `judge` and `prompt` were recognised by.
        how: The same as text.
        rows: Number of its rows.
        notes: What a reader of the scores should know about it.
    """

    path: Path
    task: TaskName
    track: Track | None
    judge: str
    prompt: str
    record: Mapping[str, Any]
    by: Mapping[str, str]
    how: str
    rows: int
    notes: tuple[str, ...] = ()


def labelled_rows(source: LabelledSource, layout: Layout, frame: pd.DataFrame) -> pd.DataFrame:
    """Make the rows of a labelled file, as `load.Labelled.rows` without `system` and `file`.

    Args:
        source: What the file holds.
        layout: Its columns.
        frame: Its cells.

    Raises:
        UsageError: If a cell is not a label, or not a probability.
    """
    columns = [frame[name].to_list() for name in frame.columns]
    items = [layout.item(cells) for cells in zip(*columns, strict=True)]
    label, reason = _labels(source.path, frame)
    empty = pd.Series("", frame.index)
    source_id = frame[layout.source] if layout.source else empty
    own_id = frame[layout.id] if layout.id else empty
    texts: dict[str, Sequence[str]] = {
        "raw": frame.get("raw_response", empty).to_list(),
        "spans": frame.get("unsupported_spans", empty).to_list(),
        "claims": frame.get("claims_json", empty).to_list(),
        "right": _right_outputs(layout, frame).to_list(),
        "evidence": [item.evidence for item in items],
        "question": [item.question for item in items],
        "output": [item.output for item in items],
    }
    return pd.DataFrame(
        {
            "row": frame.index,
            "id": own_id,
            "source_id": source_id,
            "task": source.task,
            "track": source.track,
            "judge": source.judge,
            "prompt": source.prompt,
            "label": label,
            "reason": reason,
            "p": _probabilities(source.path, frame),
            "prompt_tokens": frame.get("prompt_tokens", empty),
            "completion_tokens": frame.get("completion_tokens", empty),
            "pattern": frame[layout.pattern] if layout.pattern else "",
            "key": [_key(source.track, item) for item in items],
            "source": [
                _cluster(item, *ids)
                for item, *ids in zip(
                    items, source_id.to_list(), own_id.to_list(), frame.index, strict=True
                )
            ],
            **{name: pd.Series(cells, frame.index, dtype=object) for name, cells in texts.items()},
        }
    )


def _right_outputs(layout: Layout, frame: pd.DataFrame) -> pd.Series:
    """Find the right outputs that stand beside candidates; empty texts without them."""
    if layout.track == "candidates":
        judged = layout.columns[layout.task.output_role]
        for name in layout.task.outputs["main"]:
            if name in frame.columns and name != judged:
                return frame[name]
    return pd.Series("", frame.index)


def _key(track: Track | None, item: Item) -> str:
    """Compute what rows of two files are matched by: task, track and the item's texts.

    The final answer of a chain is left out: published files give it in different ways.
    """
    texts = (item.context, item.question, item.output)
    return " ".join((item.task, track or "", *map(_fingerprint, texts)))


def _cluster(item: Item, source_id: str, own_id: str, row: int) -> str:
    """Compute what rows are clustered by: their evidence.

    Only the evidence is the same in both tracks of every task; ids are duplicated, blank or
    renamed. A row without evidence goes by its source's id, else by its own, else it is its own
    cluster.
    """
    evidence = item.evidence.strip() and _fingerprint(item.evidence)
    return " ".join((item.task, evidence or source_id or own_id.partition("::")[0] or str(row)))


@lru_cache(maxsize=200_000)
def _fingerprint(text: str) -> str:
    return digest([plain(text)]).hex()


def plain(text: str) -> str:
    """Fold what differs between copies of one text: normal form and white space."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _labels(path: Path, frame: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    cells = frame[LABEL_COLUMN]
    read = {
        cell: read_label(str(cell), f"{path}, row {row} (0-based)")
        for row, cell in cells.drop_duplicates().items()
    }
    label = cells.map(read)
    given = frame.get("unknown_reason", pd.Series("", frame.index))
    otherwise = cells.map(lambda cell: "not recorded" if cell.strip() else "blank label")
    return label, given.where(given.ne(""), otherwise).where(label.eq("unknown"), "")


def _probabilities(path: Path, frame: pd.DataFrame) -> pd.Series:
    cells = frame.get("p_hallucinated", pd.Series("", frame.index)).str.strip()
    values = pd.to_numeric(cells, errors="coerce")
    for row, cell in cells[cells.ne("") & ~values.between(0, 1)].items():
        raise UsageError(
            f"{path}, row {row} (0-based): p_hallucinated {cell!r} is not a number from 0 to 1"
        )
    return values.astype(float)
