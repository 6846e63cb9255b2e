"""Tables made anew: of the same data, and by flags that they depend on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import Call
from tests.vision.discriminative.calling import Workspace, answering, asking
from tests.vision.generative.calling import saying

Serving = Callable[..., OpenAIServer]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def made(workspace: Workspace, hal_eval: Call, server: OpenAIServer, command: str) -> list[object]:
    """Make an output; returns the call that makes its tables anew."""
    pictures = [] if command == "baseline" else ["--image-root", workspace.pictures]
    call = [command, "--data", workspace.data, "--output", workspace.output]
    done = hal_eval(*call, *pictures, *asking(server))
    assert done.code == 0, done.err
    return [*call, "--only-tables"]


@pytest.mark.parametrize("command", ["discriminative", "baseline", "generative"])
def test_tables_are_of_the_data_that_the_rows_were_made_from(
    workspace: Workspace, hal_eval: Call, openai_server: Serving, command: str
) -> None:
    """And no model has to be named."""
    answer = saying() if command == "generative" else answering()
    call = made(workspace, hal_eval, openai_server(answer=answer), command)
    assert hal_eval(*call).code == 0
    workspace.data.write_text(workspace.data.read_text() + "\n", encoding="utf-8")
    done = hal_eval(*call)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"is not of {workspace.data}" in done.err
    workspace.data.unlink()
    assert "no file" in hal_eval(*call).err


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("discriminative", ("--kinds", "event")),
        ("discriminative", ("--limit", "1")),
        ("discriminative", ("--lang", "bn")),
        ("discriminative", ("--max-side", "9")),
        ("discriminative", ("--model", "m")),
        ("discriminative", ("--resume",)),
        ("discriminative", ("--predictions", "p.csv")),
        ("baseline", ("--start", "1")),
        ("baseline", ("--provider", "ollama")),
        ("generative", ("--limit", "1")),
        ("generative", ("--lang", "bn")),
        ("generative", ("--judge", "both")),
        ("generative", ("--clean",)),
        ("generative", ("--descriptions", "d.csv")),
    ],
)
def test_flags_that_change_nothing_are_refused(
    workspace: Workspace, hal_eval: Call, command: str, flags: tuple[str, ...]
) -> None:
    call = [command, "--data", workspace.data, "--output", workspace.output, "--only-tables"]
    done = hal_eval(*call, *flags)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "--only-tables" in done.err
    assert f"leave out {flags[0]}" in done.err


def test_guesses_by_rules_have_one_table_alone(workspace: Workspace, hal_eval: Call) -> None:
    call = workspace.flags(command="baseline")
    assert hal_eval(*call).code == 0
    done = hal_eval(*call, "--only-tables")
    assert (done.code, "make it anew with --overwrite" in done.err) == (2, True)


def test_what_figures_depend_on_stands_beside_them(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    workspace.items[0]["hal_caption"][1]["caption"] = ""
    workspace.data.write_text(json.dumps(workspace.items), encoding="utf-8")
    call = workspace.flags(*asking(openai_server(answer=answering())), "--max-side", "9")
    assert hal_eval(*call, "--clean").code == 0
    about = workspace.json()["about"]
    assert about["defective"] == "1 captions: empty; left out"
    assert about["pictures"] == "longer sides scaled down to 9 pixels (--max-side)"
    text = workspace.output.with_suffix(".md").read_text(encoding="utf-8")
    assert "1 captions: empty; left out" in text
    assert "(--max-side)" in text
    assert "(--clean)" in text
