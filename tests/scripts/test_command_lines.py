"""Every script's flags, held against the committed list."""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path

import pytest
import regex

from tests.scripting import ROOT

LIST = Path(__file__).with_name("command_lines.json")
FLAGS: dict[str, str] = json.loads(LIST.read_text(encoding="utf-8"))
_FLAG = regex.compile(r"^ {2}(?:-\w, )?(--[\w-]+)", regex.M)
DOCS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
_FOLDERS = ("scripts", "annotation", "Codemix", "Reasoning")


def scripts() -> list[str]:
    """Every script of the repository, by its path from the root."""
    found = (path for folder in _FOLDERS for path in (ROOT / folder).rglob("*.py"))
    stand_in = "banglahallueval.py"  # found before the package; see test_environment.py
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.name != stand_in)


def script_of(call: str) -> str:
    """The script of a call that may name one of its commands behind it."""
    return call.partition(".py ")[0].removesuffix(".py") + ".py"


def flags_in_help(
    call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> set[str]:
    """The flags that `--help` shows, of a script or of one of its commands."""
    script, command = script_of(call), call.removeprefix(script_of(call)).split()
    monkeypatch.setattr(sys, "argv", [str(ROOT / script), *command, "--help"])
    monkeypatch.setenv("COLUMNS", "200")
    environment = dict(os.environ)
    try:
        with pytest.raises(SystemExit) as stopped:
            runpy.run_path(str(ROOT / script), run_name="__main__")
    finally:
        os.environ.clear()
        os.environ.update(environment)
    assert stopped.value.code == 0
    flags, _, _ = capsys.readouterr().out.partition("\npython ")  # before the examples
    return set(_FLAG.findall(flags))


@pytest.mark.parametrize("path", [*scripts(), "README.md", *DOCS])
def test_no_example_parts_a_flag_from_its_value(path: str) -> None:
    """Fault: an example broke its line behind `--models`."""
    text = (ROOT / path).read_text(encoding="utf-8")
    assert not regex.findall(r"(?<= )--?[a-z][\w-]* \\\n +[^-\s].*", text)


def test_the_list_names_every_script() -> None:
    assert sorted({script_of(call) for call in FLAGS}) == scripts()


@pytest.mark.parametrize("call", FLAGS)
def test_help_shows_the_listed_flags(
    call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flags_in_help(call, monkeypatch, capsys) == set(FLAGS[call].split())
