"""Write what is hallucinated in each item as the project's CSV of spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from banglahallueval.annotation.forms import Sheet
from banglahallueval.annotation.settling import SettledMarks
from banglahallueval.hashing import digest
from banglahallueval.io.span_columns import SPAN_COLUMNS, listed
from banglahallueval.io.tables import writing


def span_rows(
    sheet: Sheet, settled: Mapping[str, SettledMarks], models: Mapping[str, str]
) -> Iterator[list[str]]:
    """Make the rows of a sheet's items in the project's CSV of spans.

    The answer is the text that annotators saw, whose layout is normalised; spans index it.

    Args:
        sheet: The sheet, whose form has one judged text.
        settled: The settled marks by blind id.
        models: By blind id who wrote the judged text; empty where that is not known.
    """
    fields = {field.name: field for field in sheet.form.fields}
    judged = fields[sheet.form.judged or ""]
    first, *_ = sheet.form.fields
    evidence = next(name for name in sheet.form.field_names("evidence") if name != "question")
    for item, texts in sheet.rows:
        found = settled[item]
        yield [
            f"{sheet.study}-{item}",
            judged.lang,
            models[item],
            texts.get("question", ""),
            texts[evidence],
            texts[judged.name],
            "" if found.marks is None else listed(found.marks),
            listed(found.shares) if found.shares else "",
            digest([texts[first.name]]).hex(),
            found.origin,
        ]


def write_spans(path: Path, rows: Iterable[Sequence[str]]) -> int:
    """Write rows as the project's CSV of spans.

    Returns:
        Number of rows.

    Raises:
        UsageError: If the file cannot be written.
    """
    with writing(path, SPAN_COLUMNS) as writer:
        for row in rows:
            writer.writerow(row)
        return writer.rows
