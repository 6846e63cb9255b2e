"""Runs against a Gemini server: the Developer API and Vertex AI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.scripting import Finished
from tests.scripts.rows import column, record, write_qa
from tests.servers.answers import Answer, Answerer, Body, Failure, always, in_turn, prompt_of
from tests.servers.gemini_failures import MODEL, blocked, daily_quota, ended, rate_limited
from tests.servers.gemini_server import GeminiServer

pytest.importorskip("google.genai")

Run = Callable[..., Finished]
Servers = Callable[..., GeminiServer]


def by_row(answers: Mapping[int, Answer | Failure]) -> Answerer:
    """The answers to the rows of these numbers; `No` to all others."""

    def answer(body: Body) -> Answer | Failure:
        prompt = prompt_of(body)
        return next((a for row, a in answers.items() if f"উত্তর {row}" in prompt), Answer("No"))

    return answer


@pytest.fixture
def label(run_script: Run, tmp_path: Path) -> Run:
    """Labels six rows with the model and what further flags say, into `out.csv`."""
    source = write_qa(tmp_path / "in.csv", 6)

    def run(server: GeminiServer, *more: object, env: Mapping[str, str] | None = None) -> Finished:
        usual = ("--task", "qa", "--judge", "gemini", "--model", MODEL, "--prompt", "qa.standard")
        files = ("--input", source, "--output", tmp_path / "out.csv")
        return run_script("scripts/label.py", *usual, *files, *more, env=env or server.variables())

    return run


@pytest.mark.parametrize("api", ["developer", "vertex"])
def test_rows_are_labelled_counted_and_priced(
    gemini_server: Servers, label: Run, tmp_path: Path, api: str
) -> None:
    server = gemini_server(models=[MODEL], answer=by_row({2: Answer("Yes")}))
    env = server.variables() if api == "developer" else server.vertex_variables(tmp_path)
    done = label(server, env=env)
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    output = tmp_path / "out.csv"
    assert column(output, "is_hallucinated") == ["no", "no", "yes", "no", "no", "no"]
    written = record(output)
    model, run = written["judge"]["model"], written["runs"][-1]
    assert (model["provider"], model["served"]) == ("gemini", [MODEL])
    assert run["asked"] == 6
    assert run["cost_usd"] > 0
    assert "AIza-test-key" not in done.out + done.err + output.read_text(encoding="utf-8")


def test_withheld_and_cut_replies_are_states_of_their_own(
    gemini_server: Servers, label: Run, tmp_path: Path
) -> None:
    answers = {0: blocked(), 1: ended("SAFETY"), 2: ended("MAX_TOKENS"), 3: ended("STOP")}
    done = label(gemini_server(answer=by_row(answers)))
    assert done.code == 0, done.err
    reasons = column(tmp_path / "out.csv", "unknown_reason")
    assert reasons == ["filtered", "filtered", "cut off", "empty reply", "", ""]


def test_a_rate_limit_costs_no_row(gemini_server: Servers, label: Run, tmp_path: Path) -> None:
    server = gemini_server(answer=in_turn(rate_limited(0.2), "No"))
    assert label(server).code == 0
    assert column(tmp_path / "out.csv", "is_hallucinated") == ["no"] * 6


def test_the_days_quota_ends_a_run_that_goes_on_later(
    gemini_server: Servers, label: Run, tmp_path: Path
) -> None:
    server = gemini_server(answer=by_row({3: daily_quota()}))
    stopped = label(server, "--concurrency", 1)
    assert stopped.code == 1
    assert "the quota of the day is used up" in stopped.err
    server.answer = always("No")
    done = label(server, "--resume")
    assert done.code == 0, done.err
    assert column(tmp_path / "out.csv", "is_hallucinated") == ["no"] * 6
    asked = [seen for seen in server.requests if seen.method == "POST"]
    assert len(asked) == 7  # that of row 3 twice


def test_the_thinking_budget_is_sent(gemini_server: Servers, label: Run) -> None:
    server = gemini_server(answer=always(Answer("No", thinking="ভাবি " * 400)))
    assert label(server, "--thinking-budget", -1).code == 0
    assert label(server, "--thinking-budget", -2).code == 2
    bodies = [seen.body for seen in server.requests if seen.method == "POST"]
    assert {body["generationConfig"]["maxOutputTokens"] for body in bodies} == {16 + 4096}


def test_a_hybrid_asks_a_gemini_model(
    gemini_server: Servers, run_script: Run, tmp_path: Path
) -> None:
    server, source = gemini_server(answer=always("No")), write_qa(tmp_path / "in.csv", 2)
    files = ("--input", source, "--output", tmp_path / "out.csv", "--model", MODEL)
    done = run_script(
        *("scripts/label.py", "--task", "qa", "--judge", "hybrid", "--provider", "gemini"),
        *files,
        env=server.variables(),
    )
    assert done.code == 0, done.err
    assert [seen.path for seen in server.requests][-1].endswith(f"/{MODEL}:generateContent")


def test_other_providers_make_no_use_of_a_thinking_budget(
    gemini_server: Servers, label: Run
) -> None:
    refused = label(gemini_server(), "--judge", "openai", "--thinking-budget", 5)
    assert refused.code == 2
    assert "--judge openai makes no use of --thinking-budget" in refused.err
