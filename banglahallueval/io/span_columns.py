"""The columns of the project's own CSV of answers with their spans."""

from __future__ import annotations

import json
from collections.abc import Sequence

# `spans`: a JSON list of [start, end], code points of the raw answer, end exclusive; [] for a clean
# answer, blank where nobody marked any. `soft`: [start, end, share of those who marked it]. `rule`:
# how the spans came about.
SPAN_COLUMNS = (
    "id",
    "language",
    "model",
    "question",
    "evidence",
    "answer",
    "spans",
    "soft",
    "source",
    "rule",
)


def listed(places: Sequence[Sequence[float]]) -> str:
    """Write spans, or soft spans, as the JSON list of a cell."""
    return json.dumps(places, separators=(",", ":"))
