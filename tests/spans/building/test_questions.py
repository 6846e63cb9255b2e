"""Questions come as whole pairs or not at all; what a model breaks is mended or sent back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.prompts import template
from banglahallueval.spans.building.questions import COMPLEXITIES, Pair, read_pairs
from tests.scripting import Finished
from tests.servers.openai_server import OpenAIServer
from tests.spans.building import writers
from tests.spans.building.test_pipeline import asked, rows

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]

PAIRS = [
    {"complexity": name, "question": f"{name} প্রশ্ন?", "answer": f"{name} উত্তর"}
    for name in COMPLEXITIES
]
READ = {name: Pair(f"{name} প্রশ্ন?", f"{name} উত্তর") for name in COMPLEXITIES}
WHOLE = json.dumps({"pairs": PAIRS}, ensure_ascii=False)
LIST = json.dumps(PAIRS, ensure_ascii=False)


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE,
        LIST,
        f"```json\n{WHOLE}\n```",
        f"```python\n{LIST}\n```\nEach question is easy to check.",
        f"Here they are:\n{LIST}",
        WHOLE.replace("}, {", "} {"),
        WHOLE.removesuffix("]}"),
        LIST.replace('"easy"', "'easy'"),
        WHOLE.replace('"hard"', '"HARD"'),
    ],
)
def test_pairs_are_read_in_whatever_form_they_come(reply: str) -> None:
    assert read_pairs(reply) == READ


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("I cannot do that.", []),
        ("[]", []),
        ('{"pairs": "none"}', []),
        ('{"pairs": ["easy", 3, null]}', []),
        (WHOLE.replace("easy উত্তর", " "), ["medium", "hard"]),
        (WHOLE.replace("medium প্রশ্ন?", "easy প্রশ্ন ?"), ["easy", "hard"]),
        (WHOLE.replace('"complexity": "hard"', '"complexity": "easy"'), ["easy", "medium"]),
        (WHOLE.replace('"complexity": "hard"', '"complexity": "expert"'), ["easy", "medium"]),
    ],
)
def test_what_is_no_pair_of_its_own_is_left_out(reply: str, left: list[str]) -> None:
    """Prose, other types, blank answers, repeated questions and complexities are no pairs."""
    assert list(read_pairs(reply)) == left


@given(st.text())
def test_any_reply_can_be_read(reply: str) -> None:
    assert set(read_pairs(reply)) <= set(COMPLEXITIES)


def test_each_passage_is_asked_about_once(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Its three questions are three rows, in order, from one reply."""
    until("answers", server)
    made = rows(tmp_path / "set/questions.csv")
    assert [row["complexity"] for row in made] == list(COMPLEXITIES) * 3
    assert [row["gold_answer"] for row in made[:3]] == ["easy উত্তর", "medium উত্তর", "hard উত্তর"]
    assert {row["status"] for row in made} == {"ok"}
    assert len(asked(server)) == 3


def test_the_seed_decides_which_answers_are_asked_for_short(
    build: Build, until: Until, server: OpenAIServer
) -> None:
    until("questions", server)
    prompts = []
    for seed in (1, 1, 5):
        flags = ("--model", "m", "--seed", seed, "--overwrite", "--fresh")
        assert build("questions", *flags, on=server).code == 0
        prompts.append({seen.prompt for seen in asked(server)[-3:]})
    assert prompts[0] == prompts[1] != prompts[2]


def test_a_malformed_reply_is_sent_back_and_counted(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """The model is told what is missing; nothing malformed is written."""
    until("questions", server)
    server.answer = writers.mended("[oops", "questions")
    done = build("questions", "--model", "m", on=server)
    assert done.code == 0, done.err
    assert "could not be used: 3 malformed" in done.out
    assert "lacks a pair that is easy" in asked(server)[-1].body["messages"][-1]["content"]
    assert {row["status"] for row in rows(tmp_path / "set/questions.csv")} == {"ok"}


def test_what_stays_malformed_is_blank_and_asked_for_anew_by_resume(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Whole pairs of a broken reply are kept; of the missing one stands only why."""
    until("questions", server)
    server.answer = writers.writer(
        questions=lambda prompt: writers.questions(prompt).replace('"hard"', '"harder"')
    )
    done = build("questions", "--model", "m", "--tries", 2, on=server)
    assert done.code == 0, done.err
    made = rows(tmp_path / "set/questions.csv")
    assert [row["status"] for row in made] == ["ok", "ok", "malformed"] * 3
    assert {row["question"] for row in made if row["status"] != "ok"} == {""}
    assert "blank: 3 malformed" in done.out
    before = len(asked(server))
    server.answer = writers.writer()
    again = build("questions", "--model", "m", "--tries", 2, "--resume", on=server)
    assert again.code == 0, again.err
    assert {row["status"] for row in rows(tmp_path / "set/questions.csv")} == {"ok"}
    assert len(asked(server)) == before + 3


def test_the_example_of_the_prompt_is_no_question(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Fault: a small model copied the prompt's own example, and it was taken for its questions."""
    until("questions", server)
    example = next(
        line for line in template("spans.questions").split("\n") if line[:8] == '{"pairs"'
    )
    assert len(read_pairs(example)) == 3
    server.answer = writers.writer(questions=lambda prompt: example)
    assert build("questions", "--model", "m", on=server).code == 0
    assert {row["status"] for row in rows(tmp_path / "set/questions.csv")} == {"malformed"}


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (writers.Answer("{", finish="length"), "cut off"),
        (writers.Answer(None, finish="content_filter"), "filtered"),
        ("", "malformed"),
    ],
)
def test_unfinished_replies_say_how_they_ended(
    reply: writers.Reply,
    status: str,
    build: Build,
    until: Until,
    server: OpenAIServer,
    tmp_path: Path,
) -> None:
    until("questions", server)
    server.answer = writers.writer(questions=lambda prompt: reply)
    build("questions", "--model", "m", on=server)
    assert {row["status"] for row in rows(tmp_path / "set/questions.csv")} == {status}
