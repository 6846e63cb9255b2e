"""A run that cannot come to verdicts says so early."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.errors import RunError
from banglahallueval.labelling.first_rows import FirstRows
from banglahallueval.verdicts import CONTEXT_TRUNCATED, CUT_OFF, Verdict
from tests.scripting import Finished
from tests.scripts.rows import write_qa
from tests.servers.answers import Answer, always
from tests.servers.openai_server import OpenAIServer


def test_twenty_rows_cut_for_one_reason_stop_the_run() -> None:
    first = FirstRows()
    for _ in range(19):
        first.add(Verdict("unknown", CUT_OFF))
    with pytest.raises(RunError, match="--max-tokens"):
        first.add(Verdict("unknown", CUT_OFF))


def test_one_verdict_lets_the_run_go_on() -> None:
    first = FirstRows()
    first.add(Verdict("no"))
    for _ in range(50):
        first.add(Verdict("unknown", CONTEXT_TRUNCATED))
    assert first.advice() == ""


def test_unreadable_replies_do_not_stop_a_run() -> None:
    first = FirstRows()
    for _ in range(50):
        first.add(Verdict("unknown", "unparsed"))
    assert first.advice() == ""


@pytest.mark.parametrize(("rows", "status", "written"), [(3, 0, True), (40, 1, False)])
def test_a_run_of_cut_replies_ends_with_what_to_do(
    rows: int,
    status: int,
    written: bool,
    tmp_path: Path,
    openai_server: Callable[..., OpenAIServer],
    run_script: Callable[..., Finished],
) -> None:
    server = openai_server(answer=always(Answer("In the given context", finish="length")))
    source = write_qa(tmp_path / "in.csv", rows)
    output = tmp_path / "out.csv"
    ran = run_script(
        *("scripts/label.py", "--task", "qa", "--judge", "openai", "--model", "m"),
        *("--base-url", server.url, "--input", source, "--output", output),
    )
    assert ran.code == status
    assert "raise --max-tokens" in ran.out + ran.err
    assert output.exists() is written
