"""Files that a command reads, and what may not take their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.calling import Call
from tests.vision.discriminative.calling import Workspace

PROMPT = "Does it match? {caption}"


def is_kept(hal_eval: Call, path: Path, *call: object) -> bool:
    """Whether a call is refused in one line for the sake of a file, which it leaves as it is."""
    before = path.read_bytes()
    done = hal_eval(*call)
    assert (done.code, done.err.count("\n")) == (2, 1), done.err
    assert "input" in done.err
    return path.read_bytes() == before


@pytest.mark.parametrize("command", ["discriminative", "baseline"])
@pytest.mark.parametrize("ending", [".md", ".json", ".scores.csv", ".csv", ".csv.run.json"])
def test_a_prompt_is_never_overwritten(
    tmp_path: Path, hal_eval: Call, command: str, ending: str
) -> None:
    workspace = Workspace(tmp_path)
    workspace.output.parent.mkdir()
    prompt = workspace.output.with_suffix(ending)
    prompt.write_text(PROMPT, encoding="utf-8")
    workspace.output.touch()
    call = workspace.flags("--model", "m", "--prompt", prompt, "--overwrite", command=command)
    assert is_kept(hal_eval, prompt, *call)


@pytest.mark.parametrize("ending", [".md", ".json", ".csv"])
def test_a_describing_prompt_is_never_overwritten(
    tmp_path: Path, hal_eval: Call, ending: str
) -> None:
    workspace = Workspace(tmp_path)
    workspace.output.parent.mkdir()
    prompt = workspace.output.with_suffix(ending)
    prompt.write_text("Describe it.", encoding="utf-8")
    workspace.output.touch()
    call = workspace.flags(
        *("--image-root", workspace.pictures, "--model", "m"),
        *("--prompt", "short", prompt, "--overwrite"),
        command="generative",
    )
    assert is_kept(hal_eval, prompt, *call)


@pytest.mark.parametrize("command", ["discriminative", "baseline", "generative"])
def test_the_data_are_never_overwritten(tmp_path: Path, hal_eval: Call, command: str) -> None:
    workspace = Workspace(tmp_path)
    workspace.output = workspace.data.with_suffix(".csv")
    workspace.output.touch()
    flags = [] if command == "baseline" else ["--image-root", workspace.pictures, "--model", "m"]
    assert is_kept(
        hal_eval, workspace.data, *workspace.flags(*flags, "--overwrite", command=command)
    )


@pytest.mark.parametrize("ending", [".json", ".csv"])
def test_replies_and_descriptions_are_never_overwritten(
    tmp_path: Path, hal_eval: Call, ending: str
) -> None:
    workspace = Workspace(tmp_path)
    workspace.output.parent.mkdir()
    workspace.output.touch()
    given = workspace.output.with_suffix(ending)
    is_json = ending == ".json"
    given.write_text(
        '[{"index": 0, "kind": "true", "answer": "yes", "description": "A boat."}]'
        if is_json
        else "index,kind,answer,description\n0,true,yes,A boat.\n",
        encoding="utf-8",
    )
    assert is_kept(hal_eval, given, *workspace.flags("--predictions", given, "--overwrite"))
    judge = ("--judge", "captions", "--judge-model", "j")
    call = ("--descriptions", given, *judge, "--overwrite")
    assert is_kept(hal_eval, given, *workspace.flags(*call, command="generative"))
