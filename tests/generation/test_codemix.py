"""Bangla items become code-mixed ones: whole, in Latin letters, with the answer still in place."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.generation.codemix import failures_of
from banglahallueval.generation.commands import convert_main
from banglahallueval.tasks import TASKS
from banglahallueval.text.romanising.words import romanise
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


def gold(path: Path, *items: tuple[str, str, str]) -> Path:
    """A Bangla gold file of context, question and answer."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "context", "question", "correct_answer"])
        writer.writerows([str(i), *item] for i, item in enumerate(items))
    return path


def test_numbers_names_loans_and_footnotes_come_through_offline(
    convert: Convert, tmp_path: Path
) -> None:
    """The right number, the right name, English as English, a footnote that is no number."""
    source = gold(
        tmp_path / "gold.csv",
        (
            "মামলা ১৯০১ সালে শুরু হয়, ১৯৫১ সালে শেষ হয়।[14] এটি দ্বিতীয় মামলা ছিল।",
            "কবে শেষ হয়?",
            "১৯৫১ সালে",
        ),
        ("রফিকুল ইসলাম ফুটবল দলের সভাপতি।[2] মো. সফিকুল ইসলাম কোচ।", "কোচ কে?", "সফিকুল ইসলাম"),
        ("দলের কোচ বদল হয়।", "কী হয়?", "কোচ বদল হয়।"),
    )
    done = convert("--provider", "offline", "--input", source)
    assert "3 rows, 3 pass every check" in done.out
    first, second, third = rows(tmp_path / "out.csv")
    assert first["codemix_context"] == (
        "Mamla 1901 sale shuru hoy, 1951 sale shesh hoy.[14] Eti ditiyo mamla chilo."
    )
    assert first["codemix_answer"] == "1951 sale"
    assert second["codemix_context"] == (
        "Rofikul Islam football doler sobhapoti.[2] Md. Sofikul Islam coach."
    )
    assert second["codemix_answer"] == "sofikul Islam"
    assert third["codemix_answer"] == "Coach bodol hoy."


def test_the_quality_of_the_whole_file_is_told_and_recorded(
    convert: Convert, tmp_path: Path
) -> None:
    """In the summary and in the record, with the rows of an earlier run."""
    done = convert("--provider", "offline")
    line = next(text for text in done.out.splitlines() if "spelling of the file" in text)
    record = json.loads((tmp_path / "out.csv.run.json").read_text(encoding="utf-8"))
    whole = record["quality"]
    assert whole["round_trip"] > 0.85
    assert whole["spelling_consistency"] == 1.0
    assert 0 < whole["english_words"] < 0.2
    assert f"out of the dictionary {whole['out_of_dictionary']:.1%}" in line
    convert("--provider", "offline", "--overwrite", "--end", 4)
    convert("--provider", "offline", "--resume")
    resumed = json.loads((tmp_path / "out.csv.run.json").read_text(encoding="utf-8"))
    assert resumed["quality"] == whole


def test_an_answer_that_is_only_spelled_differently_is_not_asked_again(
    convert: Convert, openai_server: Servers, tmp_path: Path
) -> None:
    """Anchoring comes before any check sends a row back, and nothing is said to be mended."""
    source = gold(tmp_path / "gold.csv", ("তিনি চট্টগ্রামে ছিলেন।", "কোথায়?", "চট্টগ্রামে"))
    made = {"context": "Tini Chottograme chilen.", "question": "Kothay?", "answer": "Chattagrame"}
    server = openai_server(answer=lambda body: Answer(json.dumps(made)))
    done = convert("--model", "mixer", "--base-url", server.url, "--input", source)
    assert len([seen for seen in server.requests if seen.body]) == 1
    assert rows(tmp_path / "out.csv")[0]["codemix_answer"] == "Chottograme"
    assert "1 rows, 1 pass every check" in done.out
    assert "asked again" not in done.out


@pytest.mark.parametrize(
    ("item", "made", "failed"),
    [
        (
            ("শুরু ১৯০১ সালে, শেষ ১৯৫১ সালে।", "কবে শেষ?", "১৯৫১ সালে"),
            {"context": "Shuru 1901 sale, shesh 1951 shale.", "answer": "1951 te"},
            "answer not in context",
        ),
        (
            ("রফিকুল ইসলাম ও সফিকুল ইসলাম।", "কে?", "সফিকুল ইসলাম"),
            {"context": "Rofikul Islam o Sofikul Islam.", "answer": "Rofikul Islam"},
            "answer: another word",
        ),
        (
            ("রফিকুল ইসলাম ও সফিকুল ইসলাম।", "কে?", "সফিকুল ইসলাম"),
            {"context": "Rofikul Islam o S. Islam, dujon.", "answer": "Sofikul Islam"},
            "answer not in context",
        ),
    ],
)
def test_an_answer_that_cannot_be_anchored_stays_and_is_flagged(
    convert: Convert,
    openai_server: Servers,
    tmp_path: Path,
    item: tuple[str, str, str],
    made: dict[str, str],
    failed: str,
) -> None:
    """No other number and no other name takes its place; it is asked for again, then told."""
    source = gold(tmp_path / "gold.csv", item)
    server = openai_server(
        answer=lambda body: Answer(json.dumps({**made, "question": "Kobe shesh, ke?"}))
    )
    done = convert("--model", "mixer", "--base-url", server.url, "--input", source, "--tries", 2)
    row = rows(tmp_path / "out.csv")[0]
    assert row["codemix_answer"] == made["answer"]
    assert failed in row["checks"].split("; ")
    assert f"{failed}: 1 (at first 1)" in done.out
    assert len([seen for seen in server.requests if seen.body]) == 2


def test_the_summary_counts_rows_that_asking_again_mended(
    convert: Convert, openai_server: Servers
) -> None:
    """Each row's first try is cut; the second passes."""
    server = openai_server(answer=romaniser(lambda item: {**item, "context": item["context"][:40]}))
    done = convert("--model", "mixer", "--base-url", server.url, "--end", 3)
    assert "3 rows, 3 pass every check" in done.out
    assert "3 rows failed a check at first and passed when asked again" in done.out


def test_a_reply_that_can_be_read_is_kept_before_one_that_cannot(
    convert: Convert, openai_server: Servers, tmp_path: Path
) -> None:
    """Two failed checks of a whole item are better than one of a reply that is no item."""
    source = gold(tmp_path / "gold.csv", ("BBC ১২ জন।", "কত জন?", "১২ জন"))
    made = {"context": "12 jon jara ekhane.", "question": "Koto?", "answer": "barojon"}

    def answer(body: Body) -> Answer:
        messages = body["messages"]
        assert isinstance(messages, list)
        return Answer(json.dumps(made) if len(messages) == 1 else "na")

    server = openai_server(answer=answer)
    convert("--model", "mixer", "--base-url", server.url, "--input", source, "--tries", 2)
    assert rows(tmp_path / "out.csv")[0]["codemix_context"] == made["context"]


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


def test_items_that_are_not_whole_are_flagged_and_not_asked_about(
    convert: Convert, openai_server: Servers, tmp_path: Path
) -> None:
    """Fault: a model was asked to convert blank items, and what it made up passed every check."""
    server = openai_server(answer=romaniser())
    source = tmp_path / "in.csv"
    header = "id,context,question,correct_answer"
    source.write_text(f"\ufeff{header}\r\n1,,,\r\n2,ঢাকা।,কী?, \r\n", encoding="utf-8")
    for flags in (("--model", "m", "--base-url", server.url), ("--provider", "offline")):
        done = convert("--input", source, *flags, "--overwrite")
        assert done.code == 0
        assert "2 rows, 0 pass every check" in done.out
        assert "blank source: 2" in done.out
        made = rows(tmp_path / "out.csv")
        assert {row["checks"] for row in made} == {"blank source"}
        assert {row["codemix_answer"] for row in made} == {""}
    assert not [seen for seen in server.requests if seen.method == "POST"]


def test_spellings_of_two_kinds_do_not_share_a_file(convert: Convert, tmp_path: Path) -> None:
    """Fault: a resumed file was recorded as varied throughout, and half of it was not."""
    flags = ("--provider", "offline")
    assert convert(*flags, "--end", 2).code == 0
    before = (tmp_path / "out.csv").read_bytes()
    done = convert(*flags, "--resume", "--spelling-variation", 0.5)
    assert done.code == 2
    assert "spelling variation 0.0, this run has 0.5" in done.err
    assert (tmp_path / "out.csv").read_bytes() == before
    assert convert(*flags, "--resume", "--seed", 7).code == 0  # decides nothing here
