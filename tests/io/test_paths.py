"""Default paths start from a clone, and only there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import find_repository, keep_apart, repository_root
from tests.scripting import ROOT, run_script

ROWS = "context,question,answer\nতিনি ১৮৬১ সালে জন্মগ্রহণ করেন।,তিনি কবে জন্মগ্রহণ করেন?,১৮৬২ সালে\n"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder that holds the package alone, as site-packages do."""
    folder = tmp_path / "site-packages"
    shutil.copytree(ROOT / "banglahallueval", folder / "banglahallueval")
    return folder


def test_the_clone_is_found_from_the_package() -> None:
    assert repository_root() == find_repository() == ROOT


def test_default_files_outside_a_clone_are_refused_in_one_line(
    installed: Path, tmp_path: Path
) -> None:
    """A wheel in site-packages once looked for the benchmark beside other packages."""
    env = {"PYTHONPATH": str(installed)}
    done = run_script("scripts/label.py", "--task", "qa", cwd=tmp_path, env=env)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "installed outside one; name every file with a flag" in done.err


def test_named_files_need_no_clone(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(ROWS, encoding="utf-8")
    words = ["--task", "qa", "--input", "in.csv", "--output", "out.csv"]
    done = run_script("scripts/label.py", *words, cwd=tmp_path, env={"PYTHONPATH": str(installed)})
    assert done.code == 0, done.err
    assert (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("in.csv", "is the input itself"),
        ("link.csv", "is the input itself"),
        ("out.txt", "name a .csv file"),
        ("a" * 245 + ".csv", "name too long"),
        ("one.csv", "is the file of --output"),
    ],
)
def test_outputs_that_cannot_be_are_refused(tmp_path: Path, name: str, message: str) -> None:
    """The second output of a run was once found too long after everything had been asked."""
    (tmp_path / "in.csv").touch()
    (tmp_path / "link.csv").symlink_to("in.csv")
    with pytest.raises(UsageError, match=message):
        keep_apart(tmp_path / "in.csv", output=tmp_path / "one.csv", selected=tmp_path / name)
