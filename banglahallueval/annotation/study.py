"""A study's folder, read: its manifest, its keys and its sheets.

`STUDY/annotators/NAME/` is sent to an annotator: pages, spreadsheets or tasks. `STUDY/lead/` holds
the manifest, keys and sheets; whoever opens a key is no longer blind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.forms import FORMS, Form, FormName, Sheet
from banglahallueval.annotation.labels import SheetItems
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import read_frame

KEY_COLUMNS = (
    "blind_id",
    "task",
    "track",
    "pattern",
    "expected",
    "set",
    "id",
    "file",
    "row",
    "context",
    "question",
    "output",
    "final_answer",
)


@dataclass(frozen=True, slots=True)
class Study:
    """A study that was drawn.

    Attributes:
        folder: Its folder.
        name: Its name.
        digests: Digest of each sheet, by form, in the order of `FORMS`.
        marked: Forms in which annotators mark what is hallucinated.
    """

    folder: Path
    name: str
    digests: Mapping[FormName, str]
    marked: frozenset[FormName] = frozenset()

    def items(self) -> dict[FormName, SheetItems]:
        """Read the items that labels must belong to, by form.

        Raises:
            UsageError: If a key, or the sheet of a form with marks, cannot be read.
        """
        return {
            form: SheetItems(list(self.read_key(form).index), digest, self._judged_texts(form))
            for form, digest in self.digests.items()
        }

    def _judged_texts(self, form: FormName) -> dict[str, str] | None:
        if form not in self.marked:
            return None
        sheet = self.read_sheet(form)
        field = sheet.marked
        return None if field is None else {item: texts[field] for item, texts in sheet.rows}

    def read_key(self, form: FormName) -> pd.DataFrame:
        """Read the key of a form, indexed by blind id.

        Raises:
            UsageError: If it cannot be read or lacks a column.
        """
        path = key_path(self.folder, form)
        key = read_key(path)
        missing = [name for name in KEY_COLUMNS if name not in key.columns]
        if missing:
            raise UsageError(f"{path} is not the key of a study: it has no column {missing[0]}")
        return key

    def read_sheet(self, form: FormName) -> Sheet:
        """Read the sheet of a form.

        Raises:
            UsageError: If it cannot be read, or holds other items than its key.
        """
        path = sheet_path(self.folder, form)
        sheet = replace(read_sheet(path, self.name), asks_spans=form in self.marked)
        if [blind_id for blind_id, _ in sheet.rows] != list(self.read_key(form).index):
            raise UsageError(f"{path} and {key_path(self.folder, form)} hold different items")
        return sheet


def manifest_path(folder: Path) -> Path:
    """Return the path of a study's manifest."""
    return folder / "lead" / "manifest.json"


def key_path(folder: Path, form: FormName) -> Path:
    """Return the path of a form's key in a study."""
    return folder / "lead" / "keys" / f"{form}.csv"


def sheet_path(folder: Path, form: FormName) -> Path:
    """Return the path of a form's sheet in a study."""
    return folder / "lead" / "sheets" / f"{form}.csv"


def read_study(folder: Path) -> Study:
    """Read what a study's manifest says.

    Raises:
        UsageError: If the folder holds no study.
    """
    path = manifest_path(folder)
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{folder} holds no study: there is no {path}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    try:
        drawn = {name: manifest["forms"][name] for name in FORMS if name in manifest["forms"]}
        digests = {name: str(form["sheet"]) for name, form in drawn.items() if form["items"]}
        marked = frozenset(name for name in digests if drawn[name].get("spans"))
        return Study(folder, str(manifest["study"]), digests, marked)
    except (KeyError, TypeError):
        raise UsageError(f"{path} is not a study's manifest; draw the study again") from None


def read_sheet(path: Path, study: str = "") -> Sheet:
    """Read a sheet as annotators see it from its CSV.

    Raises:
        UsageError: If it lacks a column, or holds an item twice.
    """
    frame = _read_items(path)
    form = _form_with_columns(frame, path)
    rows = [
        (str(row["blind_id"]), {field.name: str(row[field.name]) for field in form.fields})
        for row in frame.to_dict("records")
    ]
    return Sheet(study, form, rows)


def _form_with_columns(frame: pd.DataFrame, path: Path) -> Form:
    fitting = [
        form
        for form in FORMS.values()
        if {field.name for field in form.fields} <= set(frame.columns)
    ]
    if not fitting:
        raise UsageError(f"{path} is not a sheet: it has no columns of a form")
    # QA and code-mixed sheets have the same columns; the first blind id or the file's name decides.
    first = "".join(frame["blind_id"].head(1))
    for form in fitting:
        if first.startswith(form.name) or path.stem.startswith(form.name):
            return form
    return fitting[0]


def read_key(path: Path) -> pd.DataFrame:
    """Read a key, indexed by blind id.

    Raises:
        UsageError: If it has no `blind_id`, or holds one twice.
    """
    return _read_items(path).set_index("blind_id", drop=False)


def _read_items(path: Path) -> pd.DataFrame:
    frame = read_frame(path)
    if "blind_id" not in frame.columns:
        raise UsageError(f"{path} has no column blind_id")
    repeated = frame.loc[frame["blind_id"].duplicated(), "blind_id"]
    if len(repeated):
        raise UsageError(f"{path} holds {repeated.iloc[0]!r} twice")
    return frame
