"""What the scripts make of the committed samples, byte for byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track
from tests.scripting import Finished

# SHA-256 of each output. Refactoring keeps them; a change of what a judge says renews them.
DIGESTS: dict[str, str] = json.loads(
    Path(__file__).with_name("sample_outputs.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("track", TRACKS)
@pytest.mark.parametrize("task", TASKS)
def test_labels_of_a_sample_are_the_same_bytes(
    task: TaskName, track: Track, tmp_path: Path, run_script: Callable[..., Finished]
) -> None:
    output = tmp_path / "labelled.csv"
    sample = TASKS[task].samples[track]
    ran = run_script(
        "scripts/label.py", "--task", task, "--input", sample, "--output", output, "--explain"
    )
    assert ran.code == 0, ran.err
    assert hashlib.sha256(output.read_bytes()).hexdigest() == DIGESTS[f"{task} {track}"]


def test_the_code_mixed_sample_is_the_same_bytes(
    tmp_path: Path, run_script: Callable[..., Finished]
) -> None:
    output = tmp_path / "codemix.csv"
    ran = run_script(
        "scripts/convert_codemix.py",
        *("--provider", "offline", "--spelling-variation", "0.15"),
        *("--input", TASKS["qa"].samples["main"], "--output", output),
    )
    assert ran.code == 0, ran.err
    assert hashlib.sha256(output.read_bytes()).hexdigest() == DIGESTS["convert offline"]
