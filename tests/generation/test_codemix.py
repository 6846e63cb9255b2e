"""Bangla items become code-mixed ones: whole, in Latin letters, with the answer still in place."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.generation.codemix import anchored, failures_of
from banglahallueval.generation.commands import convert_main
from banglahallueval.tasks import TASKS
from banglahallueval.text.romanise import romanise, sentence_case, vary_spelling
from tests.in_process import ended
from tests.scripting import ROOT, Finished
from tests.servers.answers import Answer, Answerer, Body
from tests.servers.openai_server import OpenAIServer

Servers = Callable[..., OpenAIServer]
Convert = Callable[..., Finished]
SAMPLE = ROOT / TASKS["qa"].samples["main"]
ITEM = {"context": "ঢাকা BBC অফিসে ১,২০০ জন ছিল।", "question": "কত জন?", "answer": "১,২০০ জন"}
MIXED = {
    "context": "Dhaka BBC office-e 1200 jon chhilo.",
    "question": "Koto jon?",
    "answer": "1200 jon",
}


@pytest.fixture
def convert(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Convert:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.chdir(tmp_path)

    def run(*flags: object) -> Finished:
        argv = ["--input", str(SAMPLE), "--output", "out.csv", *map(str, flags)]
        return ended(capsys, lambda: convert_main("Convert.", argv))

    return run


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def item_of(prompt: str) -> dict[str, str]:
    """The Bangla item that a prompt ends with."""
    tail = prompt.rpartition("\n\nContext: ")[2]
    context, _, rest = tail.rpartition("\nQuestion: ")
    question, _, answer = rest.partition("\nAnswer: ")
    return {"context": context, "question": question, "answer": answer}


def romaniser(spoil: Callable[[dict[str, str]], dict[str, str]] = lambda item: item) -> Answerer:
    """A model that romanises; its first try for each item is spoilt."""

    def answer(body: Body) -> Answer:
        messages = body["messages"]
        assert isinstance(messages, list)
        mixed = {k: romanise(v) for k, v in item_of(messages[0]["content"]).items()}
        return Answer(json.dumps(spoil(mixed) if len(messages) == 1 else mixed))

    return answer


@pytest.mark.parametrize(
    ("word", "latin"),
    [
        ("ঢাকা", "dhaka"),
        ("শহরের", "shohorer"),
        ("রাজধানী", "rajdhani"),
        ("বিশ্ববিদ্যালয়", "bishwobidyaloy"),
        ("মুক্তিযুদ্ধ", "muktijuddho"),
        ("রবীন্দ্রনাথ", "robindronath"),
        ("জ্ঞান", "gyan"),
        ("ক্ষমতা", "khomota"),
        ("চাঁদপুর", "chandpur"),
        ("বাংলা", "bangla"),
        ("মিলিত", "milito"),
        ("যাওয়া", "jaowa"),
        ("বড় মাঠ", "boro math"),
        ("২৫ জুন।", "25 jun."),
    ],
)
def test_words_are_romanised_as_people_type_them(word: str, latin: str) -> None:
    """Readable Bangla in Latin letters, without diacritics."""
    assert romanise(word) == latin


@given(st.text(alphabet=st.characters(min_codepoint=0x980, max_codepoint=0x9FF), max_size=40))
def test_nothing_bengali_is_ever_left(text: str) -> None:
    """Any run of Bengali code points, well-formed or not, comes out in ASCII."""
    assert romanise(text).isascii()


def test_other_scripts_become_latin_too() -> None:
    """A name in a third script does not stay in it."""
    assert romanise("দিল্লি (दिल्ली)").isascii()


def test_sentences_begin_with_capitals() -> None:
    """After a full stop and at the start, nowhere else."""
    assert sentence_case("ami. tumi? se 2.5") == "Ami. Tumi? Se 2.5"


def test_spelling_varies_by_seed_and_spares_names() -> None:
    """The same seed writes the same; names and numbers stay; a share of 0 changes nothing."""
    text = "bhalo manush chhilo Shahbag 25 jon, tobu bhalo manush chhilo"
    varied = vary_spelling(text, 0.6, "1")
    assert varied == vary_spelling(text, 0.6, "1")
    assert {vary_spelling(text, 0.6, str(seed)) for seed in range(9)} != {text}
    assert "Shahbag 25" in varied
    assert vary_spelling(text, 0.0, "1") == text
    words = vary_spelling(text, 1.0, "1").split()
    assert words[0] == words[-3]


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        ({}, ()),
        ({"context": "Dhaka BBC office-e ১২০০ jon chhilo."}, ("context: not Latin",)),
        (
            {"context": "Dhaka BBC office-e 120 jon."},
            ("context: number lost", "answer not in context"),
        ),
        ({"context": "Dhaka office-e 1200 jon chhilo."}, ("context: name lost",)),
        ({"context": "BBC 1200 jon."}, ("context: shortened",)),
        ({"answer": "1200 lok"}, ("answer not in context",)),
        ({"question": ""}, ("not JSON",)),
    ],
)
def test_each_fault_of_a_conversion_is_named(
    change: dict[str, str], failed: tuple[str, ...]
) -> None:
    """Letters, numbers, names, length and the answer's place are looked at."""
    assert failures_of(ITEM, {**MIXED, **change}) == failed


def test_an_answer_is_spelled_as_its_context() -> None:
    """A differently spelled answer takes the context's spelling; a different one stays."""
    item = {"context": "তিনি চট্টগ্রামে ছিলেন।", "question": "কোথায়?", "answer": "চট্টগ্রামে"}
    mixed = {"context": "Tini Chottograme chhilen.", "question": "Kothay?", "answer": "Chattagrame"}
    assert anchored(item, mixed)["answer"] == "Chottograme"
    assert anchored(item, {**mixed, "answer": "Khulnay"})["answer"] == "Khulnay"


def test_the_sample_is_converted_offline(convert: Convert, tmp_path: Path) -> None:
    """No model, no key: every row whole, with its answer in its context, the same every time."""
    done = convert("--provider", "offline", "--spelling-variation", 0.3)
    assert done.code == 0, done.err
    made = rows(tmp_path / "out.csv")
    assert list(made[0])[:4] == ["id", "context", "question", "correct_answer"]
    assert [row["context"] for row in made] == [row["context"] for row in rows(SAMPLE)]
    assert {row["checks"] for row in made} == {"ok"}
    assert {row["generator"] for row in made} == {"transliteration"}
    first = (tmp_path / "out.csv").read_bytes()
    convert("--provider", "offline", "--spelling-variation", 0.3, "--overwrite")
    assert (tmp_path / "out.csv").read_bytes() == first


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--provider", "offline", "--tries", 2, "--rpm-limit", 3), "--rpm-limit, --tries"),
        (("--model", "mixer", "--num-ctx", 99), "no use of --num-ctx"),
        (("--provider", "offline", "--output", "out.txt"), "name a .csv file"),
        (("--provider", "offline", "--output", SAMPLE, "--overwrite"), "is the input itself"),
    ],
)
def test_wrong_calls_end_in_one_line(
    convert: Convert, flags: tuple[object, ...], message: str
) -> None:
    """No flag is ignored, and the input is never written over."""
    done = convert(*flags)
    assert done.code == 2
    assert message in done.err


def test_what_no_reply_gives_is_not_said_to_be_converted(
    convert: Convert, openai_server: Servers, tmp_path: Path
) -> None:
    """Replies that are no JSON leave blank cells, and the summary counts no row as passing."""
    server = openai_server(answer=lambda body: Answer("না"))
    done = convert("--model", "mixer", "--base-url", server.url, "--end", 2)
    assert "2 rows, 0 pass every check" in done.out
    assert [row["codemix_answer"] for row in rows(tmp_path / "out.csv")[:2]] == ["", ""]


def test_a_model_converts_and_is_sent_back(
    convert: Convert, openai_server: Servers, tmp_path: Path
) -> None:
    """A context that is cut short is noticed, named and converted again, with a budget for all."""
    server = openai_server(answer=romaniser(lambda item: {**item, "context": item["context"][:60]}))
    done = convert("--model", "mixer", "--base-url", server.url)
    assert done.code == 0, done.err
    assert {row["checks"] for row in rows(tmp_path / "out.csv")} == {"ok"}
    chats = [seen for seen in server.requests if seen.body]
    told = [
        chat.body["messages"][-1]["content"] for chat in chats if len(chat.body["messages"]) > 1
    ]
    assert any("context leaves something out" in text for text in told)
    longest = max(sum(map(len, row.values())) for row in rows(SAMPLE))
    assert max(chat.body["max_tokens"] for chat in chats) > longest


def test_lost_rows_are_blank_and_resumed(
    convert: Convert, openai_server: Servers, tmp_path: Path
) -> None:
    """A slice, then the rest: the file is the union, and what is there is not asked again."""
    server = openai_server(answer=romaniser())
    flags = ("--model", "mixer", "--base-url", server.url)
    assert convert(*flags, "--end", 4).code == 0
    asked = server.counts.requests
    assert convert(*flags, "--resume").code == 0
    assert len(rows(tmp_path / "out.csv")) == len(rows(SAMPLE))
    assert server.counts.requests - asked <= len(rows(SAMPLE)) - 4 + 1
    assert convert(*flags).code == 2
