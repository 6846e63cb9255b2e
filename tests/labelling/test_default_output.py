"""Where a labelled file goes unless `--output` says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from banglahallueval.io.paths import repository_root
from banglahallueval.labelling import plan as plans
from banglahallueval.labelling.commands import Preset, label
from banglahallueval.tasks import TASKS, TRACKS


def test_samples_of_both_tracks_have_outputs_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault: the samples of both tracks have one file name, so their default outputs had, too."""
    for sample in TASKS["qa"].samples.values():
        (tmp_path / sample).parent.mkdir(parents=True)
        shutil.copy(repository_root() / sample, tmp_path / sample)
    monkeypatch.setattr(plans, "repository_root", lambda: tmp_path)
    for track in TRACKS:
        words = ["--task", "qa", "--input", str(tmp_path / TASKS["qa"].samples[track])]
        assert label(Preset(""), [*words, "--limit", "1", "--quiet"]) == 0
    assert {path.name for path in (tmp_path / "QA/Results").glob("*.csv")} == {
        "qa_main_sample_offline.csv",
        "qa_candidates_sample_offline.csv",
    }
