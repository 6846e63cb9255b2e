"""What judges point at in the texts of a row: unsupported words, and citations of the evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from banglahallueval.tasks import TASKS, TaskName

_NOWHERE = [-1, -1]


def findings(cell: str, judged: str, shown: str) -> str:
    """Read a cell of `unsupported_spans` for the page.

    Args:
        cell: The cell, as `--explain` writes it.
        judged: The output as the judge saw it.
        shown: The output as the page shows it: files may differ in normal form and white space.

    Returns:
        A JSON list of [start, end, reason], code points of the shown output; both are -1 for what
        does not stand in it. Empty where the cell holds no spans.
    """
    found = []
    for span in _objects(cell):
        place: list[Any] = [span.get("start"), span.get("end")]
        is_here = span.get("field", "output") == "output" and judged == shown
        if not (is_here and _is_place(place, shown)):
            place = _NOWHERE
        found.append([*place, str(span.get("reason", ""))])
    return _json(found)


def claims(cell: str, task: TaskName, judged: str, shown: str) -> str:
    """Read a cell of `claims_json`, as the E-CoT judge writes it, for the page.

    Args:
        cell: The cell.
        task: The row's task.
        judged: The evidence as the judge saw it.
        shown: The evidence as the page shows it.

    Returns:
        A JSON list of [claim, status, citations, places], the places being code points of the
        shown evidence: those that the citations were found at, if it was there. Empty where the
        cell holds no claims.
    """
    evidence = "question" if TASKS[task].is_chain else next(iter(TASKS[task].roles))
    found = []
    for claim in _objects(cell):
        is_here = claim.get("found_in") == evidence and judged == shown
        places = claim.get("spans") if is_here else None
        cited = claim.get("supported_by")
        found.append(
            [
                str(claim.get("claim", "")),
                str(claim.get("status") or ""),
                [str(text) for text in cited] if isinstance(cited, list) else [],
                [place for place in _list(places) if _is_place(place, shown)],
            ]
        )
    return _json(found)


def _objects(cell: str) -> Iterator[dict[str, Any]]:
    """Read a JSON list of objects; whatever else stands there says nothing about the texts."""
    try:
        read = json.loads(cell) if cell else []
    except (ValueError, RecursionError):
        return
    yield from (each for each in _list(read) if isinstance(each, dict))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_place(place: object, text: str) -> bool:
    return (
        isinstance(place, list)
        and len(place) == 2
        and all(isinstance(edge, int) for edge in place)
        and 0 <= place[0] < place[1] <= len(text)
    )


def _json(found: list[Any]) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if found else ""
