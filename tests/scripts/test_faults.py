"""Whatever a server does, every row ends right, every cause is counted, nothing is invented."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clock import GUARD
from tests.scripting import Finished
from tests.scripts.rows import column, record, write_qa
from tests.servers.answers import Answer, Body, Failure, always, hashed_label
from tests.servers.faults import Faults
from tests.servers.openai_server import OpenAIServer

GPT = "scripts/label_hallucinations_gpt.py"
Run = Callable[..., Finished]
Servers = Callable[..., OpenAIServer]


def right_labels(server: OpenAIServer) -> dict[str, str]:
    return {seen.prompt: hashed_label(seen.prompt) for seen in server.requests if seen.body}


def test_random_faults_of_every_kind(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """429, 500, 524, resets, half JSON and empty bodies: the file of a server without."""
    source = write_qa(tmp_path / "in.csv", 120)
    calm = openai_server()
    base = ["--input", source, "--concurrency", 16, "--quiet"]
    assert (
        run_script(GPT, *base, "--output", tmp_path / "calm.csv", "--base-url", calm.url).code == 0
    )

    limits = ["429", "429_seconds", "429_zero", "429_past"]
    breaks = [
        "500", "502", "503", "524", "reset", "reset_midway", "short_body", "cut_chunks", "empty",
        "bad_json", "html",
    ]  # fmt: skip
    rates = {**dict.fromkeys(limits, 0.015), **dict.fromkeys(breaks, 0.03)}
    faults = Faults(rates, seed=3, retry_after=0.1)
    wild = openai_server(faults=faults)
    output = tmp_path / "wild.csv"
    done = run_script(GPT, *base, "--output", output, "--base-url", wild.url)
    assert (done.code, done.err) == (0, "")
    assert output.read_bytes() == (tmp_path / "calm.csv").read_bytes()
    counted = record(output)["runs"][-1]["failed_attempts"]
    assert sum(counted.values()) == sum(faults.counts.values())
    assert {"rate limited", "server error", "proxy timeout", "broken reply"} <= set(counted)


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("500", "server error"),
        ("524", "proxy timeout"),
        ("hang", "timeout"),
        ("bad_json", "broken reply"),
        ("empty", "broken reply"),
        ("reset", "connection failed"),
    ],
)
def test_a_fault_that_lasts_is_unknown_never_a_label(
    tmp_path: Path,
    openai_server: Servers,
    run_script: Run,
    kind: str,
    cause: str,
) -> None:
    """Total failure once wrote "no"; it is unknown with its cause, and the exit status says so."""
    server = openai_server(faults=Faults({kind: 1.0}, most=None))
    output = tmp_path / "out.csv"
    timeout = 1 if kind == "hang" else GUARD
    done = run_script(
        GPT, "--input", write_qa(tmp_path / "in.csv", 3), "--output", output,
        "--base-url", server.url, "--force-binary", "--max-retries", 1, "--timeout", timeout,
    )  # fmt: skip
    assert done.code == 1
    assert column(output, "is_hallucinated") == ["unknown"] * 3
    assert column(output, "unknown_reason") == [f"no reply: {cause}"] * 3
    assert "--resume" in done.out


def test_a_server_that_dies_stops_the_run_with_everything_kept(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """After many failures in a row the run stops, says how to go on, and goes on."""
    faults = Faults({})
    server = openai_server(faults=faults)
    answered = []

    def dies_after_thirty(body: Body) -> Answer | Failure:
        answered.append(1)
        if len(answered) > 30:
            return Failure(503, '{"error": {"message": "going down"}}')
        return Answer("no")

    server.answer = dies_after_thirty
    source, output = write_qa(tmp_path / "in.csv", 90), tmp_path / "out.csv"
    flags = ["--input", source, "--output", output, "--base-url", server.url,
             "--max-retries", 0, "--concurrency", 4]  # fmt: skip
    done = run_script(GPT, *flags)
    assert done.code == 1
    assert "requests in a row failed" in done.err
    assert "going down" in done.err
    assert not output.exists()
    assert len(answered) < 90
    server.answer = always("no")
    before = len(server.requests)
    assert run_script(GPT, *flags, "--resume").code == 0
    assert column(output, "is_hallucinated") == ["no"] * 90
    assert len(server.requests) - before <= 61  # the rest, and the list of models


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"api_key": "another"}, "OPENAI_API_KEY"),
        ({"models": ["gpt-5-nano"]}, "gpt-4.1-mini"),
    ],
)
def test_what_no_retry_mends_stops_at_once(
    tmp_path: Path, openai_server: Servers, run_script: Run, options: dict[str, Any], message: str
) -> None:
    """A refused key or an unknown model ends the run after one round, in one line."""
    server = openai_server(**options)
    done = run_script(
        GPT, "--input", write_qa(tmp_path / "in.csv", 40), "--output", tmp_path / "out.csv",
        "--base-url", server.url, "--concurrency", 2, "--quiet",
    )  # fmt: skip
    assert done.code == 1
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert len(server.requests) <= 6
    assert not (tmp_path / "out.csv").exists()


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path, run_script: Run) -> None:
    """Nothing listens at the base URL."""
    done = run_script(
        GPT, "--input", write_qa(tmp_path / "in.csv", 2), "--output", tmp_path / "o.csv"
    )
    assert done.code == 1
    assert "127.0.0.1:9" in done.err
    assert "Traceback" not in done.err


def test_a_rate_limit_costs_no_row(tmp_path: Path, openai_server: Servers, run_script: Run) -> None:
    """A 429 is counted, and its row asked again when the server's second is up."""
    server = openai_server()
    first: list[bool] = []

    def limited_once(body: Body) -> Answer | Failure:
        if not first:
            first.append(True)
            return Failure(429, '{"error": {"message": "slow down"}}', {"Retry-After": "1"})
        return Answer("no")

    server.answer = limited_once
    output = tmp_path / "out.csv"
    done = run_script(
        GPT, "--input", write_qa(tmp_path / "in.csv", 40), "--output", output,
        "--base-url", server.url, "--concurrency", 1, "--max-retries", 0, "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert column(output, "is_hallucinated") == ["no"] * 40
    assert record(output)["runs"][-1]["failed_attempts"] == {"rate limited": 1}


def test_parameters_a_model_refuses_are_learned_once(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """Temperature, max_tokens and logprobs of a reasoning model cost a refusal each, not a row."""
    server = openai_server(refuses=["temperature", "max_tokens", "logprobs"])
    output = tmp_path / "out.csv"
    done = run_script(
        GPT, "--input", write_qa(tmp_path / "in.csv", 30), "--output", output,
        "--base-url", server.url, "--concurrency", 2,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert set(column(output, "is_hallucinated")) <= {"yes", "no"}
    assert set(column(output, "p_hallucinated")) == {""}  # absent, not 0
    refused = [seen for seen in server.requests if seen.status == 400]
    assert len(refused) <= 6
    assert len(record(output)["judge"]["model"]["learned"]) == 3


@pytest.mark.parametrize(
    ("answer", "label", "reason"),
    [
        (Answer("I'm sorry, but I can't help with that."), "unknown", "refused"),
        (Answer(None), "unknown", "empty reply"),
        (Answer("", finish="content_filter"), "unknown", "filtered"),
        (Answer("The answer claims that the", finish="length"), "unknown", "cut off"),
        (Answer(None, refusal="I cannot judge this."), "unknown", "refused"),
        (Answer("Not sure"), "unknown", "unparsed"),
        (Answer("**Yes**"), "yes", ""),
    ],
)
def test_replies_without_a_verdict_keep_their_reason(
    tmp_path: Path,
    openai_server: Servers,
    run_script: Run,
    answer: Answer,
    label: str,
    reason: str,
) -> None:
    """Refusals, cuts, filters and doubts are told apart, with the raw reply beside them."""
    server = openai_server(answer=always(answer))
    output = tmp_path / "out.csv"
    done = run_script(
        GPT, "--input", write_qa(tmp_path / "in.csv", 1), "--output", output,
        "--base-url", server.url,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert column(output, "is_hallucinated") == [label]
    assert column(output, "unknown_reason") == [reason]


def test_force_binary_lets_the_model_decide(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """A vague reply is asked again constrained; the label is the model's own."""
    server = openai_server(answer=always(Answer("Hard to say.", forced="yes")))
    output = tmp_path / "out.csv"
    base = ["--input", write_qa(tmp_path / "in.csv", 4), "--base-url", server.url]
    done = run_script(GPT, *base, "--output", output, "--force-binary")
    assert (done.code, column(output, "is_hallucinated")) == (0, ["yes"] * 4)
    assert record(output)["judge"]["forced"] == 4


def test_force_binary_never_decides_for_the_model(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """A model that will not say yes or no in any way stays unknown; the status says so."""
    server = openai_server(answer=always("Hard to say."), ignores=["json_schema", "logprobs"])
    output = tmp_path / "out.csv"
    base = ["--input", write_qa(tmp_path / "in.csv", 2), "--base-url", server.url]
    done = run_script(GPT, *base, "--output", output, "--force-binary")
    assert (done.code, column(output, "is_hallucinated")) == (1, ["unknown"] * 2)


def test_probabilities_become_p_hallucinated(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """Summed over spellings, against yes and no alone; the rest of the mass is recorded."""
    spellings = {"yes": 0.3, " Yes": 0.15, "no": 0.1, "NO": 0.05, "The": 0.4}
    server = openai_server(answer=always(Answer("yes", alternatives=spellings)))
    output = tmp_path / "out.csv"
    base = ["--input", write_qa(tmp_path / "in.csv", 2), "--base-url", server.url]
    assert run_script(GPT, *base, "--output", output).code == 0
    assert [float(p) for p in column(output, "p_hallucinated")] == pytest.approx(
        [0.75] * 2, abs=1e-6
    )
    assert record(output)["judge"]["mean_leftover_mass"] == pytest.approx(0.4, abs=1e-6)
