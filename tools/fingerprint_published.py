"""Fingerprint the published files, so that labels of their rows are recognised.

    python -m tools.fingerprint_published

writes `banglahallueval/scoring/published_rows.csv` from the folder BANGLAHALLUEVAL_DATA (else
../shared/data): per task and track the number of rows of the published file, and truncated hashes
of rows of it, no text. The folder holds the first half of each file, and of the QA candidates other
rows, from a pilot; so these are recognised by what they answer: the questions of the main file.
"""

from __future__ import annotations

import pandas as pd

from banglahallueval.io.tables import write_frame
from banglahallueval.scoring.published_rows import fingerprints, probes
from banglahallueval.tasks import TASKS, TRACKS, TaskName
from tools.benchmark_rows import ROOT, published

ROWS = {
    **{(task, "main"): 1000 for task in TASKS},
    ("qa", "candidates"): 4000,
    ("summarization", "candidates"): 3000,
    ("reasoning", "candidates"): 1000,
    ("codemix", "candidates"): 4000,
}
PILOTS = {("qa", "candidates")}


def fingerprint(task: TaskName) -> list[dict[str, object]]:
    """Make the lines of a task, one per track."""
    rows = list(published(task))
    lines: list[dict[str, object]] = []
    for track in TRACKS:
        has_outputs = (task, track) not in PILOTS
        is_candidate = track == "candidates" and has_outputs
        items = [row.item for row in rows if row.hallucinated == is_candidate]
        found = fingerprints(
            (item.evidence, item.question, item.output if has_outputs else "") for item in items
        )
        lines.append(
            {
                "task": task,
                "track": track,
                "rows": ROWS[task, track],
                "outputs": "yes" if has_outputs else "no",
                "probes": " ".join(probes(found)),
            }
        )
    return lines


if __name__ == "__main__":
    lines = [line for task in TASKS for line in fingerprint(task)]
    write_frame(
        ROOT / "banglahallueval" / "scoring" / "published_rows.csv",
        pd.DataFrame(lines),
    )
