"""Load the installed package; where it or a library is missing, say in one line what to run.

Python looks beside a script first, so a script's `import banglahallueval` finds this file. It steps
aside for the package; any import that fails from then on ends in one line, not in a traceback.
The files of this name in the other folders of scripts run this one.

It runs on any Python from 3.6 on, since an old Python may be what is wrong.
"""

import importlib
import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NoReturn

_ROOT = Path(__file__).resolve().parents[1]
_VENV = _ROOT / ".venv"
_OLDEST = (3, 11)


def _stop(problem: str) -> NoReturn:
    message = f"error: {problem} (Python: {sys.executable}); {_remedy()}"
    print(" ".join(message.split()), file=sys.stderr)
    raise SystemExit(2)


def _remedy() -> str:
    """Say what to run instead."""
    python = _VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    inside = Path(sys.prefix).resolve() == _VENV.resolve()
    if python.exists() and not inside:
        return f"run {_command([_shown(python), *sys.argv])}"
    if sys.version_info < _OLDEST:
        return "install one, and set up .venv with it as the README says"
    # pip takes a folder's bare name for that of a package.
    here = "." if Path.cwd() == _ROOT else str(_ROOT)
    install = _command([sys.executable, "-m", "pip", "install", "-e", here])
    if inside:
        return f"'make install' brings all that the project needs, as does {install}"
    return (
        f"run 'make demo' (for the demo alone) or 'make install', which set up .venv, or {install}"
    )


def _shown(path: Path) -> str:
    """Give a path as the user would write it from where they are."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _command(words: "list[str]") -> str:
    if os.name == "nt":
        return subprocess.list2cmdline(words)
    return " ".join(map(shlex.quote, words))


def _excepthook(
    kind: "type[BaseException]", error: BaseException, trace: "TracebackType | None"
) -> None:
    if isinstance(error, ImportError):
        _stop(str(error))
    if isinstance(error, KeyboardInterrupt):  # before the script itself can say so
        print("error: stopped", file=sys.stderr)
        return
    sys.__excepthook__(kind, error, trace)


if "banglahallueval" not in sys.modules:
    raise SystemExit("error: this is no script; it finds the package for those beside it")
if sys.version_info < _OLDEST:
    _stop("this project needs Python 3.11 or later")
sys.excepthook = _excepthook
sys.path[:] = [folder for folder in sys.path if not (Path(folder) / "banglahallueval.py").is_file()]
del sys.modules["banglahallueval"]
importlib.import_module("banglahallueval")
