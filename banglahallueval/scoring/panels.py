"""The members of a panel, each as a judge of its own: their labels stand in its output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from banglahallueval.io.labelled import OUTPUT_COLUMNS
from banglahallueval.io.paths import slug
from banglahallueval.judges.panel import member_columns


def members_of(
    record: Mapping[str, Any], frame: pd.DataFrame
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Give the rows of a panel's output as each member labelled them.

    Args:
        record: The run record of the rows; of judges other than panels nothing comes out.
        frame: The rows.

    Yields:
        Per member the record and the rows that a run of its own would have had.
    """
    judge = record.get("judge") or {}
    listed = judge.get("panel") if isinstance(judge, Mapping) else None
    for place, each in enumerate(listed if isinstance(listed, list) else ()):
        name = str(each["model"])
        columns = member_columns(slug(name))
        if not set(columns) <= set(frame.columns):
            continue
        provider, _, model = name.partition(":")
        own = {
            **{what: record[what] for what in ("task", "track", "columns") if what in record},
            "judge": {
                "kind": provider,
                "name": model,
                **{
                    what: judge[what] for what in ("prompt", "samples", "evidence") if what in judge
                },
            },
            "runs": [_own(run, place) for run in record.get("runs", ())],
        }
        cells = frame[[*columns]].set_axis([*OUTPUT_COLUMNS], axis="columns")
        yield own, frame.assign(**{name: cells[name] for name in OUTPUT_COLUMNS})


def _own(run: Mapping[str, Any], place: int) -> Mapping[str, Any]:
    models: Sequence[Mapping[str, Any]] = run.get("models", ())
    return models[place] if place < len(models) else {}
