"""Running a script's body inside the test's process; starting Python each time is slow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from banglahallueval.cli.script import run_script
from tests.scripting import Finished


def ended(capsys: pytest.CaptureFixture[str], body: Callable[[], int]) -> Finished:
    """Run a body as a script does: exit status, and one line for a user's mistake."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        run_script(body)
    out, err = capsys.readouterr()
    return Finished(int(stopped.value.code or 0), out, err)
