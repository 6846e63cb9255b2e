"""Automatic scores against those of several people."""

from __future__ import annotations

import json
import math
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from banglahallueval.vision.correlation.scores import read_scores
from banglahallueval.vision.correlation.study import Options, alpha_of, run_study
from banglahallueval.vision.correlation.tables import in_words

pytestmark = pytest.mark.filterwarnings("error")


def scores(folder: Path, columns: dict[str, list[float]]) -> Path:
    path = folder / "scores.json"
    path.write_text(json.dumps(columns), encoding="utf-8")
    return path


def test_equal_means_of_decimals_are_ties(tmp_path: Path) -> None:
    """In binary, 0.1 + 0.2 + 0.3 is more than 0.6, and 0.2 + 0.2 + 0.2 as well."""
    columns = {
        "metric": [1.0, 2, 3, 4],
        "a": [0.1, 0.3, 0.2, 0.6],
        "b": [0.2, 0.3, 0.2, 0.0],
        "c": [0.3, 0.0, 0.2, 0.0],
    }
    study = run_study(Options(scores(tmp_path, columns), ["metric"], ["a", "b", "c"], resamples=50))
    (found,) = study.correlations
    assert found.reason == "mean of a, b, c is constant"
    assert all(math.isnan(each.value) for each in found.estimates.values())


def test_alpha_is_krippendorff_s() -> None:
    table = np.random.default_rng(3).integers(0, 5, (30, 3)).astype(float)
    table[3, 0] = table[7, 2] = math.nan
    expected = krippendorff.alpha(table.T, level_of_measurement="interval")
    assert alpha_of(table) == pytest.approx(expected)
    assert alpha_of(table * 1e300) == pytest.approx(expected)
    assert math.isnan(alpha_of(np.ones((3, 2))))


def test_an_integer_beyond_all_floats_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(f'{{"m": [1{"0" * 400}]}}', encoding="utf-8")
    with pytest.raises(Exception, match=r"row 1, m: '10+' is no number"):
        read_scores(path, ["m"])


def test_a_name_of_two_lines_is_told_in_one(tmp_path: Path) -> None:
    path = scores(tmp_path, {"m\nn": [1, 1, 1], "h": [1, 2, 3]})
    said = in_words(run_study(Options(path, ["m\nn"], ["h"])))
    assert "m n, h: m n is constant" in said
    with pytest.raises(Exception, match="it has m n, h") as caught:
        read_scores(path, ["x"])
    assert "\n" not in str(caught.value)
