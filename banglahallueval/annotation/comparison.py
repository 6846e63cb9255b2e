"""Compare the key and judges with human labels: how much of the benchmark is label noise."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.agreement import majority
from banglahallueval.annotation.labels import Labels
from banglahallueval.io.tables import Table, writing
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


@dataclass(frozen=True, slots=True)
class HumanLabels:
    """The humans' labels of a task's items.

    Attributes:
        task: The task.
        key: The key, indexed by blind id.
        labels: Label by blind id; empty where there is no majority.
    """

    task: TaskName
    key: pd.DataFrame
    labels: Mapping[str, str]

    def write(self, path: Path) -> None:
        """Write a labelled CSV, which `scripts/score.py` reads like any judge's."""
        task = TASKS[self.task]
        evidence = {role: names[0] for role, names in task.roles.items()}
        identity = ["blind_id", "task", "track", "judge", "id", "pattern"]
        columns = [*identity, *evidence.values(), task.outputs[None][0], "is_hallucinated"]
        with writing(path, columns) as writer:
            for blind_id, row in self.key.iterrows():
                texts = [row["context" if role == "document" else role] for role in evidence]
                writer.writerow(
                    [
                        str(blind_id),
                        self.task,
                        row["track"],
                        HUMANS,
                        row["id"],
                        row["pattern"],
                        *texts,
                        row["output"],
                        self.labels.get(str(blind_id), "") or "unknown",
                    ]
                )


def majority_labels(labels: Labels) -> dict[str, str]:
    """Return the majority label of each item of a task, by blind id; empty in a tie."""
    question = labels.form.questions[0]
    return {
        item: majority(question, labels.answers_to(question.name, item)) for item in labels.items
    }


def compare_with_humans(
    humans: HumanLabels, judges: Sequence[Path]
) -> tuple[ReportTable, list[str]]:
    """Measure the key and each judge by the humans' labels of the items they share.

    Items are matched by their texts, so labelled files of the whole benchmark can be given.

    Args:
        humans: The humans' labels.
        judges: Judges' labelled files.

    Returns:
        The table, and a note for each judge and file that is left out.

    Raises:
        UsageError: If a file is not a labelled file.
    """
    human_files = [path for path in judges if _holds_human_labels(path)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "human_labels.csv")
        humans.write(path)
        rows = load([path, *(path for path in judges if path not in human_files)]).rows
    table, notes = _compare(rows)
    left_out = [f"{path}: human labels, not a judge's; left out" for path in human_files]
    return table, left_out + notes


def _holds_human_labels(path: Path) -> bool:
    table = Table(path)
    if "judge" not in table.columns:
        return False
    at = table.columns.index("judge")
    return any(cells[at] == HUMANS for cells in table.rows())


def _compare(rows: pd.DataFrame) -> tuple[ReportTable, list[str]]:
    """Compare the systems in `Labelled.rows` with the humans among them."""
    task = str(rows["task"].iloc[0])
    is_human = rows["judge"].eq(HUMANS)
    humans = rows[is_human & rows["label"].ne("unknown")].drop_duplicates("key").set_index("key")
    systems = {"the key": humans["track"].map({"candidates": "yes", "main": "no"})}
    notes = []
    of_judges = rows[~is_human & rows["task"].eq(task)]
    for name, judged in of_judges.groupby("system", sort=False):
        labels = judged.drop_duplicates("key").set_index("key")["label"]
        shared = labels[labels.index.isin(humans.index)]
        if len(shared):
            systems[str(name)] = shared
        else:
            notes.append(f"{name}: no item in common with the humans' labels")
    title = f"{task}: the key and judges, with the human majority as truth"
    frame = pd.DataFrame([_measured(name, labels, humans) for name, labels in systems.items()])
    return ReportTable(f"{task}_against_humans", title, frame, _NOTE), notes


def _measured(name: str, labels: pd.Series, humans: pd.DataFrame) -> dict[str, object]:
    """Make one row of the table: a system's labels measured by the humans' and by the key."""
    shared = humans.loc[labels.index]
    truth = shared["label"].eq("yes").to_numpy()
    by_key = shared["track"].eq("candidates").to_numpy()
    said_yes = labels.eq("yes").to_numpy()
    sources = shared["source"].to_numpy()
    agreed = agreement({HUMANS: truth.astype(float), name: said_yes.astype(float)}, sources)
    scored = score(truth, said_yes, sources)
    return {
        "labels_of": name,
        "items": len(labels),
        "unknown": int(labels.eq("unknown").sum()),
        "accuracy": agreed.exact,
        **interval_columns("kappa", agreed.pairs[HUMANS, name]),
        **interval_columns("detection", scored.detection),
        **interval_columns("false_alarms", scored.false_alarms),
        **interval_columns("bhs", scored.bhs),
        "bhs_by_key": score(by_key, said_yes, sources).bhs.value,
    }
