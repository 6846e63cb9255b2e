"""The reply budget is decided in one place, for requests and for what a dry run counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import regex

from banglahallueval.generation.generator import THINKING_BUDGET
from banglahallueval.models.options import ClientOptions
from banglahallueval.spans.building.step import reply_budget
from tests.scripting import Finished
from tests.servers.openai_server import OpenAIServer
from tests.spans.building.test_pipeline import asked

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]

STEPS = {
    "questions": ("--model", "m-1"),
    "answers": ("--models", "openai:m-1"),
    "annotate": ("--model", "m-1"),
    "filter": ("--model", "m-1"),
}


def budgets(server: OpenAIServer, since: int) -> list[int]:
    """The budgets of requests behind the first ones."""
    bodies = [seen.body for seen in asked(server)[since:]]
    return [body.get("max_completion_tokens") or body["max_tokens"] for body in bodies]


def upper_bound(done: Finished) -> int:
    """The reply tokens that a dry run counts."""
    found = regex.search(r"at most ([\d,]+) reply tokens", done.out)
    assert found, done.out
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("flags", [(), ("--max-tokens", 777)])
@pytest.mark.parametrize("step", STEPS)
def test_a_dry_run_counts_the_budgets_that_are_sent(
    step: str,
    flags: tuple[object, ...],
    build: Build,
    until: Until,
    server: OpenAIServer,
) -> None:
    """Faults: `--max-tokens` was counted and not sent, and each passage was counted three times."""
    until(step, server)
    counted = upper_bound(build(step, *STEPS[step], *flags, "--dry-run", on=server))
    before = len(asked(server))
    done = build(step, *STEPS[step], *flags, on=server)
    assert done.code == 0, done.err
    sent = budgets(server, before)
    assert sum(sent) == counted
    assert len(sent) == (3 if step == "questions" else 9)
    if flags:
        assert set(sent) == {777}


def test_the_record_has_the_budget(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("questions", server)
    assert build("questions", *STEPS["questions"], "--max-tokens", 900, on=server).code == 0
    record = json.loads((tmp_path / "set/questions.csv.run.json").read_text(encoding="utf-8"))
    assert record["parameters"]["max_tokens"] == 900


def test_a_model_that_thinks_has_room_for_it_unless_the_budget_is_given() -> None:
    options = ClientOptions("openai", "m")
    assert reply_budget(options, 64, thinking=False) == 64
    assert reply_budget(options, 64, thinking=True) == 64 + THINKING_BUDGET
    given = ClientOptions("openai", "m", max_tokens=9)
    assert reply_budget(given, 64, thinking=True) == 9
