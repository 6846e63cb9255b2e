"""The files beside the results, and the summary in the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.records import fits, read_record
from banglahallueval.runs.session import locked
from banglahallueval.runs.summary import changed_since
from banglahallueval.scoring.clustered import Measure
from banglahallueval.vision.generative.metrics import Metrics, measure
from banglahallueval.vision.generative.results import KIND, read_trials
from banglahallueval.vision.generative.tables import all_tables, in_words
from banglahallueval.vision.report_files import check_remade, write_report


def remake(output: Path, data: Path, edges: Sequence[int], *, quiet: bool) -> int:
    """Make the tables of finished results anew; nothing is asked.

    Returns:
        The exit status, 0.

    Raises:
        UsageError: If there are no such results, or they have no record of a run.
        RunError: If writing fails on the way, as on a full disk.
    """
    if not output.exists():
        raise UsageError(f"no file {output}; --only-tables makes tables of one that is there")
    with locked(output):
        record = read_record(output) or {}
        about = record.get("about")
        if record.get("kind") != KIND or not isinstance(about, Mapping):
            raise UsageError(
                f"{output} has no record of such a run beside it; run it without --only-tables"
            )
        check_remade(output, data, record)
        if not fits(output, record):
            changed_since(output)
        report(output, about, edges, quiet=quiet)
    return 0


def report(output: Path, about: Mapping[str, str], edges: Sequence[int], *, quiet: bool) -> None:
    """Write OUTPUT.json, OUTPUT.md and OUTPUT.scores.csv beside OUTPUT.csv; print a summary.

    Args:
        output: The results.
        about: What they are of, in words, by name; the judge's is `judge`.
        edges: Where bins of lengths end.
        quiet: Whether to print nothing.

    Raises:
        UsageError: If it is no results file, or its folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    found = measure(read_trials(output), edges)
    tables = all_tables(found, about.get("judge", ""))
    content = {
        "kind": KIND,
        "about": dict(about),
        "edges": list(edges),
        "prompts": {each.prompt: as_json(each) for each in found},
    }
    write_report(output, content, tables)
    if not quiet:
        print(f"{in_words(found)}\n\nwritten: {short(output)}, and its tables beside it")


def as_json(found: Metrics) -> dict[str, Any]:
    """Convert the metrics of a prompt: null for what is undefined."""
    return {
        "outputs": found.outputs,
        "pictures": found.pictures,
        "described": found.described,
        "judged": found.judged,
        "clean": found.clean,
        "hallucinated": found.hallucinated,
        "untyped": found.untyped,
        "cut": found.cut,
        "coverage": _measure(found.coverage),
        "accuracy": _measure(found.accuracy),
        "mean_words": _measure(found.words),
        "types": {
            name: {
                "count": each.count,
                "share_of_hallucinated": _measure(each.among_hallucinated),
                "share_of_judged": _measure(each.among_judged),
            }
            for name, each in found.types.items()
        },
        "lengths": [
            {
                "from": part.low,
                "below": part.high,
                "judged": part.n,
                "hallucinated": part.hallucinated,
                "accuracy": _measure(part.accuracy),
            }
            for part in found.bins
        ],
        "not_judged": dict(found.reasons),
    }


def _measure(found: Measure) -> dict[str, Any] | None:
    if math.isnan(found.value):
        return None
    if not found.method:
        return {"value": found.value}
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "method": found.method,
    }
