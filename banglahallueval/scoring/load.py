"""Labelled files become one table of rows: ours, and those the published scripts wrote."""

from __future__ import annotations

import glob
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io import tables
from banglahallueval.io.labelled import LABEL_COLUMN, by_origin, read_label
from banglahallueval.io.layouts import Layout
from banglahallueval.io.records import read_trusted
from banglahallueval.scoring.identify import LabelledSource, Named, identify
from banglahallueval.tasks import Item, Track

_FEW_REPEATS = 0.02  # the published files repeat 3 items in 1,000
_TELLING = ("task", "track", "judge", "prompt")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labelled rows of any number of files.

    Attributes:
        rows: One row per labelled row. `task`, `track`, `judge`, `prompt`; `system`: the judge,
            with its prompt where one judge used several on a task; `label`, `reason`, `p` (nan
            where absent), `pattern`, `raw`, `spans`; `evidence`, `question`, `output`;
            `key`: what rows are matched by; `source`: what rows are clustered by; `file`, `row`.
        files: What was read.
        notes: What a reader of the scores should know.
    """

    rows: pd.DataFrame
    files: tuple[LabelledSource, ...]
    notes: tuple[str, ...] = ()


def find_files(inputs: Iterable[str | Path]) -> list[Path]:
    """The CSVs that files, folders and globs stand for, each once, in order.

    Of a folder, all CSVs below it that have a column of labels.

    Raises:
        UsageError: If one of them stands for no file.
    """
    found: dict[Path, None] = {}
    for given in inputs:
        path = Path(given)
        if path.is_dir():
            below = [
                p for p in sorted(path.rglob("*.csv")) if LABEL_COLUMN in tables.Table(p).columns
            ]
        elif path.exists():
            below = [path]
        else:
            below = [Path(p) for p in sorted(glob.glob(str(given), recursive=True))]  # noqa: PTH207
        if not below:
            raise UsageError(f"no labelled CSV at {given}; name labelled files, a folder or a glob")
        found.update(dict.fromkeys(below))
    return list(found)


def load(
    inputs: Iterable[str | Path], named: Named | None = None, *, own_outputs: bool = False
) -> Labelled:
    """Read labelled files.

    Task, track, judge and prompt of a file come from `named`, else from the run record beside it,
    else from its columns, else from its name.

    Args:
        inputs: Files, folders, globs.
        named: What flags say.
        own_outputs: Whether rows need no track: somebody's own outputs, of unknown truth.

    Raises:
        UsageError: If a file cannot be read as labelled rows.
    """
    parts: list[tuple[LabelledSource, pd.DataFrame]] = []
    for path in find_files(inputs):
        parts += _read(path, named or Named(), own_outputs)
    rows = pd.concat(
        [frame.assign(file=number) for number, (_, frame) in enumerate(parts)], ignore_index=True
    )
    rows["system"] = _systems(rows)
    for name in ("key", "source"):
        rows[name] = pd.factorize(rows[name])[0]
    files = tuple(source for source, _ in parts)
    return Labelled(rows, files, (*_repeats(rows, files), *_overlaps(rows, files)))


def _read(path: Path, named: Named, own_outputs: bool) -> list[tuple[LabelledSource, pd.DataFrame]]:
    frame = tables.read_frame(path)
    if LABEL_COLUMN not in frame.columns:
        raise UsageError(f"{path} has no column {LABEL_COLUMN!r}, so it is not a labelled file")
    if frame.empty:
        raise UsageError(f"{path} has no rows; leave it out")
    record, changed = read_trusted(path)
    by = [name for name in _TELLING if name in frame.columns and not record]
    groups = frame.groupby(by, sort=False) if by else [((), frame)]
    parts = []
    for values, group in groups:
        told = {name: value for name, value in zip(by, values, strict=True) if value}
        for own, rows, origin in by_origin(group, record):
            source, layout = identify(path, named, own, told, rows, track_needed=not own_outputs)
            notes = (*source.notes, *filter(None, (changed, origin)))
            parts.append((replace(source, notes=notes), _rows(source, layout, rows)))
    return parts


def _rows(source: LabelledSource, layout: Layout, frame: pd.DataFrame) -> pd.DataFrame:
    columns = [frame[name].to_list() for name in frame.columns]
    items = [layout.item(cells) for cells in zip(*columns, strict=True)]
    label, reason = _labels(source.path, frame)
    empty = pd.Series("", frame.index)
    source_id = frame[layout.source] if layout.source else empty
    own_id = frame[layout.id] if layout.id else empty
    texts: dict[str, Sequence[str]] = {
        "raw": frame.get("raw_response", empty).to_list(),
        "spans": frame.get("unsupported_spans", empty).to_list(),
        "evidence": [item.evidence for item in items],
        "question": [item.question for item in items],
        "output": [item.output for item in items],
    }
    return pd.DataFrame(
        {
            "row": frame.index,
            "task": source.task,
            "track": source.track,
            "judge": source.judge,
            "prompt": source.prompt,
            "label": label,
            "reason": reason,
            "p": _probabilities(source.path, frame),
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


def _key(track: Track | None, item: Item) -> str:
    """What rows of two files are matched by: task, track and the item's texts.

    The final answer of a chain is left out: published files give it in different ways.
    """
    texts = (item.context, item.question, item.output)
    return " ".join((item.task, track or "", *map(_fingerprint, texts)))


def _cluster(item: Item, source_id: str, own_id: str, row: int) -> str:
    """What rows are clustered by: their evidence, for main rows and candidates share only that.

    It is the same text in both tracks of every task, also where ids are duplicated, blank or
    renamed. A row without evidence goes by its source's id, then by its own, then by itself.
    """
    evidence = item.evidence.strip() and _fingerprint(item.evidence)
    return " ".join((item.task, evidence or source_id or own_id.partition("::")[0] or str(row)))


@lru_cache(maxsize=200_000)
def _fingerprint(text: str) -> str:
    return digest([_plain(text)]).hex()


def _plain(text: str) -> str:
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


def _systems(rows: pd.DataFrame) -> pd.Series:
    """Name what is compared: never the labels of two prompts of a task under one name."""
    prompts = rows.groupby(["judge", "task"], sort=False)["prompt"].nunique()
    several = set(prompts[prompts > 1].index.get_level_values("judge"))
    style = (
        rows["prompt"].str.partition(".")[2].where(rows["prompt"].str.contains(".", regex=False))
    )
    style = style.fillna(rows["prompt"]).replace("", "prompt not recorded")
    return rows["judge"].where(~rows["judge"].isin(several), rows["judge"] + " (" + style + ")")


def _repeats(rows: pd.DataFrame, files: Sequence[LabelledSource]) -> Iterator[str]:
    """Files that may hold each row several times, as those the published scripts appended to."""
    repeated = rows.duplicated(["file", "key", "pattern"]).groupby(rows["file"]).sum()
    for file, count in zip(files, repeated, strict=True):
        # What this project wrote has the rows of its input, each once.
        if not file.record and count > _FEW_REPEATS * file.rows:
            yield (
                f"{file.path}: {count:,} of {file.rows:,} rows repeat an item of the same file; "
                "was it appended to twice?"
            )


def _overlaps(rows: pd.DataFrame, files: Sequence[LabelledSource]) -> Iterator[str]:
    for (system, task, track), group in rows.groupby(["system", "task", "track"], sort=False):
        counts = group.groupby(["key", "file"]).size().unstack(fill_value=0)
        if counts.shape[1] < 2:
            continue
        twice = int((counts.gt(0).sum(axis=1) > 1).sum())
        names = ", ".join(str(files[int(number)].path) for number in counts.columns)
        if twice > len(counts) / 2:
            raise UsageError(
                f"{system}, {task} {track}: the same rows are in {names}; score one of them, or "
                "name their judges apart with --judge"
            )
        if twice:
            yield f"{system}, {task} {track}: {twice} items occur in more than one of {names}"
