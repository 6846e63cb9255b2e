"""The demo shows what the offline judge reacts to; the README shows what it says and scores."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from banglahallueval.labelling.explain import ExplainOptions, explained
from banglahallueval.tasks import TASKS, TRACKS
from tests.scripting import ROOT, Finished


def test_a_framed_right_answer_is_kept_and_an_exchanged_name_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(ROOT / "scripts" / "demo.py"))["show_minimal_pair"](ROOT)
    judged = [line for line in capsys.readouterr().out.splitlines() if "Sure!" in line]
    assert [line.partition(":")[0] for line in judged] == ["no", "yes"]
    assert "রাবেয়া" in judged[1]


def test_the_readme_shows_the_verdict_and_the_scores_of_the_samples(
    tmp_path: Path, run_script: Callable[..., Finished]
) -> None:
    """Fault: it showed a probability of a judge that was there before."""
    files = {track: tmp_path / f"{track}.csv" for track in TRACKS}
    for track, output in files.items():
        sample = TASKS["qa"].samples[track]
        words = ("--task", "qa", "--input", sample, "--output", output, "--explain", "--quiet")
        assert run_script("scripts/label.py", *words).code == 0
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = explained(ExplainOptions(files["candidates"], "yes", 1))
    assert normalize("NFC", shown) in normalize("NFC", readme)
    scored = run_script("scripts/score.py", *files.values()).out
    row = next(line for line in scored.splitlines() if line.startswith("qa "))
    assert row in readme
    assert all(len(line) <= 100 for line in scored.splitlines())
