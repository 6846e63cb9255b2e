"""Pictures that change between runs, or cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import Call
from tests.vision.discriminative.calling import Workspace, answering, asking, questions
from tests.vision.generative.calling import saying

Serving = Callable[..., OpenAIServer]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


@pytest.mark.parametrize("command", ["discriminative", "generative"])
@pytest.mark.parametrize("limit", [(), ("--limit", "1")])
def test_rows_about_two_pictures_do_not_mix(
    workspace: Workspace,
    hal_eval: Call,
    openai_server: Serving,
    command: str,
    limit: tuple[str, ...],
) -> None:
    """Whether or not anything is left to ask."""
    server = openai_server(answer=answering() if command == "discriminative" else saying())
    files = ("--data", workspace.data, "--output", workspace.output)
    call = [command, *files, "--image-root", workspace.pictures, *asking(server)]
    assert hal_eval(*call, *limit).code == 0
    before, asked = workspace.output.read_bytes(), len(server.requests)
    kept = workspace.picture(0).read_bytes()
    workspace.picture(0).write_bytes(workspace.picture(1).read_bytes())
    done = hal_eval(*call, "--resume")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "val2014/0.png of item 0 is not the picture that was shown" in done.err
    assert (workspace.output.read_bytes(), len(server.requests)) == (before, asked)
    workspace.picture(0).write_bytes(kept)
    assert hal_eval(*call, "--resume").code == 0


@pytest.mark.parametrize("command", ["discriminative", "generative"])
def test_unreadable_pictures_are_counted_before_anything_is_asked(
    workspace: Workspace, hal_eval: Call, openai_server: Serving, command: str
) -> None:
    workspace.picture(1).unlink()
    workspace.picture(2).write_text("no picture", encoding="utf-8")
    server = openai_server(answer=answering() if command == "discriminative" else saying())
    files = ("--data", workspace.data, "--output", workspace.output)
    call = [command, *files, "--image-root", workspace.pictures, *asking(server)]
    planned = hal_eval(*call, "--dry-run")
    done = hal_eval(*call)
    assert done.code == 1
    for said in (planned.out, done.out):
        assert "1 of 4 pictures are not in" in said
        assert "1 of 4 pictures cannot be read; the first is val2014/2.png" in said
    assert ("10 of 20 questions" if command == "discriminative" else "2 to judge") in planned.out
    assert "image unreadable" in done.out
    assert len(questions(server)) == (10 if command == "discriminative" else 4)
    for place in (0, 3):
        workspace.picture(place).unlink()
    done = hal_eval(*call, "--overwrite")
    assert (done.code, "cannot be read" in done.err) == (2, True)
