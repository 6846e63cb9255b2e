"""The benchmark as a folder that `datasets.load_dataset` reads: Parquet files and their card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.harnesses.folder import render, write_text
from banglahallueval.harnesses.rows import EXPECTED, Row, TrackRows
from banglahallueval.tasks import Item, Task, TaskName

LABELS = ("no", "yes")
_MEANINGS: Mapping[str, str] = {
    "key": "what a row is matched by: a hash of all its cells in the benchmark's file",
    "row": "its number in that file, from 0",
    "question": "the question, or the problem",
    "context": "the passage that an answer must be carried by",
    "document": "the document that is summarised",
    "output": "the text under judgement: answer, summary or chain of calculation",
    "final_answer": "of a chain",
    "label": "`no`: right; `yes`: hallucinated",
    "pattern": "how it was made wrong; null on `main`",
    "source": "the id of what a candidate was made from; null where the file has none",
}
# Rows below which the Hub's classes of size begin.
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def write_dataset(folder: Path, tracks: Sequence[TrackRows], licence: str) -> None:
    """Write a configuration for each task, with a split for each track, and the card.

    Raises:
        UsageError: If pyarrow is not installed.
    """
    arrow = _arrow()
    configs: dict[TaskName, list[dict[str, Any]]] = {}
    for each in tracks:
        name = each.task.name
        path = f"{name}/{each.track}.parquet"
        (folder / name).mkdir(exist_ok=True)
        arrow.parquet.write_table(_table(arrow, each), folder / path)
        split = {"track": each.track, "path": path, "rows": len(each.rows)}
        configs.setdefault(name, []).append(
            {**split, "source": each.path.name, "sha256": each.sha256}
        )
    total = sum(len(each.rows) for each in tracks)
    columns = {name for each in tracks for name in _columns(each.task)}
    card = render(
        "card.md.j2",
        licence=licence,
        size=next((size for below, size in _SIZES if total < below), "100K<n<1M"),
        configs=[{"name": name, "splits": splits} for name, splits in configs.items()],
        columns=[(name, meaning) for name, meaning in _MEANINGS.items() if name in columns],
    )
    write_text(folder / "README.md", card)


def _arrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            'a dataset needs the extra datasets: pip install -e ".[datasets]"'
        ) from None
    return pyarrow


def _texts(task: Task) -> dict[str, str]:
    """List the columns of a task's texts, each with the field of an item that fills it."""
    if task.is_chain:
        return {"question": "question", "output": "output", "final_answer": "final_answer"}
    if task.has_answers:
        return {"context": "context", "question": "question", "output": "output"}
    return {"document": "context", "output": "output"}


def _columns(task: Task) -> tuple[str, ...]:
    return ("key", "row", *_texts(task), "label", "pattern", "source")


def _table(arrow: Any, of: TrackRows) -> Any:
    fields = _texts(of.task)
    label = LABELS.index(EXPECTED[of.track])

    def cells(row: Row) -> dict[str, Any]:
        texts = {name: _text(row.item, field) for name, field in fields.items()}
        return {
            **{"key": row.key, "row": row.number, **texts, "label": label},
            **{"pattern": row.pattern or None, "source": row.source or None},
        }

    names = _columns(of.task)
    kinds = {"row": arrow.int32(), "label": arrow.int64()}
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in names])
    return arrow.Table.from_pylist(
        [cells(row) for row in of.rows],
        schema=schema.with_metadata({"huggingface": _features(names)}),
    )


def _text(item: Item, field: str) -> str:
    text: str = getattr(item, field)
    return text


def _features(names: Sequence[str]) -> str:
    """Describe the columns as the library `datasets` keeps them in a Parquet file."""
    features: dict[str, Any] = {name: {"dtype": "string", "_type": "Value"} for name in names}
    features["row"] = {"dtype": "int32", "_type": "Value"}
    features["label"] = {"names": list(LABELS), "_type": "ClassLabel"}
    return json.dumps({"info": {"features": features}})
