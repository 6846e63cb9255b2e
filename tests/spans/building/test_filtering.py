"""Rows that are not fit for the data set are dropped, each with its reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.spans.building.filtering import (
    BAD_TAGS,
    OTHER_TEXT,
    is_refusal,
    read_decision,
    wrong_tags,
)
from banglahallueval.spans.building.step import UnusableError
from tests.scripting import Finished
from tests.servers.openai_server import OpenAIServer
from tests.spans.building import writers
from tests.spans.building.test_pipeline import asked, rows

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]


@pytest.mark.parametrize(
    ("text", "answer", "wrong"),
    [
        ("[HAL]ঢাকা[/HAL]", "ঢাকা", ""),
        ("ঢাকা", "ঢাকা", ""),
        ("**[HAL]ঢাকা[/HAL]**", "**ঢাকা**", ""),
        ("ক [HAL]খ\nগ[/HAL]", "ক খ\nগ", ""),
        ("[HAL]ঢাকা", "ঢাকা", BAD_TAGS),
        ("[HAL]ক[HAL]খ[/HAL][/HAL]", "কখ", BAD_TAGS),
        ("ক[HAL][/HAL]", "ক", BAD_TAGS),
        ("ক[HAL]\n\n[/HAL]খ", "ক\n\nখ", BAD_TAGS),
        ("[HAL]ঢাকা[/HAL]", "**ঢাকা**", OTHER_TEXT),
        ("ক  খ", "ক খ", OTHER_TEXT),
    ],
)
def test_tags_are_balanced_and_around_the_answer(text: str, answer: str, wrong: str) -> None:
    """Faults of the reference: bold answers were dropped, and a pair around a line break passed."""
    assert wrong_tags(text, answer) == wrong


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ("দুঃখিত, এ বিষয়ে আমার জানা নেই।", True),
        ("**I'm sorry**, but I cannot help with that.", True),
        ("As an AI, I have no access to the news.", True),
        ("হারুন মিয়া পাঠাগারটি খোলেন।", False),
        ("The treaty could not be signed before 1971.", False),
    ],
)
def test_refusals_are_known_by_their_words(answer: str, refusal: bool) -> None:
    assert is_refusal(answer) == refusal


@pytest.mark.parametrize(
    ("reply", "decision"),
    [
        ('{"question": "normal", "refusal": false}', ("normal", False)),
        ('```json\n{"question": "SUBJECTIVE", "refusal": "TRUE"}\n```', ("subjective", True)),
        ('{"question": "INCOMPLETE_QUESTION", "refusal": no}', ("incomplete", False)),
    ],
)
def test_decisions_are_read(reply: str, decision: tuple[str, bool]) -> None:
    assert read_decision(reply) == decision


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "NORMAL",
        '{"question": "normal"}',
        '{"question": "normal or subjective", "refusal": false}',
        '{"question": "abnormal", "refusal": false}',
        '{"question": "normal", "refusal": "maybe"}',
    ],
)
def test_no_decision_is_made_up(reply: str) -> None:
    with pytest.raises(UnusableError):
        read_decision(reply)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ('{"question": "incomplete", "refusal": false}', "incomplete question"),
        ('{"question": "subjective", "refusal": true}', "subjective question"),
        ('{"question": "normal", "refusal": true}', "refusal"),
        ("?", "unreadable"),
    ],
)
def test_dropped_rows_say_why_and_are_not_in_the_data_set(
    reply: str, status: str, build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("filter", server)
    server.answer = writers.writer(
        filter=lambda prompt: reply if "easy" in prompt else writers.keep(prompt)
    )
    done = build("filter", "--model", "m", on=server)
    assert done.code == 0, done.err
    assert f"3 {status}" in done.out
    statuses = [row["status"] for row in rows(tmp_path / "set/filtered.csv")]
    assert statuses == [status, "kept", "kept"] * 3
    assert len(rows(tmp_path / "set/dataset.csv")) == 6


def test_what_a_rule_drops_is_not_asked_about(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    server.answer = writers.writer(answers=lambda prompt: "দুঃখিত, আমি জানি না।")
    until("filter", server)
    before = len(asked(server))
    assert build("filter", "--model", "m", on=server).code == 0
    assert len(asked(server)) == before
    assert {row["status"] for row in rows(tmp_path / "set/filtered.csv")} == {"refusal"}


def test_a_data_set_that_is_there_is_not_written_over(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("filter", server)
    mine = tmp_path / "set/dataset.csv"
    mine.write_text("mine\n", encoding="utf-8")
    refused = build("filter", "--model", "m", on=server)
    assert refused.code == 2
    assert "set/dataset.csv is there already" in refused.err
    assert mine.read_text(encoding="utf-8") == "mine\n"


def test_the_data_set_is_not_put_over_the_filtered_file(build: Build, server: OpenAIServer) -> None:
    flags = ("--model", "m", "--dataset", "set/filtered.csv")
    refused = build("filter", *flags, on=server)
    assert refused.code == 2
    assert "named twice" in refused.err
