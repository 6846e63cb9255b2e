"""The rows that judges disagree on most."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pandas as pd

CAP = 300
_LONGEST_REPLY = 2000


def disagreements(rows: pd.DataFrame, cap: int = CAP) -> list[dict[str, Any]]:
    """Select the rows that judges split on most evenly; for a single judge, those it gets wrong.

    Args:
        rows: Rows as `load.Labelled.rows`.
        cap: Maximum number of rows, divided evenly among the tasks.

    Returns:
        For each row its task, track, pattern and texts, the output in pieces with their spans'
        reasons, and each judge's verdict.
    """
    chosen = []
    for _, of_task in rows.groupby("task", sort=False):
        chosen += _of_task(of_task, cap // rows["task"].nunique())
    return chosen


def _of_task(rows: pd.DataFrame, cap: int) -> list[dict[str, Any]]:
    rows = rows.assign(nth=rows.groupby(["system", "key"]).cumcount())
    expected = rows["track"].map({"candidates": "yes", "main": "no"})
    rows["wrong"] = rows["label"].ne(expected)
    rows["yes"], rows["no"] = rows["label"].eq("yes"), rows["label"].eq("no")
    items = rows.groupby(["key", "nth"], sort=False)[["yes", "no", "wrong"]].sum()
    items["judges"] = rows.groupby(["key", "nth"], sort=False).size()
    share = items["yes"] / (items["yes"] + items["no"])
    items["split"] = (share * (1 - share)).fillna(0)
    lone = rows["system"].nunique() == 1
    items = items[items["wrong"] > 0] if lone else items[items["split"] > 0]
    items["error"] = items["wrong"] / items["judges"]
    top = items.sort_values(["split", "error"], ascending=False, kind="stable").index[:cap]
    by_item = dict(iter(rows.set_index(["key", "nth"]).loc[top].groupby(level=[0, 1])))
    return [_shown(by_item[at]) for at in top]


def _shown(group: pd.DataFrame) -> dict[str, Any]:
    verdicts: list[dict[str, Any]] = group.to_dict("records")  # type: ignore[assignment]
    first = verdicts[0]
    return {
        "task": first["task"],
        "track": first["track"],
        "pattern": next((each["pattern"] for each in verdicts if each["pattern"]), ""),
        "row": int(first["row"]),
        "expected": "yes" if first["track"] == "candidates" else "no",
        "evidence": first["evidence"],
        "question": "" if first["task"] == "reasoning" else first["question"],
        "output": pieces(
            first["output"], {each["system"]: _spans(each["spans"]) for each in verdicts}
        ),
        "votes": [
            {
                "judge": each["system"],
                "label": each["label"],
                "reason": each["reason"],
                "p": None if pd.isna(each["p"]) else round(each["p"], 4),
                "raw": _cut(each["raw"]),
            }
            for each in verdicts
        ],
    }


def pieces(text: str, spans: dict[str, list[dict[str, Any]]]) -> list[tuple[str, str]]:
    """Cut a text at the ends of spans.

    Args:
        text: The output.
        spans: Per judge its spans into the output, in code points.

    Returns:
        The pieces in order, each with what its spans say of it; an empty text where there is none.
    """
    marks = [
        (span["start"], span["end"], f"{judge}: {span.get('reason', '')}")
        for judge, of_judge in spans.items()
        for span in of_judge
        if 0 <= span["start"] < span["end"] <= len(text)
    ]
    cuts = sorted({0, len(text), *(end for mark in marks for end in mark[:2])})
    return [
        (text[a:b], "; ".join(why for start, end, why in marks if start <= a and b <= end))
        for a, b in pairwise(cuts)
    ]


def _spans(cell: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(cell) if cell else []
    except ValueError:
        return []
    return [
        span
        for span in found
        if span.get("field", "output") == "output"
        and isinstance(span.get("start"), int)
        and isinstance(span.get("end"), int)
    ]


def _cut(reply: str) -> str:
    if len(reply) <= _LONGEST_REPLY:
        return reply
    return f"{reply[:_LONGEST_REPLY]}… (cut here; {len(reply):,} characters)"
