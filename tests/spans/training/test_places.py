"""A training writes over nothing that it reads, and over nothing but a training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.records import write_record
from banglahallueval.spans.training.places import check_output
from banglahallueval.spans.training.plan import TrainingPlan


@pytest.fixture
def plan(tmp_path: Path) -> TrainingPlan:
    for name in ("base", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "base" / "config.json").touch()
    for name in ("train.csv", "validation.csv"):
        (tmp_path / "data" / name).touch()
    return TrainingPlan(
        str(tmp_path / "base"),
        tmp_path / "data" / "train.csv",
        tmp_path / "data" / "validation.csv",
        tmp_path / "made",
        overwrite=True,
    )


def fault(plan: TrainingPlan, output: Path) -> str:
    with pytest.raises(UsageError) as error:
        check_output(replace(plan, output=output))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_new_folder_an_empty_one_and_a_trained_model_may_be_written(
    plan: TrainingPlan, tmp_path: Path
) -> None:
    check_output(plan)
    plan.output.mkdir()
    check_output(plan)
    (plan.output / "config.json").touch()
    write_record(plan.output, {"training": {}})
    check_output(plan)
    check_output(replace(plan, output=tmp_path / "data" / "made"))


@pytest.mark.parametrize(
    "name", ["base", "base/made", "data", "data/train.csv", "data/train.csv/x"]
)
def test_no_input_is_written_over(plan: TrainingPlan, tmp_path: Path, name: str) -> None:
    """Fault: --overwrite removed the folder of the encoder, or of the training answers."""
    assert "lie in each other" in fault(plan, tmp_path / name)


def test_a_link_to_an_input_is_that_input(plan: TrainingPlan, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "base")
    assert "--model" in fault(plan, tmp_path / "link")


def test_an_input_in_the_folder_of_checkpoints_is_kept(plan: TrainingPlan, tmp_path: Path) -> None:
    (tmp_path / "data").rename(tmp_path / "made.training")
    moved = replace(plan, train=tmp_path / "made.training" / "train.csv")
    assert "made.training and --train" in fault(moved, tmp_path / "made")


@pytest.mark.parametrize("name", ["made", "made.training"])
def test_what_no_training_made_is_kept(plan: TrainingPlan, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "thesis.txt").touch()
    assert "--overwrite" in fault(plan, tmp_path / "made")


def test_a_file_is_no_model(plan: TrainingPlan, tmp_path: Path) -> None:
    (tmp_path / "made").touch()
    assert "is no trained model" in fault(plan, tmp_path / "made")


@pytest.mark.parametrize("name", [".", "..", "/"])
def test_a_folder_without_a_name_is_refused(plan: TrainingPlan, name: str) -> None:
    """Fault: a traceback."""
    assert "name a new folder" in fault(plan, Path(name))
