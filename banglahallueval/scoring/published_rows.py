"""Whether labelled rows are the rows that the published figures are of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import as_file, files

import pandas as pd

from banglahallueval.hashing import digest
from banglahallueval.io import tables
from banglahallueval.scoring.labelled_rows import plain
from banglahallueval.tasks import TRACKS

PROBES = 24
_BYTES = 8
# Share of rows that may repeat another. In the first half of the code-mixed candidates 4 % do; in a
# half that is there twice 50 % would.
_REPEATED = 0.1


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """What a published file is recognised by.

    Attributes:
        rows: Number of its rows.
        probes: Fingerprints of rows that it holds.
        has_outputs: Whether the outputs are in them; else evidence and question alone.
    """

    rows: int
    probes: frozenset[str]
    has_outputs: bool


def published_files() -> dict[tuple[str, str], PublishedFile]:
    """Load what the published files are recognised by, per task and track.

    `tools/fingerprint_published.py` made the fingerprints, from the first half of each file.
    """
    with as_file(files(__package__) / "published_rows.csv") as path:
        rows = tables.read_frame(path).to_dict("records")
    return {
        (str(row["task"]), str(row["track"])): PublishedFile(
            int(row["rows"]), frozenset(str(row["probes"]).split()), row["outputs"] == "yes"
        )
        for row in rows
    }


def fingerprints(texts: Iterable[tuple[str, str, str]]) -> list[str]:
    """Compute what stands for each row's evidence, question and output: 8 bytes, in hex."""
    return [digest([plain(text) for text in row])[:_BYTES].hex() for row in texts]


def probes(found: Iterable[str]) -> list[str]:
    """Choose the rows to recognise a file by: those with the least fingerprints."""
    return sorted(set(found))[:PROBES]


def why_not_published(rows: pd.DataFrame, known: dict[tuple[str, str], PublishedFile]) -> str:
    """Say why rows are not those of the published files of both tracks; empty if they are.

    Args:
        rows: One judge's rows of one task, as `load.Labelled.rows`.
        known: What the published files are recognised by.
    """
    task = str(rows["task"].iloc[0])
    for track in TRACKS:
        of_track = rows[rows["track"].eq(track)]
        file = known[task, track]
        if of_track.empty:
            return f"it has no {track} rows"
        if len(of_track) != file.rows:
            return f"it has {len(of_track):,} {track} rows, the published file {file.rows:,}"
        texts = of_track[["evidence", "question", "output"]]
        rows_of = set(fingerprints(texts.itertuples(index=False, name=None)))
        known_by = texts if file.has_outputs else texts.assign(output="")
        found = set(fingerprints(known_by.itertuples(index=False, name=None)))
        if not file.probes <= found or len(rows_of) < (1 - _REPEATED) * file.rows:
            return f"its {file.rows:,} {track} rows are not the published ones"
    return ""
