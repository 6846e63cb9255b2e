"""The files of an evaluation beside its rows, and its summary in the terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.records import fits, read_record, record_path
from banglahallueval.runs.session import locked
from banglahallueval.runs.summary import changed_since
from banglahallueval.vision.discriminative.metrics import POSITIVES, UNPARSED_POLICIES, Scoring
from banglahallueval.vision.discriminative.results import BASELINE_KIND, GUESSES, KIND, read_results
from banglahallueval.vision.discriminative.tables import (
    Findings,
    all_tables,
    conventions,
    find,
    in_words,
)
from banglahallueval.vision.prompts import ASKS, Ask
from banglahallueval.vision.report_files import check_remade, write_report

KINDS_OF_RUNS = (KIND, BASELINE_KIND)


def findings_of(output: Path) -> Findings | None:
    """Compute what a finished output holds, by what its record and its JSON say of it.

    Returns:
        None where it has no record of such a run.

    Raises:
        UsageError: If it is damaged.
    """
    record = read_record(output)
    if record is None or record.get("kind") not in KINDS_OF_RUNS:
        return None
    ask = next((name for name in ASKS if name == record.get("ask")), None)
    if ask is None:
        raise UsageError(f"{record_path(output)} does not say what was asked; make it anew")
    asked = str(record.get("asked", ask))
    return find(list(read_results(output, ask)), ask, _scoring_beside(output), asked)


def _scoring_beside(output: Path) -> Scoring:
    """Read how the tables beside an output count; the usual way where there are none."""
    try:
        said = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))["scoring"]
        positive = next(each for each in POSITIVES if each == said["positive"])
        unparsed = next(each for each in UNPARSED_POLICIES if each == said["unparsed"])
        return Scoring(positive, unparsed, clean=said["clean"] is True)
    except (OSError, ValueError, LookupError, TypeError, StopIteration, RecursionError):
        return Scoring()


def remake(output: Path, data: Path, scoring: Scoring, *, quiet: bool) -> int:
    """Make the tables of a finished output anew; nothing is asked.

    Returns:
        The exit status, 0.

    Raises:
        UsageError: If there is no such output, or it has no record of a run.
        RunError: If writing fails on the way, as on a full disk.
    """
    if not output.exists():
        raise UsageError(f"no file {output}; --only-tables makes tables of one that is there")
    with locked(output):
        record = read_record(output)
        found = findings_of(output)
        if record is not None and record.get("kind") == GUESSES:
            raise UsageError(
                f"{output} holds guesses by rules, whose tables count in one way alone; make it "
                "anew with --overwrite"
            )
        if record is None or found is None:
            raise UsageError(
                f"{output} has no record of such a run beside it; run it without --only-tables"
            )
        check_remade(output, data, record)
        if found.ask == "type" and scoring.positive != "matches":
            raise UsageError("--positive is for --ask match; --ask type scores each type")
        if not fits(output, record):
            changed_since(output)
        about = record.get("about")
        report(
            output,
            found.ask,
            scoring,
            found.wording,
            about if isinstance(about, Mapping) else {},
            kind=str(record["kind"]),
            quiet=quiet,
        )
    return 0


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
    }
    write_report(output, content, tables)
    if not quiet:
        print(f"{in_words(found)}\n\nwritten: {short(output)}, and its tables beside it")
    return found
