"""A study's folder: what goes to annotators, and what only the lead may see.

`STUDY/annotators/NAME/` is sent to an annotator: pages, spreadsheets or tasks. `STUDY/lead/` holds
manifest, keys and sheets; whoever opens a key is blind no more.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import regex

from banglahallueval.annotation import label_studio
from banglahallueval.annotation.forms import FORMS, Form, FormName, Sheet, blind_ids
from banglahallueval.annotation.page import build_page
from banglahallueval.annotation.pool import Pool
from banglahallueval.annotation.sampling import Design, Drawn
from banglahallueval.errors import UsageError
from banglahallueval.io.records import utc_now
from banglahallueval.io.tables import Table, read_frame, replacing, writing

Format = Literal["html", "csv", "label-studio"]
FORMATS: tuple[Format, ...] = ("html", "csv", "label-studio")

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
_EXPECTED = {"main": "no", "candidates": "yes"}
# Names become parts of file names and of the key that labels are saved under.
_NAME = regex.compile(r"[\p{L}\p{M}\p{N}_-]+(?:[ .][\p{L}\p{M}\p{N}_-]+)*")


@dataclass(frozen=True, slots=True)
class Part:
    """One form of a study, drawn."""

    pool: Pool
    design: Design
    drawn: Drawn


def check_name(name: str, what: str) -> str:
    """A study's or annotator's name, if it can be part of a file name.

    Raises:
        UsageError: If it cannot.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{what} {name!r}: take letters, digits, '-', '_', and single spaces")
    return name


def write_study(
    folder: Path,
    name: str,
    parts: Sequence[Part],
    annotators: Sequence[str],
    formats: Sequence[Format],
    overwrite: bool = False,
) -> None:
    """Write everything a study needs.

    Args:
        folder: Where to.
        name: The study's name.
        parts: Its forms.
        annotators: Who labels; each gets a folder.
        formats: What each annotator gets.
        overwrite: Whether to replace a study that is there.

    Raises:
        UsageError: If a study is there already.
    """
    manifest = folder / "lead" / "manifest.json"
    if manifest.exists():
        if not overwrite:
            raise UsageError(
                f"{folder} holds a study already; name another --output-dir, or --overwrite it "
                "(labels given on its pages do not fit a new one)"
            )
        shutil.rmtree(folder / "lead")
        shutil.rmtree(folder / "annotators", ignore_errors=True)
    sheets: dict[str, Sheet] = {}
    for part in parts:
        form = part.pool.form
        ids = blind_ids(form, len(part.drawn.entries))
        rows = [(i, entry.texts) for i, entry in zip(ids, part.drawn.entries, strict=True)]
        sheets[form.name] = sheet = Sheet(name, form, rows)
        if not rows:
            continue
        _write_key(folder, form, ids, part)
        _write_sheet(folder / "lead" / "sheets" / f"{form.name}.csv", sheet)
        for annotator in annotators:
            write_for(folder / "annotators" / annotator, sheet, annotator, formats)
    with replacing(manifest) as file:
        json.dump(_manifest(name, parts, annotators, sheets), file, ensure_ascii=False, indent=2)
        file.write("\n")


def _write_key(folder: Path, form: Form, ids: Sequence[str], part: Part) -> None:
    with writing(folder / "lead" / "keys" / f"{form.name}.csv", KEY_COLUMNS) as writer:
        for blind_id, entry in zip(ids, part.drawn.entries, strict=True):
            item = entry.item
            raw = [""] * 4
            if item is not None:
                raw = [item.context, item.question, item.output, item.final_answer]
            expected = _EXPECTED.get(entry.track or "", "")
            told = [form.task or "", entry.track or "", entry.stratum, expected]
            drawn = ["" if entry.set is None else str(entry.set), entry.id, entry.file]
            writer.writerow([blind_id, *told, *drawn, str(entry.row), *raw])


def _write_sheet(path: Path, sheet: Sheet) -> None:
    with writing(path, ["blind_id", *(field.name for field in sheet.form.fields)]) as writer:
        for blind_id, texts in sheet.rows:
            writer.writerow([blind_id, *texts.values()])


def write_for(folder: Path, sheet: Sheet, annotator: str, formats: Sequence[Format]) -> None:
    """Write one annotator's files of one sheet."""
    stem = folder / sheet.form.name
    if "html" in formats:
        with replacing(stem.with_suffix(".html")) as file:
            file.write(build_page(sheet, annotator))
    if "csv" in formats:
        _write_spreadsheet(stem.with_suffix(".csv"), sheet, annotator)
    if "label-studio" in formats:
        with replacing(folder / f"{sheet.form.name}_label_studio.json") as file:
            file.write(label_studio.tasks(sheet))
        with replacing(folder / f"{sheet.form.name}_label_studio.xml") as file:
            file.write(label_studio.config(sheet.form))


def _write_spreadsheet(path: Path, sheet: Sheet, annotator: str) -> None:
    names = [field.name for field in sheet.form.fields]
    asked = [question.name for question in sheet.form.questions]
    with replacing(path) as file:
        file.write("\ufeff")  # without it Excel does not read UTF-8
        writer = csv.writer(file)
        told = ["unsure", "note", "annotator", "study", "sheet"]
        writer.writerow(["blind_id", *names, *asked, *told])
        for blind_id, texts in sheet.rows:
            # A spreadsheet would run a text that begins like a formula.
            shown = ["'" + text if text[:1] in "=+-@" else text for text in texts.values()]
            blank = [""] * len(asked) + ["", ""]
            writer.writerow([blind_id, *shown, *blank, annotator, sheet.study, sheet.digest])


def _manifest(
    name: str, parts: Sequence[Part], annotators: Sequence[str], sheets: Mapping[str, Sheet]
) -> dict[str, Any]:
    forms = {}
    for part in parts:
        form, drawn = part.pool.form, part.drawn
        strata = ["gold" if e.track == "main" else e.stratum or "all" for e in drawn.entries]
        forms[form.name] = {
            "items": len(drawn.entries),
            "strata": {stratum: strata.count(stratum) for stratum in sorted(set(strata))},
            "shortfalls": drawn.shortfalls,
            "in_matched_sets": drawn.matched,
            "sources": len({entry.source for entry in drawn.entries}),
            "left_out": dict(part.pool.left_out),
            "design": {
                "candidates": part.design.candidates,
                "gold": part.design.gold,
                "fill": part.design.fill,
                "several_per_source": part.design.several_per_source,
            },
            "sheet": sheets[form.name].digest,
            "inputs": part.pool.files,
        }
    return {
        "study": name,
        "seed": parts[0].design.seed,
        "drawn": utc_now(),
        "annotators": list(annotators),
        "items": sum(len(part.drawn.entries) for part in parts),
        "shortfalls": sum(sum(part.drawn.shortfalls.values()) for part in parts),
        "forms": forms,
    }


def read_sheet(path: Path, study: str = "") -> Sheet:
    """A sheet as annotators see it, from its CSV.

    Raises:
        UsageError: If it lacks a column, or its form cannot be told.
    """
    table = Table(path)
    frame = read_frame(path)
    form = _form_of_columns(table, path)
    rows = [
        (str(row["blind_id"]), {field.name: str(row[field.name]) for field in form.fields})
        for row in frame.to_dict("records")
    ]
    return Sheet(study, form, rows)


def _form_of_columns(table: Table, path: Path) -> Form:
    fitting = [
        form
        for form in FORMS.values()
        if {"blind_id", *(field.name for field in form.fields)} <= set(table.columns)
    ]
    if not fitting:
        raise UsageError(f"{path} is no sheet: it has no blind_id with the texts of a form")
    # QA and code-mixed sheets have the same columns; the first blind id or the file's name tells.
    first = next(table.rows(), [""])[table.columns.index("blind_id")]
    for form in fitting:
        if first.startswith(form.name) or path.stem.startswith(form.name):
            return form
    return fitting[0]


def read_study_name(folder: Path) -> str:
    """A study's name, from its manifest.

    Raises:
        UsageError: If it has none.
    """
    path = folder / "lead" / "manifest.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["study"])
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None


def read_key(path: Path) -> pd.DataFrame:
    """A key, indexed by blind id.

    Raises:
        UsageError: If it has no `blind_id`.
    """
    frame = read_frame(path)
    if "blind_id" not in frame.columns:
        raise UsageError(f"{path} is no key: it has no column blind_id")
    return frame.set_index("blind_id", drop=False)


def parts_of(folder: Path) -> list[FormName]:
    """The forms that a study has sheets of, in the order of `FORMS`.

    Raises:
        UsageError: If the folder holds no study.
    """
    found = [name for name in FORMS if (folder / "lead" / "keys" / f"{name}.csv").exists()]
    if not found:
        raise UsageError(f"{folder} holds no study: it has no lead/keys/*.csv")
    return found
