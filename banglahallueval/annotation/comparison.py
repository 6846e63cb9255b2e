"""Compare the key and judges with human labels: how much of the benchmark is label noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from banglahallueval.annotation.agreement import majority
from banglahallueval.annotation.labels import Labels
from banglahallueval.io.tables import writing
from banglahallueval.scoring.agreement import agreement
from banglahallueval.scoring.load import Labelled, load
from banglahallueval.scoring.rates import score
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.tasks import TASKS, TaskName

HUMANS = "humans"
_NOTE = (
    "BHS with the humans' labels as truth beside BHS with the key as truth, on the same items. "
    "Items without a human majority are left out; a judge's unknown counts as no."
)


def human_labels_path(folder: Path, form: str) -> Path:
    """Path of the human labels of a form."""
    return folder / f"{form}_human_labels.csv"


def majority_labels(labels: Labels) -> dict[str, str]:
    """The majority label of each item of a task, by blind id; empty in a tie."""
    question = labels.form.questions[0]
    return {
        item: majority(question, labels.answers_to(question.name, item)) for item in labels.items
    }


def write_human_labels(
    path: Path, task: TaskName, key: pd.DataFrame, labels: Mapping[str, str]
) -> None:
    """Write human labels as a labelled CSV, which `scripts/score.py` reads like any judge's.

    Args:
        path: The file.
        task: The task.
        key: The key, indexed by blind id.
        labels: Label by blind id; empty where there is no majority.
    """
    evidence = {role: names[0] for role, names in TASKS[task].roles.items()}
    output = TASKS[task].outputs[None][0]
    columns = ["blind_id", "task", "track", "judge", "id", "pattern", *evidence.values(), output]
    with writing(path, [*columns, "is_hallucinated"]) as writer:
        for blind_id, row in key.iterrows():
            identity = [str(blind_id), task, row["track"], HUMANS, row["id"], row["pattern"]]
            texts = [row["context" if role == "document" else role] for role in evidence]
            label = labels.get(str(blind_id), "") or "unknown"
            writer.writerow([*identity, *texts, row["output"], label])


def compare_with_humans(
    human_labels: Path, judges: Sequence[str | Path]
) -> tuple[ReportTable, list[str]]:
    """Measure the key and each judge by the humans' labels of the items they share.

    Items are matched by their texts, so labelled files of the whole benchmark can be given.

    Args:
        human_labels: File that `write_human_labels` wrote.
        judges: Labelled files, folders or globs.

    Returns:
        The table, and a note for each judge and file that is left out.

    Raises:
        UsageError: If a file is not a labelled file.
    """
    labelled = load([human_labels, *judges])
    rows = labelled.rows
    task = str(rows["task"].iloc[0])
    is_human = rows["judge"].eq(HUMANS)
    is_truth = rows["file"].isin(_numbers_of(human_labels, labelled))
    humans = rows[is_truth & rows["label"].ne("unknown")].drop_duplicates("key").set_index("key")
    systems = {"the key": humans["track"].map({"candidates": "yes", "main": "no"})}
    notes = [
        f"{labelled.files[number].path}: human labels, not a judge's; left out"
        for number in sorted(set(rows.loc[is_human & ~is_truth, "file"]))
    ]
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


def _numbers_of(path: Path, labelled: Labelled) -> list[int]:
    """Numbers that the rows of a file have in `Labelled.rows`."""
    return [
        number
        for number, source in enumerate(labelled.files)
        if source.path.resolve() == path.resolve()
    ]


def _measured(name: str, labels: pd.Series, humans: pd.DataFrame) -> dict[str, object]:
    """One row of the table: a system's labels measured by the humans', and by the key."""
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
