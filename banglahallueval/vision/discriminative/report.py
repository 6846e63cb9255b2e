"""The files of an evaluation beside its rows, and its summary in the terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.tables import replacing, write_frame
from banglahallueval.runs.options import RunOptions
from banglahallueval.scoring.tables import as_json, markdown
from banglahallueval.vision.discriminative.metrics import Scoring
from banglahallueval.vision.discriminative.results import read_results
from banglahallueval.vision.discriminative.tables import (
    Findings,
    all_tables,
    conventions,
    find,
    in_words,
)
from banglahallueval.vision.prompts import Ask

_ENDINGS = (".json", ".md", ".scores.csv")


def report_files(output: Path, options: RunOptions) -> list[Path]:
    """List the files that `report` writes beside an output.

    Raises:
        UsageError: If some are there without the output, so that they are somebody else's.
    """
    files = [output.with_suffix(ending) for ending in _ENDINGS]
    if not output.exists() and not options.overwrite:
        for file in files:
            if file.exists():
                raise UsageError(
                    f"{file} is there, and no {output.name} that it belongs to; name another "
                    "--output, or --overwrite it"
                )
    return files


def report(
    output: Path,
    ask: Ask,
    scoring: Scoring,
    wording: str,
    about: Mapping[str, str],
    *,
    kind: str,
    quiet: bool,
) -> Findings:
    """Write OUTPUT.json, OUTPUT.md and OUTPUT.scores.csv beside OUTPUT.csv; print a summary.

    Args:
        output: The rows.
        ask: What was asked.
        scoring: What is counted how.
        wording: How it was asked, in words.
        about: Model, data and the like, by name.
        kind: What such a run is called.
        quiet: Whether to print nothing.

    Raises:
        UsageError: If it is no output of a run, or its folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    found = find(list(read_results(output, ask)), ask, scoring, wording)
    tables = all_tables(found)
    content = {
        "kind": kind,
        "ask": ask,
        "about": dict(about),
        "scoring": asdict(scoring),
        "conventions": conventions(found),
        "tables": as_json(tables),
    }
    with replacing(output.with_suffix(".json")) as file:
        file.write(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    head = [f"# {kind.capitalize()}", "", *(f"- {name}: {value}" for name, value in about.items())]
    with replacing(output.with_suffix(".md")) as file:
        file.write("\n".join(head) + f"\n\n{markdown(tables)}")
    write_frame(output.with_suffix(".scores.csv"), tables[0].frame)
    if not quiet:
        print(f"{in_words(found)}\n\nwritten: {short(output)}, and its tables beside it")
    return found
