"""Human labels against the key and against judges: how much of the benchmark is label noise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from banglahallueval.io.tables import writing
from banglahallueval.scoring.agreement import agreement
from banglahallueval.scoring.load import load
from banglahallueval.scoring.rates import score
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.tasks import TASKS, TaskName

HUMANS = "humans"
_NOTE = (
    "BHS with the humans' labels as truth beside BHS with the key as truth, on the same items. "
    "Items without a human majority are left out; a judge's unknown counts as no."
)


def write_human_labels(
    path: Path, task: TaskName, key: pd.DataFrame, labels: dict[str, str]
) -> None:
    """Write human labels as a labelled CSV, which `scripts/score.py` reads like any judge's.

    Args:
        path: Where to.
        task: The task.
        key: The key, indexed by blind id.
        labels: Label by blind id; blank where humans did not agree.
    """
    wanted = TASKS[task]
    evidence = {role: names[0] for role, names in wanted.roles.items()}
    output = wanted.outputs[None][0]
    columns = ["blind_id", "task", "track", "judge", "id", "pattern", *evidence.values(), output]
    with writing(path, [*columns, "is_hallucinated"]) as writer:
        for blind_id, row in key.iterrows():
            texts = [row["context" if role == "document" else role] for role in evidence]
            told = [str(blind_id), task, row["track"], HUMANS, row["id"], row["pattern"]]
            label = labels.get(str(blind_id), "") or "unknown"
            writer.writerow([*told, *texts, row["output"], label])


def compare(human_labels: Path, judges: Sequence[str | Path]) -> tuple[ReportTable, list[str]]:
    """The key and each judge, measured by the humans' labels of the items they share.

    Items are matched by their texts, so labelled files of the whole benchmark can be given.

    Args:
        human_labels: What `write_human_labels` wrote.
        judges: Labelled files, folders or globs.

    Returns:
        The table, and a line for each judge that shares no item.

    Raises:
        UsageError: If a file is no labelled file.
    """
    rows = load([human_labels, *judges]).rows
    humans = rows[rows["judge"].eq(HUMANS) & rows["label"].ne("unknown")]
    humans = humans.drop_duplicates("key").set_index("key")
    truth = humans["label"].eq("yes")
    expected = humans["track"].eq("candidates")
    lines, found = [], []
    systems = {"the key": expected.map({True: "yes", False: "no"})}
    for (name, _), part in rows[rows["judge"].ne(HUMANS)].groupby(["system", "task"], sort=False):
        judged = part.drop_duplicates("key").set_index("key")["label"]
        shared = judged[judged.index.isin(humans.index)]
        if len(shared):
            systems[str(name)] = shared
        elif part["task"].iloc[0] == humans["task"].iloc[0] if len(humans) else True:
            lines.append(f"{name}: no item in common with the humans' labels")
    for name, labels in systems.items():
        at = labels.index
        said = labels.eq("yes").to_numpy()
        sources = humans.loc[at, "source"].to_numpy()
        found.append(_measured(name, labels, truth[at].to_numpy(), said, sources))
        key_score = score(expected[at].to_numpy(), said, sources).bhs.value
        found[-1]["bhs_by_key"] = key_score
    task = str(rows["task"].iloc[0])
    title = f"{task}: the key and judges, with the human majority as truth"
    return ReportTable(f"{task}_against_humans", title, pd.DataFrame(found), _NOTE), lines


def _measured(
    name: str,
    labels: pd.Series,
    truth: npt.NDArray[np.bool_],
    said: npt.NDArray[np.bool_],
    sources: npt.NDArray[np.int64],
) -> dict[str, object]:
    votes = {HUMANS: truth.astype(float), name: said.astype(float)}
    agreed = agreement(votes, sources)
    scored = score(truth, said, sources)
    return {
        "labels_of": name,
        "items": len(labels),
        "unknown": int(labels.eq("unknown").sum()),
        "accuracy": agreed.exact,
        **interval_columns("kappa", agreed.pairs[HUMANS, name]),
        **interval_columns("detection", scored.detection),
        **interval_columns("false_alarms", scored.false_alarms),
        **interval_columns("bhs", scored.bhs),
    }
