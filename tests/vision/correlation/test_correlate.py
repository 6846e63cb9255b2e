"""The sub-command as its users call it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.vision.commands import hal_eval
from tests.in_process import ended
from tests.scripting import Finished

Correlate = Callable[..., Finished]
SCORES = "id,metric,other,human,second\na,1,5,2,2\nb,2,5,1,1\nc,3,5,4,\nd,4,5,3,3\ne,5,5,5,4\n"


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(SCORES, encoding="utf-8")
    return path


@pytest.fixture
def correlate(capsys: pytest.CaptureFixture[str]) -> Correlate:
    def run(*arguments: object) -> Finished:
        return ended(capsys, lambda: hal_eval("Test.", ["correlate", *map(str, arguments)]))

    return run


def test_coefficients_are_printed_and_written(
    correlate: Correlate, scores: Path, tmp_path: Path
) -> None:
    output = tmp_path / "found.json"
    flags = ("--scores", scores, "--automatic", "metric", "other", "--human", "human")
    done = correlate(*flags, "--output", output)
    assert done.code == 0, done.err
    assert "0.800 [" in done.out
    assert "other, human: other is constant" in done.out
    found = json.loads(output.read_text(encoding="utf-8"))
    metric, other = found["tables"]["correlation"]["rows"]
    assert (metric["pearson_r"], metric["kendall_tau_b"]) == pytest.approx((0.8, 0.6))
    assert metric["pearson_r_low"] < 0.8 <= metric["pearson_r_high"]
    assert (other["pearson_r"], other["reason"]) == (None, "other is constant")
    assert found["input"]["rows"] == 5


def test_of_several_people_the_mean_counts(
    correlate: Correlate, scores: Path, tmp_path: Path
) -> None:
    output = tmp_path / "found.json"
    flags = ("--scores", scores, "--automatic", "metric", "--human", "human", "second")
    done = correlate(*flags, "--output", output)
    assert done.code == 0, done.err
    assert "mean of human, second" in done.out
    assert "1 rows lack the score of some people" in done.out
    found = json.loads(output.read_text(encoding="utf-8"))
    (people,) = found["tables"]["people"]["rows"]
    assert (people["one"], people["another"], people["pairs"]) == ("human", "second", 4)
    assert 0.9 < found["krippendorff_alpha"] < 1


@pytest.mark.parametrize("ending", ["md", "csv"])
def test_tables_are_written_by_the_files_ending(
    correlate: Correlate, scores: Path, tmp_path: Path, ending: str
) -> None:
    output = tmp_path / f"found.{ending}"
    flags = ("--scores", scores, "--automatic", "metric", "--human", "human", "--quiet")
    done = correlate(*flags, "--output", output)
    assert (done.code, done.out) == (0, "")
    assert "0.8" in output.read_text(encoding="utf-8")
    done = correlate(*flags, "--output", output)
    assert (done.code, "--overwrite" in done.err) == (2, True)
    assert correlate(*flags, "--output", output, "--overwrite").code == 0


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--automatic", "nothing", "--human", "human"), "no column 'nothing'"),
        (("--automatic", "human", "--human", "human"), "named twice"),
        (("--automatic", "id", "--human", "human"), "row 1, id: 'a' is no number"),
        (("--automatic", "metric", "--human", "human", "--output", "x.txt"), ".json, .md, .csv"),
        (("--automatic", "metric", "--human", "human", "--quiet"), "shows nothing"),
    ],
)
def test_a_wrong_call_is_one_line(
    correlate: Correlate, scores: Path, flags: tuple[str, ...], said: str
) -> None:
    done = correlate("--scores", scores, *flags)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert said in done.err


def test_the_scores_are_never_overwritten(correlate: Correlate, scores: Path) -> None:
    flags = ("--automatic", "metric", "--human", "human", "--output", scores, "--overwrite")
    done = correlate("--scores", scores, *flags)
    assert (done.code, "is the file of scores" in done.err) == (2, True)
