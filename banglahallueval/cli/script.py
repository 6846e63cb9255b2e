"""Run a script's body: environment, exit status, one line for a user's mistake."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from dotenv import find_dotenv

from banglahallueval.environment import load_files
from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import find_repository


def run_script(body: Callable[[], int]) -> NoReturn:
    """Run a script's body; a user's mistake is one line on standard error, never a traceback.

    Exit status 2 is a wrong call or input, 1 a run that could not finish everything.
    """
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a Windows console may not be UTF-8
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with contextlib.suppress(ValueError):  # a terminated run stops as cleanly as Ctrl-C does
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        # The nearest .env of the current folder or one above it, then the project's own.
        root = find_repository()
        own = root / ".env" if root else None
        load_files(Path(file) for file in (find_dotenv(usecwd=True), own) if file)
        status = body()
    except UsageError as error:
        status = report_error(error, 2)
    except RunError as error:
        status = report_error(error, 1)
    except ModuleNotFoundError as error:
        if (error.name or __package__).partition(".")[0] == __package__.partition(".")[0]:
            raise
        status = report_error(_missing(error), 2)
    except KeyboardInterrupt:
        status = report_error("stopped", 1)
    except BrokenPipeError:  # as in `script | head`
        sys.stderr.close()
        status = 1
    except OSError as error:  # as of a file name that is too long
        status = report_error(error, 1)
    sys.exit(status)


def _missing(error: ModuleNotFoundError) -> str:
    """Say how to install a library that the environment of `make demo` lacks."""
    install = shlex.join([sys.executable, "-m", "pip", "install", "-e"])
    return (
        f"{error}; 'make install' brings all that the project needs, as does {install} "
        f"{shlex.quote(str(find_repository() or '.'))}"
    )


def _open_closed_streams() -> None:
    """Open standard streams that the caller closed, as `2>&-` does, on the null device.

    Else the next file that is opened takes the stream's place, and what a library prints to the
    stream goes into that file.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It stays open as long as the process.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def report_error(error: object, status: int) -> int:
    """Print an error as one line; gives the exit status back."""
    sys.stdout.flush()
    print(f"error: {error}", file=sys.stderr)
    return status
