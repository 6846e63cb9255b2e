"""Run a script's body: environment, exit status, one line for a user's mistake."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from dotenv import find_dotenv

from banglahallueval.environment import load_files
from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import ROOT


def run_script(body: Callable[[], int]) -> NoReturn:
    """Run a script's body; a user's mistake is one line on standard error, never a traceback.

    Exit status 2 is a wrong call or input, 1 a run that could not finish everything.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a Windows console may not be UTF-8
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with contextlib.suppress(ValueError):  # a terminated run stops as cleanly as Ctrl-C does
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        # The nearest .env of the current folder or one above it, then the project's own.
        load_files(Path(file) for file in (find_dotenv(usecwd=True), ROOT / ".env") if file)
        status = body()
    except UsageError as error:
        status = report_error(error, 2)
    except RunError as error:
        status = report_error(error, 1)
    except KeyboardInterrupt:
        status = report_error("stopped", 1)
    except BrokenPipeError:  # as in `script | head`
        sys.stderr.close()
        status = 1
    except OSError as error:  # as of a file name that is too long
        status = report_error(error, 1)
    sys.exit(status)


def report_error(error: object, status: int) -> int:
    """Print an error as one line; gives the exit status back."""
    if sys.stdout is not None:  # as where it was closed
        sys.stdout.flush()
    print(f"error: {error}", file=sys.stderr)
    return status
