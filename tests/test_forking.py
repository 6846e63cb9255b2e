"""A forked script is to its test what a started one is."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forking import possible
from tests.scripting import Finished, run_script, start_script

pytestmark = pytest.mark.skipif(not possible(()), reason="this system does not fork")

SHOWN = """
import os, sys
import banglahallueval.hashing
print(sys.argv, os.getcwd(), __name__, __file__, sys.stdout.encoding, sys.stdin.read())
print(sorted(os.environ.items()), [name for name in sys.path if not name.endswith('.zip')])
print(banglahallueval.hashing.__file__, len(sys.modules) > 0)
print("বাংলা", file=sys.stderr)
"""


def written(folder: Path, code: str) -> str:
    (folder / "script.py").write_text(code, encoding="utf-8")
    return str(folder / "script.py")


def both(script: str, *args: str, **options: object) -> list[Finished]:
    return [run_script(script, *args, forked=way, **options) for way in (True, False)]  # type: ignore[arg-type]


def test_a_script_sees_the_same_either_way(tmp_path: Path) -> None:
    """Arguments, folder, variables, module path and streams."""
    script, env = written(tmp_path, SHOWN), {"PYTHONPATH": "", "SOME": "থা"}
    forked, started = both(script, "a b", "-x", cwd=tmp_path, env=env)
    assert forked.code == 0, forked.err
    assert forked == started


def test_the_project_is_loaded_from_where_the_path_says(tmp_path: Path) -> None:
    """And anew by each script: a copy in one folder, then another in a second."""
    script = written(tmp_path, "import banglahallueval; print(banglahallueval.__file__)")
    for name in ("one", "two"):
        package = tmp_path / name / "banglahallueval"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        done = run_script(script, env={"PYTHONPATH": str(tmp_path / name)})
        assert done.out.strip() == str(package / "__init__.py")


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("print(1)", 0),
        ("raise SystemExit(3)", 3),
        ("raise SystemExit('no')", 1),
        ("1 / 0", 1),
        ("import atexit; atexit.register(print, 'end'); import missing_module", 1),
    ],
)
def test_ends_are_the_same_either_way(tmp_path: Path, code: str, status: int) -> None:
    forked, started = both(written(tmp_path, code))
    assert (forked.code, forked.out) == (started.code, started.out) == (status, started.out)
    assert forked.err.splitlines()[-1:] == started.err.splitlines()[-1:]


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_signal_is_the_exit_status(tmp_path: Path, sign: signal.Signals) -> None:
    script = written(tmp_path, "import signal; print('up', flush=True); signal.pause()")
    process = start_script(script)
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0)
    process.send_signal(sign)
    process.communicate()
    assert process.poll() == process.returncode == -sign
    process.kill()  # after the end: nothing


def test_variables_that_python_reads_as_it_starts_start_it(tmp_path: Path) -> None:
    script = written(tmp_path, "import sys; print(sys.flags.optimize)")
    assert run_script(script, env={"PYTHONOPTIMIZE": "2"}).out == "2\n"
    assert Path(sys.executable).exists()
