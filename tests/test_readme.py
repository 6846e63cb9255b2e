"""Documented commands run as printed, and leave nothing in a clone that git would list."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import regex

from tests.scripting import ROOT, Finished, environment
from tests.scripts.test_command_lines import scripts

# Why a command does not run here, by its beginning. Every other one has to run offline.
NOT_RUN = {
    "make": "sets up .venv with pip, from the network",
    "pip install": "comes from the network",
    "python -m venv": "makes the environment that pip fills",
    "source": "changes the shell that reads it",
    ".venv\\Scripts\\activate": "changes the shell that reads it",
}
DEMO = "scripts/demo.py"
_OUTPUT = regex.compile(r'--(?:output|output-dir|out|plots|selected) ("[^"]+"|[\w./-]+)')
_BLOCK = regex.compile(r"^```\w*\n(.*?)^```", regex.M | regex.S)
_BYTECODE = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
# A dry run needs a key, and asks nobody.
_KEY = {"GOOGLE_API_KEY": "key-of-nobody"}
# Runs a clone's scripts one after the other: each in a process of its own would mostly import.
_ONE_BY_ONE = """
import json, sys
from tests.in_process import run_script
commands, key = json.load(sys.stdin)
json.dump([run_script(*words, env=key) for words in commands], sys.stdout)
"""


def commands() -> list[str]:
    """List the README's commands in their order; a block of commands begins with one."""
    blocks = _BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    lines: list[str] = []
    for block in blocks:
        if block.startswith(("python ", *NOT_RUN)):
            lines += block.replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def offline_commands() -> list[list[str]]:
    """The words of every command that runs here."""
    return [shlex.split(line) for line in commands() if not line.startswith(tuple(NOT_RUN))]


def documented_outputs() -> set[str]:
    """The files and folders that commands in documents and docstrings write into the clone."""
    documents = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *(ROOT / name for name in scripts())]
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents)
    names = {found.strip('"') for found in _OUTPUT.findall(text)}
    return {name for name in names if not name.startswith(("/", "STUDY", "--"))}


def git(*words: object, cwd: Path) -> str:
    """Run git as nobody in particular, with no settings but the repository's own."""
    settings = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    return subprocess.run(
        ["git", *identity, *map(str, words)],
        cwd=cwd,
        env=environment(settings),
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the working tree as it stands: every file that git does not ignore."""
    folder = tmp_path_factory.mktemp("readme")
    top = folder / "clone"
    git("init", "--quiet", top, cwd=folder)
    git("--git-dir", top / ".git", "--work-tree", ROOT, "add", "--all", cwd=ROOT)
    git("commit", "--quiet", "--message", "As it stands", cwd=top)
    git("reset", "--quiet", "--hard", cwd=top)
    return top


def test_the_readme_has_commands_that_run() -> None:
    """Each is a script of ours: what is neither that nor listed above needs a reason there."""
    assert len(offline_commands()) > 10
    strange = [words for words in offline_commands() if words[0] != "python"]
    assert strange == []


def test_commands_run_and_leave_the_clone_clean(clone: Path) -> None:
    """Bytecode, labelled files, reports, stores and studies are all ignored.

    The demo runs with the libraries alone that `make demo` installs, and uses each of them.
    """
    variables = environment({"PYTHONPATH": str(clone)})
    for name in _BYTECODE:
        variables.pop(name, None)
    words = [words for _, *words in offline_commands() if words[0] != DEMO]
    demo = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "demo_libraries.py"), DEMO],
        cwd=clone,
        env=variables,
        capture_output=True,
        text=True,
    )
    assert demo.returncode == 0, demo
    child = subprocess.run(
        [sys.executable, "-c", _ONE_BY_ONE],
        cwd=clone,
        env=variables,
        input=json.dumps([words, _KEY]),
        check=True,
        capture_output=True,
        text=True,
    )
    for (script, *_), done in zip(words, json.loads(child.stdout), strict=True):
        ended = Finished(*done)
        assert ended.code == 0, (script, ended)
        assert "error: " not in ended.err, (script, ended)
    assert list(clone.glob("*/__pycache__/*.pyc")) != []
    assert git("status", "--porcelain", cwd=clone) == ""


def test_git_ignores_every_documented_output(clone: Path) -> None:
    """Those of commands that need a model, a key or data of the user's own, too."""
    names = documented_outputs()
    assert len(names) > 20
    ignored = git("check-ignore", *(f"{name}/file" for name in names), cwd=clone).splitlines()
    assert sorted(names - {path.removesuffix("/file") for path in ignored}) == []
