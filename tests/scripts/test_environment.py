"""A script that its Python cannot run ends in one line that says which Python can."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripting import ROOT, environment
from tests.scripts.test_command_lines import scripts

STAND_IN = "banglahallueval.py"
ONE_OF_EACH_FOLDER = list({Path(script).parent: script for script in scripts()[::-1]}.values())


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the package, its prompts and its scripts, with a space in its name."""
    top = tmp_path / "my clone"
    for folder in (Path("banglahallueval"), *(Path(s).parent for s in ONE_OF_EACH_FOLDER)):
        files = (ROOT / folder).rglob("*.*")
        for path in (file for file in files if file.suffix in (".py", ".txt")):
            target = top / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return top


def run(*command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment({"PYTHONPATH": "", **variables}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    return line


def add_venv(clone: Path) -> None:
    """Make .venv/bin/python the Python that runs the tests, with this clone's package."""
    python = clone / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    python.parent.mkdir(parents=True)
    python.write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(clone))} exec {shlex.quote(sys.executable)} "
        '"$@"\n',
        encoding="utf-8",
    )
    python.chmod(0o755)


def test_every_folder_of_scripts_has_a_stand_in() -> None:
    """Without it the first import of a script could end in a traceback."""
    assert [s for s in ONE_OF_EACH_FOLDER if not (ROOT / s).with_name(STAND_IN).is_file()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="its .venv is a shell script")
@pytest.mark.parametrize(
    ("script", "below"),
    [*((script, ".") for script in ONE_OF_EACH_FOLDER), ("scripts/label.py", "my clone")],
)
def test_a_python_without_the_package_names_the_one_that_has_it(
    clone: Path, script: str, below: str
) -> None:
    """The command that the line gives runs as it stands, from any folder."""
    add_venv(clone)
    cwd = clone.parent / below
    called = str((clone / script).relative_to(cwd))
    line = only_line(run(sys.executable, "-S", called, "--help", cwd=cwd))
    assert "No module named 'banglahallueval'" in line
    command = shlex.split(line.rpartition("; run ")[2])
    assert command[1:] == [called, "--help"]
    again = run(*command, cwd=cwd)
    assert again.returncode == 0, again.stderr
    assert "usage: " in again.stdout


@pytest.mark.parametrize("script", ONE_OF_EACH_FOLDER)
def test_a_missing_library_is_named(clone: Path, script: str, tmp_path: Path) -> None:
    """An environment older than the project lacks a library; pip brings it up to date."""
    lacking = tmp_path / "lacking"
    lacking.mkdir()
    (lacking / "dotenv.py").write_text("raise ModuleNotFoundError(\"No module named 'dotenv'\")\n")
    path = os.pathsep.join(map(str, (lacking, clone)))
    line = only_line(run(sys.executable, str(clone / script), cwd=tmp_path, PYTHONPATH=path))
    assert "No module named 'dotenv'" in line
    assert "-m pip install -e" in line
    assert str(clone) in line


def test_a_clone_without_an_environment_says_how_to_make_one(clone: Path) -> None:
    """Right after cloning there is no .venv to point at."""
    line = only_line(run(sys.executable, "-S", "scripts/label.py", cwd=clone))
    assert "make demo" in line
    assert line.endswith("-m pip install -e .")


def test_an_old_python_is_told_which_one_is_needed(clone: Path, tmp_path: Path) -> None:
    """It is not advised to install the project where it cannot run."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.version_info = (3, 9, 18)\n")
    line = only_line(run(sys.executable, "scripts/label.py", cwd=clone, PYTHONPATH=str(tmp_path)))
    assert "needs Python 3.11 or later" in line
    assert "pip" not in line


def test_other_errors_keep_their_traceback(clone: Path) -> None:
    """A fault of the project's own is not called one of the environment."""
    (clone / "scripts" / "faulty.py").write_text("import banglahallueval\n\n1 / 0\n")
    done = run(sys.executable, "scripts/faulty.py", cwd=clone, PYTHONPATH=str(clone))
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr
