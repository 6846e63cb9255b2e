"""The published labels as a folder of files like the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.io import tables
from banglahallueval.scoring.load import Labelled, load
from banglahallueval.scoring.results import Results, results


@pytest.fixture(scope="session")
def published(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A labelled file per task, track and judge, named and shaped as the published ones."""
    folder = tmp_path_factory.mktemp("published")
    labels = tables.read_frame(shared_data / "published_labels.csv")
    for number, ((task, track, judge), rows) in enumerate(
        labels.groupby(["task", "track", "judge"])
    ):
        frame = tables.read_frame(shared_data / f"{task}_{track}.csv").iloc[rows["row"].astype(int)]
        labelled = frame.assign(is_hallucinated=rows["label"].to_numpy())
        if judge == "tigerllm-9b" and task == "summarization":
            output = "hallucinated_summary" if track == "candidates" else "summary"
            labelled = labelled.rename(columns={output: "summary_evaluated"})
            labelled = labelled.drop(columns=["right_summary"], errors="ignore")
        name = str(judge).replace(":", "_").replace(".", "_").replace("-", "_")
        folder.joinpath(str(task)).mkdir(exist_ok=True)
        labelled.to_csv(
            folder / str(task) / f"{task}_{track}_{name}_labeled.csv",
            index=False,
            encoding="utf-8-sig" if number % 2 else "utf-8",
            lineterminator="\r\n" if number % 3 else "\n",
        )
    return folder


@pytest.fixture(scope="session")
def published_rows(published: Path) -> Labelled:
    """Those files, loaded."""
    return load([published])


@pytest.fixture(scope="session")
def published_results(published_rows: Labelled) -> Results:
    """Their scores."""
    return results(published_rows)
