"""A step's variables of .env are heard, in both spellings, and flags override them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dotenv import dotenv_values

from banglahallueval.spans.building.commands.settings import PREFIXES
from tests.in_process import run_script
from tests.scripting import ROOT, Finished
from tests.servers.openai_server import OpenAIServer
from tests.spans.building import writers
from tests.spans.building.test_pipeline import asked, rows

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]

STEPS = {"questions": "questions.csv", "annotate": "annotated.csv", "filter": "filtered.csv"}


@pytest.mark.parametrize("spelling", ["MODEL", "OPENAI_MODEL"])
@pytest.mark.parametrize("step", PREFIXES)
def test_the_model_of_the_environment_is_asked(
    step: str,
    spelling: str,
    build: Build,
    until: Until,
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fault of the reference: the variable of its own example file was ignored."""
    until(step, server)
    monkeypatch.setenv(f"{PREFIXES[step]}{spelling}", "from-env")
    assert build(step, on=server).code == 0
    assert asked(server)[-1].body["model"] == "from-env"
    assert build(step, "--model", "from-flag", "--overwrite", on=server).code == 0
    assert asked(server)[-1].body["model"] == "from-flag"


@pytest.mark.parametrize("step", PREFIXES)
def test_key_and_address_of_the_step_are_used(
    step: str,
    build: Build,
    until: Until,
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fault of the reference: the address was passed on in one step only."""
    until(step, server)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv(f"{PREFIXES[step]}BASE_URL", server.url)
    monkeypatch.setenv(f"{PREFIXES[step]}OPENAI_API_KEY", "sk-of-the-step")
    done = build(step, "--model", "m-1")
    assert done.code == 0, done.err
    assert asked(server)[-1].headers["authorization"] == "Bearer sk-of-the-step"
    assert f"key from {PREFIXES[step]}OPENAI_API_KEY" in done.out
    assert "sk-of-the-step" not in done.out + done.err


def test_the_key_of_all_steps_does_not_go_to_the_address_of_one(
    build: Build, until: Until, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    until("questions", server)
    monkeypatch.setenv("QA_GENERATOR_BASE_URL", server.url)
    done = build("questions", "--model", "m-1")
    assert done.code == 0, done.err
    assert "sk-test" not in str([seen.headers for seen in server.requests])
    assert "no key" in done.out


def test_key_and_address_come_from_one_place(
    build: Build, until: Until, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A .env that lies about cannot send the key of the environment elsewhere."""
    until("questions", server)
    monkeypatch.setenv("QA_GENERATOR_OPENAI_API_KEY", "sk-of-the-step")
    Path(".env").write_text(f"QA_GENERATOR_BASE_URL={server.url}\n", encoding="utf-8")
    refused = build("questions", "--model", "m-1")
    assert refused.code == 2
    assert "set both in one place" in refused.err
    assert "sk-of-the-step" not in refused.err


def test_temperature_retries_and_concurrency_are_heard(
    build: Build, until: Until, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    until("filter", server)
    monkeypatch.setenv("FILTER_TEMPERATURE", "0.3")
    monkeypatch.setenv("FILTER_MAX_CONCURRENCY", "2")
    monkeypatch.setenv("FILTER_MAX_RETRIES", "0")
    before = len(asked(server))
    server.answer = writers.writer(filter=lambda prompt: writers.Failure(500, "{}"))
    assert build("filter", "--model", "m-1", on=server).code == 1
    assert len(asked(server)) == before + 9  # nothing is retried
    assert asked(server)[-1].body["temperature"] == 0.3
    build("filter", "--model", "m-1", "--temperature", "0.5", "--overwrite", on=server)
    assert asked(server)[-1].body["temperature"] == 0.5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TEMPERATURE", "warm"),
        ("TEMPERATURE", "3"),
        ("MAX_RETRIES", "-1"),
        ("MAX_CONCURRENCY", "0"),
        ("BASE_URL", "ftp://host"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(
    name: str,
    value: str,
    build: Build,
    until: Until,
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    until("questions", server)
    monkeypatch.setenv(f"QA_GENERATOR_{name}", value)
    refused = build("questions", "--model", "m-1")
    assert refused.code == 2
    assert f"QA_GENERATOR_{name} in the environment" in refused.err
    assert len(refused.err.splitlines()) == 1


def test_two_spellings_that_differ_are_refused(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FILTER_MODEL", "one")
    monkeypatch.setenv("FILTER_OPENAI_MODEL", "other")
    refused = build("filter")
    assert refused.code == 2
    assert "FILTER_MODEL and FILTER_OPENAI_MODEL" in refused.err


def test_no_model_says_where_to_name_one(build: Build) -> None:
    refused = build("annotate")
    assert refused.code == 2
    assert "--model, or set ANNOTATOR_MODEL in .env" in refused.err


def test_env_example_lists_the_variables_that_are_read(
    server: OpenAIServer, tmp_path: Path
) -> None:
    """All lines of the example, uncommented, make a pipeline that asks the models it names."""
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    lines = [line for line in example.splitlines() if "=" in line and " " not in line]
    text = "\n".join(line.lstrip("#") for line in lines if line.lstrip("#").startswith(_PREFIXES))
    (tmp_path / ".env").write_text(
        text.replace("https://api.openai.com/v1", server.url).replace("_KEY=", "_KEY=sk-example"),
        encoding="utf-8",
    )
    names = dotenv_values(tmp_path / ".env")
    assert len(names) == 6 * len(PREFIXES)
    done = run_script(
        *("scripts/build_span_dataset.py", "pipeline", "--texts", writers.texts(tmp_path)),
        *("--min-len", 20, "--models", "openai:m-1", "--folder", tmp_path / "set"),
        cwd=tmp_path,
        env={"OPENAI_BASE_URL": server.url},
    )
    assert done.code == 0, done.err
    models = {writers.kind_of(seen.prompt): seen.body["model"] for seen in asked(server)}
    assert models == {
        "questions": names["QA_GENERATOR_MODEL"],
        "answers": "m-1",
        "annotate": names["ANNOTATOR_MODEL"],
        "filter": names["FILTER_MODEL"],
    }
    assert len(rows(tmp_path / "set/dataset.csv")) == 9


_PREFIXES = tuple(PREFIXES.values())
