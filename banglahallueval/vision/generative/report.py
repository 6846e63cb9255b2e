"""The files beside the results, JSON and Markdown, and the summary in the terminal."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.io.paths import short
from banglahallueval.io.tables import replacing
from banglahallueval.scoring.clustered import Measure
from banglahallueval.scoring.tables import markdown
from banglahallueval.vision.generative.metrics import Metrics, measure
from banglahallueval.vision.generative.results import KIND, read_trials
from banglahallueval.vision.generative.tables import all_tables, in_words


def report(
    output: Path, about: Mapping[str, str], edges: Sequence[int], *, judge: str, quiet: bool
) -> None:
    """Write OUTPUT.json and OUTPUT.md beside OUTPUT.csv, and print a summary.

    Args:
        output: The results.
        about: What they are of, in words, by name.
        edges: Where bins of lengths end.
        judge: Who judged, in words.
        quiet: Whether to print nothing.

    Raises:
        UsageError: If it is no results file, or its folder cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    found = measure(read_trials(output), edges)
    with replacing(output.with_suffix(".json")) as file:
        content = {
            "kind": KIND,
            "about": about,
            "edges": list(edges),
            "prompts": {each.prompt: as_json(each) for each in found},
        }
        file.write(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    with replacing(output.with_suffix(".md")) as file:
        lines = [f"- {name}: {value}" for name, value in about.items()]
        head = "\n".join(["# Hallucination in descriptions of pictures", "", *lines])
        file.write(f"{head}\n\n{markdown(all_tables(found, judge))}")
    if not quiet:
        print(f"{in_words(found)}\n\nwritten: {short(output)}, .json and .md beside it")


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
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "method": found.method,
    }
