"""Write a study's folder: what annotators get, and what the lead keeps."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from banglahallueval.annotation import label_studio
from banglahallueval.annotation.forms import FormName, Sheet, blind_ids
from banglahallueval.annotation.page import build_page
from banglahallueval.annotation.pool import Entry, Pool
from banglahallueval.annotation.sampling import Design, Sample
from banglahallueval.annotation.study import KEY_COLUMNS, key_path, manifest_path, sheet_path
from banglahallueval.errors import UsageError
from banglahallueval.io.records import utc_now
from banglahallueval.io.tables import replacing, writing

Format = Literal["html", "csv", "label-studio"]
FORMATS: tuple[Format, ...] = ("html", "csv", "label-studio")

_EXPECTED = {"main": "no", "candidates": "yes", None: ""}
_FOLDERS = ("lead", "annotators")


@dataclass(frozen=True, slots=True)
class FormSample:
    """The sample of one form, and how it was drawn."""

    pool: Pool
    design: Design
    sample: Sample


def check_study_folder(folder: Path, overwrite: bool) -> None:
    """Refuse a folder that a study cannot be written to.

    Raises:
        UsageError: If it holds a study that must not be overwritten, or other files in its place.
    """
    if manifest_path(folder).exists():
        if not overwrite:
            raise UsageError(
                f"{folder} holds a study already; name another --output-dir, or --overwrite it "
                "(labels given on its pages do not fit a new one)"
            )
        return
    for name in _FOLDERS:
        if (folder / name).exists():
            raise UsageError(
                f"{folder / name} is in the way and belongs to no study; move it, or name another "
                "--output-dir"
            )


def write_study(
    folder: Path,
    name: str,
    samples: Sequence[FormSample],
    annotators: Sequence[str],
    formats: Sequence[Format],
    overwrite: bool = False,
    asks_spans: bool = False,
) -> None:
    """Write a study whole or not at all.

    Args:
        folder: The study's folder.
        name: The study's name.
        samples: A sample of each of its forms.
        annotators: Names of the annotators; each gets a folder.
        formats: File formats that each annotator gets.
        overwrite: Whether to replace an existing study.
        asks_spans: Whether pages ask annotators to mark what is hallucinated.

    Raises:
        UsageError: If the folder holds a study already, or cannot be written.
    """
    check_study_folder(folder, overwrite)
    with _replacing_folders(folder, _FOLDERS) as new:
        sheets: dict[FormName, Sheet] = {}
        for each in samples:
            form, entries = each.pool.form, each.sample.entries
            ids = blind_ids(form, len(entries))
            rows = [(i, entry.texts) for i, entry in zip(ids, entries, strict=True)]
            sheet = sheets[form.name] = Sheet(name, form, rows, asks_spans)
            if rows:
                _write_key(key_path(new, form.name), sheet, entries)
                _write_sheet(sheet_path(new, form.name), sheet)
                for annotator in annotators:
                    write_annotator_files(new / "annotators" / annotator, sheet, annotator, formats)
        with replacing(manifest_path(new)) as file:
            manifest = _manifest(name, samples, annotators, sheets)
            json.dump(manifest, file, ensure_ascii=False, indent=2)
            file.write("\n")


@contextlib.contextmanager
def _replacing_folders(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Write folders that are whole or absent: beside their place, then renamed.

    Raises:
        UsageError: If they cannot be written.
    """
    new = folder / f".new.{os.getpid()}.part"
    old = folder / f".old.{os.getpid()}.part"
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        new.mkdir(parents=True)
        yield new
        _swap_in(folder, new, old, names)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
        for path in made:
            with contextlib.suppress(OSError):  # it holds the study
                path.rmdir()


def _swap_in(folder: Path, new: Path, old: Path, names: Sequence[str]) -> None:
    """Move folders from `new` to `folder`, and what they replace to `old`; all of them or none."""
    old.mkdir()
    try:
        for name in names:
            if (folder / name).exists():
                (folder / name).rename(old / name)
            (new / name).rename(folder / name)
    except BaseException:
        for name in names:
            if (old / name).exists():
                shutil.rmtree(folder / name, ignore_errors=True)
                (old / name).rename(folder / name)
        raise


def _write_key(path: Path, sheet: Sheet, entries: Sequence[Entry]) -> None:
    with writing(path, KEY_COLUMNS) as writer:
        for (blind_id, _), entry in zip(sheet.rows, entries, strict=True):
            item = entry.item
            raw_texts = [""] * 4
            if item is not None:
                raw_texts = [item.context, item.question, item.output, item.final_answer]
            matched_set = "" if entry.matched_set is None else str(entry.matched_set)
            writer.writerow(
                [
                    blind_id,
                    sheet.form.task or "",
                    entry.track or "",
                    entry.stratum,
                    _EXPECTED[entry.track],
                    matched_set,
                    entry.id,
                    entry.file,
                    str(entry.row),
                    *raw_texts,
                ]
            )


def _write_sheet(path: Path, sheet: Sheet) -> None:
    with writing(path, ["blind_id", *(field.name for field in sheet.form.fields)]) as writer:
        for blind_id, texts in sheet.rows:
            writer.writerow([blind_id, *texts.values()])


def write_annotator_files(
    folder: Path, sheet: Sheet, annotator: str, formats: Sequence[Format]
) -> None:
    """Write one annotator's files of one sheet."""
    name = sheet.form.name
    if "html" in formats:
        with replacing(folder / f"{name}.html") as file:
            file.write(build_page(sheet, annotator))
    if "csv" in formats:
        _write_spreadsheet(folder / f"{name}.csv", sheet, annotator)
    if "label-studio" in formats:
        with replacing(folder / f"{name}_label_studio.json") as file:
            file.write(label_studio.tasks_json(sheet))
        with replacing(folder / f"{name}_label_studio.xml") as file:
            file.write(label_studio.config_xml(sheet.form))


def _write_spreadsheet(path: Path, sheet: Sheet, annotator: str) -> None:
    fields = [field.name for field in sheet.form.fields]
    questions = [question.name for question in sheet.form.questions]
    with replacing(path) as file:
        file.write("\ufeff")  # without it Excel does not read UTF-8
        writer = csv.writer(file)
        remarks = ["unsure", "note"]
        origin = ["annotator", "study", "sheet"]
        writer.writerow(["blind_id", *fields, *questions, *remarks, *origin])
        for blind_id, texts in sheet.rows:
            # A spreadsheet would run a text that begins like a formula.
            shown = ["'" + text if text[:1] in "=+-@" else text for text in texts.values()]
            blank = [""] * (len(questions) + len(remarks))
            writer.writerow([blind_id, *shown, *blank, annotator, sheet.study, sheet.digest])


def _manifest(
    name: str,
    samples: Sequence[FormSample],
    annotators: Sequence[str],
    sheets: Mapping[FormName, Sheet],
) -> dict[str, object]:
    forms = {}
    for each in samples:
        sheet = sheets[each.pool.form.name]
        record = {**_form_record(each), "sheet": sheet.digest, "inputs": each.pool.files}
        # Without marks a manifest is what it was before there were any.
        forms[sheet.form.name] = record | ({"spans": True} if sheet.marked else {})
    return {
        "study": name,
        "seed": samples[0].design.seed,
        "drawn": utc_now(),
        "annotators": list(annotators),
        "items": sum(len(each.sample.entries) for each in samples),
        "shortfalls": sum(sum(each.sample.shortfalls.values()) for each in samples),
        "forms": forms,
    }


def _form_record(drawn: FormSample) -> dict[str, object]:
    sample, design = drawn.sample, drawn.design
    strata = ["gold" if e.track == "main" else e.stratum or "all" for e in sample.entries]
    return {
        "items": len(sample.entries),
        "strata": {stratum: strata.count(stratum) for stratum in sorted(set(strata))},
        "shortfalls": sample.shortfalls,
        "in_matched_sets": sample.matched,
        "sources": len({entry.source for entry in sample.entries}),
        "left_out": dict(drawn.pool.left_out),
        "design": {
            "candidates": design.candidates,
            "gold": design.gold,
            "fill": design.fill,
            "several_per_source": design.several_per_source,
        },
    }
