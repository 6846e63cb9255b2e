"""Find and read a local copy of MMLU, in whichever form it was saved."""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import regex

from banglahallueval.abstention.mmlu_rows import Row, make_row
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.tables import Table

SPLITS = ("test", "validation", "dev", "auxiliary_train")
_NAMES = {**{split: split for split in SPLITS}, "val": "validation"}  # val: the authors' archive
_FORMS = (".parquet", ".jsonl", ".csv")  # where there are several, the first is taken
# A file is named after its split, perhaps with a subject before it and its part after it:
# test-00000-of-00001.parquet, astronomy_test.csv.
_FILE_NAME = regex.compile(
    rf"(?:(?P<subject>.+)[_-])?(?P<split>{'|'.join(_NAMES)})(?:-\d+-of-\d+)?"
)
_NO_SUBJECTS = {"all", "data", "mmlu", *_NAMES}
_COLUMNS_WITHOUT_HEADER = ("question", "A", "B", "C", "D", "answer")


class _File(NamedTuple):
    path: Path
    split: str
    subject: str  # empty for all of them


def read_copy(folder: Path, split: str) -> list[Row]:
    """Read a split of a local copy.

    It may be a folder that `save_to_disk` made, a clone of the hub's repository, or files of
    Parquet, JSON lines or CSV (those of the authors' archive have no header), whose names or
    folders hold the split and, where no column does, the subject.

    Raises:
        UsageError: If there is no such split, or a file cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(f"--data-dir {short(folder)} is no folder")
    if (folder / "state.json").exists() or (folder / "dataset_dict.json").exists():
        return _read_saved(folder, split)
    files = [file for path in sorted(folder.rglob("*")) if (file := _recognise(path, folder))]
    own = [file for file in files if file.split == split]
    if not own:
        raise UsageError(_no_split(folder, split, {file.split for file in files}))
    form = next(form for form in _FORMS if any(file.path.suffix == form for file in own))
    own = [file for file in own if file.path.suffix == form]
    # A clone holds all subjects together and each by itself: the same rows twice.
    whole = [file for file in own if not file.subject]
    return [row for file in whole or own for row in _read(file)]


def load_library(name: str) -> Any:
    """Import a library of the extra `datasets`.

    Raises:
        UsageError: If it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(
            f"MMLU needs {name.partition('.')[0]}: pip install -e '.[datasets]'"
        ) from None


def _recognise(path: Path, folder: Path) -> _File | None:
    """Read split and subject off a file's name and its folder's; None for any other file."""
    inner = path.relative_to(folder).parts
    if path.suffix not in _FORMS or any(part.startswith(".") for part in inner):
        return None
    parent = path.parent.name
    if found := _FILE_NAME.fullmatch(path.stem):
        split, subject = found["split"], found["subject"] or (parent if len(inner) > 1 else "")
    elif parent in _NAMES:
        split, subject = parent, path.stem
    else:
        return None
    return _File(path, _NAMES[split], "" if subject in _NO_SUBJECTS else subject)


def _no_split(folder: Path, split: str, there: set[str]) -> str:
    if there:
        return f"--data-dir {short(folder)} has no split {split}; it has {', '.join(sorted(there))}"
    return (
        f"--data-dir {short(folder)} holds no copy of MMLU: no {', '.join(_FORMS)} file there is "
        f"named after a split, such as test-00000-of-00001.parquet or astronomy_test.csv"
    )


def _read_saved(folder: Path, split: str) -> list[Row]:
    datasets = load_library("datasets")
    try:
        saved = datasets.load_from_disk(str(folder))
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(_unreadable(folder, error)) from None
    is_one = isinstance(saved, datasets.Dataset)
    splits = {str(saved.split or split): saved} if is_one else dict(saved)
    if split not in splits:
        raise UsageError(_no_split(folder, split, set(splits)))
    return make_rows(splits[split], short(folder))


def make_rows(rows: Any, where: str, subject: str = "") -> list[Row]:
    """Make the rows of an iterable of cells by column.

    Raises:
        UsageError: As `make_row`.
    """
    return [make_row(cells, f"{where}, row {n}", subject) for n, cells in enumerate(rows, 1)]


def _read(file: _File) -> list[Row]:
    where = short(file.path)
    try:
        if file.path.suffix == ".parquet":
            parquet = load_library("pyarrow.parquet")
            return make_rows(parquet.read_table(file.path).to_pylist(), where, file.subject)
        if file.path.suffix == ".jsonl":
            return make_rows(_json_lines(file.path), where, file.subject)
        return make_rows(_csv_rows(file.path), where, file.subject)
    except (OSError, ValueError, csv.Error) as error:  # ValueError: not JSON, UTF-8 or Parquet
        raise UsageError(_unreadable(file.path, error)) from None


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            cells = json.loads(line)
            if not isinstance(cells, dict):
                raise UsageError(f"{short(path)}, line {number}: not a JSON object")
            yield cells


def _csv_rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = next(csv.reader(file, strict=True), [])
    if "question" in (name.strip().lower() for name in first):
        table = Table(path)
        for cells in table.rows():
            yield dict(zip(table.columns, cells, strict=True))
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        for cells in csv.reader(file, strict=True):
            if len(cells) != len(_COLUMNS_WITHOUT_HEADER):
                raise UsageError(
                    f"{short(path)}: no header with a column question, and {len(cells)} columns "
                    f"instead of {', '.join(_COLUMNS_WITHOUT_HEADER)}"
                )
            yield dict(zip(_COLUMNS_WITHOUT_HEADER, cells, strict=True))


def _unreadable(path: Path, error: Exception) -> str:
    reason = str(error).strip().splitlines()
    return f"cannot read {short(path)}: {reason[0][:200] if reason else type(error).__name__}"
