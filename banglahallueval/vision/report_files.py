"""The files beside an output's rows: its report as JSON and Markdown, and its scores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import check_not_inputs
from banglahallueval.io.tables import replacing, write_frame
from banglahallueval.runs.options import RunOptions
from banglahallueval.scoring.tables import ReportTable, as_json, markdown

_ENDINGS = (".json", ".md", ".scores.csv")


def report_files(output: Path, options: RunOptions) -> list[Path]:
    """List the files that `write_report` writes beside an output.

    Raises:
        UsageError: If some are there without the output, so that they are somebody else's.
    """
    files = [output.with_suffix(ending) for ending in _ENDINGS]
    options.refuse_strays(output, files)
    return files


def check_remade(output: Path, data: Path, record: Mapping[str, Any]) -> None:
    """Refuse to make tables anew that are of other data, or would take its place.

    Args:
        output: The rows.
        data: The file that --data names.
        record: Of the run that made the rows.

    Raises:
        UsageError: Naming the file.
    """
    check_not_inputs([output.with_suffix(ending) for ending in _ENDINGS], [data])
    if not data.is_file():
        raise UsageError(f"no file {data}")
    made_from = record["input"]
    if file_sha256(data) != made_from["sha256"]:
        raise UsageError(
            f"{output} is not of {data} (its checksum is another); give --data the file that it "
            f"was made from, {made_from['path']}"
        )


def write_report(output: Path, content: Mapping[str, Any], tables: Sequence[ReportTable]) -> None:
    """Write OUTPUT.json, OUTPUT.md and OUTPUT.scores.csv beside OUTPUT.csv.

    Args:
        output: The rows.
        content: What the JSON holds besides the tables; its `kind` is the heading of the Markdown,
            and its `about` stands below that.
        tables: The tables; the first holds the scores.

    Raises:
        UsageError: If the folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    whole = {**content, "tables": as_json(tables)}
    with replacing(output.with_suffix(".json")) as file:
        file.write(json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    about = [f"- {name}: {value}" for name, value in content["about"].items()]
    head = [f"# {content['kind'].capitalize()}", "", *about]
    with replacing(output.with_suffix(".md")) as file:
        file.write("\n".join(head) + f"\n\n{markdown(tables)}")
    write_frame(output.with_suffix(".scores.csv"), tables[0].frame)
