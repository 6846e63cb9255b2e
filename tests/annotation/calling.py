"""How tests call the commands of annotation, and what a refusal looks like."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.scripting import Finished

Command = Callable[[str | None, Sequence[str] | None], int]
Call = Callable[..., Finished]
QA = ("--samples", "--fill", "--several-per-source", "--forms", "qa", "--qa", "6", "3")
TOO_LONG = 300 * "n"


def assert_refused(done: Finished, message: str) -> None:
    assert done.code == 2, done.out + done.err
    assert message in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
