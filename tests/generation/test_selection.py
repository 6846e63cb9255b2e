"""Samples are selected by what models really said; what they did not say is never made up."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.generation.selection.commands import (
    extremes_main,
    select_answers_main,
    select_summaries_main,
    sort_main,
)
from banglahallueval.generation.selection.summarization import score
from tests.in_process import ended
from tests.scripting import Finished
from tests.servers.answers import Answer, Failure
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer

Servers = Callable[..., OpenAIServer]
Flags = tuple[object, ...]
Main = Callable[[str | None, list[str]], int]


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Finished]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.chdir(tmp_path)

    def start(main: Main, *argv: object) -> Finished:
        return ended(capsys, lambda: main("Select.", [str(word) for word in argv]))

    return start


def write(path: Path, header: str, *lines: str) -> Path:
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def examiner(body: dict[str, object]) -> Answer | Failure:
    """Model a knows the even questions, model b none and loses number 5; the judge is exact."""
    messages = body["messages"]
    assert isinstance(messages, list)
    prompt = messages[0]["content"]
    if "Reply with one JSON object" in prompt:
        gold = prompt.partition("Right answer: ")[2].partition("\n")[0]
        said = prompt.partition("Model's answer: ")[2].partition("\n")[0]
        right = int(gold == said)
        return Answer(json.dumps({"correct": right}), forced=str(right))
    number = int(prompt.partition("প্রশ্ন ")[2].partition("?")[0])
    if body["model"] == "b":
        if number == 5:
            return Failure(400, '{"error": {"message": "no"}}')
        return Answer("জানি না")
    return Answer(f"উত্তর {number}" if number % 2 == 0 else "অন্য কিছু\nকারণ এই")


def test_questions_that_all_get_wrong_are_drawn(
    run: Callable[..., Finished], openai_server: Servers, tmp_path: Path
) -> None:
    """Answers and scores stand in the pool; a lost reply is blank, and its row is not drawn."""
    lines = [f"q{i},প্রশ্ন {i}?,প্রসঙ্গ {i}।,উত্তর {i}" for i in range(8)]
    pool = write(tmp_path / "pool.csv", "id,question,context,answer_text", *lines, lines[1])
    server = openai_server(answer=examiner)
    flags: Flags = (
        "--models",
        "a,b",
        "--judge-model",
        "judge",
        "--base-url",
        server.url,
    )
    flags += ("--input", pool, "--output", "answers.csv", "--selected", "chosen.csv", "--quiet")
    done = run(select_answers_main, *flags, "--n", 2, "--max-retries", 0)
    assert done.code == 1  # a reply is missing
    assert "3 of 8 questions are wrong with every model" in done.out
    assert "Rows that stand in the input twice, left out: 1" in done.out
    answers = rows(tmp_path / "answers.csv")
    assert [row["a_answer"] for row in answers[:2]] == ["উত্তর 0", "অন্য কিছু"]
    assert (answers[5]["b_answer"], answers[5]["b_score"]) == ("", "")
    assert [row["a_score"] for row in answers] == ["1", "0"] * 4
    chosen = rows(tmp_path / "chosen.csv")
    assert list(chosen[0]) == ["id", "context", "question", "correct_answer"]
    assert {row["id"] for row in chosen} <= {"q1", "q3", "q7"}
    assert len(chosen) == 2
    asked = server.counts.requests
    again = run(select_answers_main, *flags, "--n", 2, "--max-retries", 0, "--resume")
    assert again.code == 1
    assert rows(tmp_path / "chosen.csv") == chosen
    # The lost one is asked for again, and each of three runs of a model looks at the model list.
    assert server.counts.requests - asked <= 4


def test_the_worst_summaries_are_drawn(
    run: Callable[..., Finished], openai_server: Servers, tmp_path: Path
) -> None:
    """The rows with the lowest mean score are kept, in file order; refusals are not scored."""

    def summarise(body: dict[str, object]) -> Answer:
        messages = body["messages"]
        assert isinstance(messages, list)
        text = messages[0]["content"].partition("Text: ")[2].partition("\n")[0]
        if "চার" in text:
            return Answer("", finish="content_filter")
        return Answer(text if "ভালো" in text else "অপ্রাসঙ্গিক কথা")

    lines = ["1,এক ভালো,এক ভালো", "2,দুই,দুই কথা", "3,তিন ভালো,তিন ভালো", "4,চার,চার", "5,পাঁচ,পাঁচ কথা"]
    pool = write(tmp_path / "pool.csv", "id,question,summary", *lines)
    server = openai_server(answer=summarise)
    flags: Flags = (
        "--models",
        "a,b",
        "--base-url",
        server.url,
        "--input",
        pool,
        "--n",
        2,
    )
    flags += ("--output", "summaries.csv", "--selected", "chosen.csv")
    done = run(select_summaries_main, *flags)
    assert done.code == 1
    assert "filtered" in done.out
    assert [row["id"] for row in rows(tmp_path / "chosen.csv")] == ["2", "5"]
    scored = rows(tmp_path / "summaries.csv")
    assert scored[0]["mean_chrf"] == "1.000000"
    assert scored[3]["a_summary"] == scored[3]["mean_chrf"] == ""


def test_chrf_is_that_of_the_library() -> None:
    """Same text 1, nothing in common 0, a missing text no score."""
    assert score(["ক খ গ", "ঘ", None], ["ক খ গ", "চ", "ক"], "chrf") == [1.0, 0.0, None]


def test_bertscore_without_its_library_says_what_to_install(
    run: Callable[..., Finished],
    openai_server: Servers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line that names the package and the metric that needs none."""
    monkeypatch.setitem(sys.modules, "bert_score", None)  # as if it were not installed
    pool = write(tmp_path / "pool.csv", "id,question,summary", "1,এক,এক")
    server = openai_server(answer=lambda body: Answer("এক"))
    flags: Flags = (
        "--models",
        "a",
        "--base-url",
        server.url,
        "--input",
        pool,
        "--quiet",
    )
    flags += ("--output", "s.csv", "--selected", "c.csv", "--metric", "bertscore")
    done = run(select_summaries_main, *flags)
    assert done.code == 2
    assert "pip install bert-score" in done.err
    assert server.counts.requests == 0


@pytest.mark.parametrize(
    ("main", "flags"),
    [
        (select_answers_main, ("--models", "a", "--judge-model", "j", "--output", "pool.csv")),
        (select_answers_main, ("--models", "a", "--judge-model", "j", "--selected", "out.csv")),
        (select_summaries_main, ("--models", "a", "--selected", "pool.csv")),
        (sort_main, ("--output", "pool.csv")),
        (extremes_main, ("--output", "pool.csv", "--longest", 1, "--shortest", 1)),
    ],
)
def test_no_input_or_other_output_is_written_over(
    run: Callable[..., Finished], tmp_path: Path, main: Main, flags: tuple[object, ...]
) -> None:
    """Even with `--overwrite`: one line, and the pool is as it was."""
    lines = ("1,ক?,খ,গ,ঘ", "2,ক?,খ,গ,ঙ")
    pool = write(tmp_path / "pool.csv", "id,question,context,answer,summary", *lines)
    before = pool.read_bytes()
    if "--output" not in flags:
        flags = (*flags, "--output", "out.csv")
    done = run(main, "--input", pool, *flags, "--overwrite")
    assert done.code == 2
    assert "name another file" in done.err
    assert pool.read_bytes() == before


def test_sort_and_extremes_reproduce_a_case_worked_out_by_hand(
    run: Callable[..., Finished], tmp_path: Path
) -> None:
    """Length counts what stands before ####, longest first, ties in file order."""
    source = write(
        tmp_path / "SOMADHAN.csv",
        "question,answer",
        '"ক?","৫ টাকা',
        '#### ৫"',  # 6 before ####
        '"খ?","১০+২=১২ টাকা',
        '#### ১২"',  # 12
        '"গ?","৩ টাকা',
        '#### ৩"',  # 6
        "ঘ?,#### ৪",  # 0
        '"ঙ?","  ৭৭৭  "',  # 3
    )
    done = run(sort_main, "--input", source, "--output", "sorted.csv")
    assert done.code == 0, done.err
    made = rows(tmp_path / "sorted.csv")
    lengths = [(row["question"], row["reasoning_len"]) for row in made]
    assert lengths == [("খ?", "12"), ("ক?", "6"), ("গ?", "6"), ("ঙ?", "3"), ("ঘ?", "0")]
    flags = ("--input", "sorted.csv", "--output", "extremes.csv", "--longest", 2, "--shortest", 1)
    assert run(extremes_main, *flags).code == 0
    assert [row["question"] for row in rows(tmp_path / "extremes.csv")] == ["খ?", "ক?", "ঘ?"]
    # The published main set is the 1,000 longest, and none of the shortest.
    longest = ("--input", "sorted.csv", "--output", "longest.csv", "--longest", 2, "--shortest", 0)
    assert run(extremes_main, *longest).code == 0
    assert [row["question"] for row in rows(tmp_path / "longest.csv")] == ["খ?", "ক?"]
    assert run(extremes_main, *flags).code == 2  # it is there already
    too_many = run(extremes_main, *flags[:4], "--overwrite", "--longest", 3, "--shortest", 3)
    assert too_many.code == 2
    assert "fewer than the 6" in too_many.err


def test_a_panel_may_mix_providers_and_is_told_its_cost_first(
    run: Callable[..., Finished],
    openai_server: Servers,
    ollama_server: Callable[..., OllamaServer],
    tmp_path: Path,
) -> None:
    """Each model is asked where its name says; the estimate stands before the first server."""
    lines = ["1,এক,এক", "2,দুই,দুই"]
    pool = write(tmp_path / "pool.csv", "id,question,summary", *lines)
    openai = openai_server(answer=lambda body: Answer("এক"))
    ollama = ollama_server(models=["b:7b"], answer=lambda body: Answer("দুই"))
    flags: Flags = ("--models", "gpt-4.1-mini,ollama:b:7b", "--base-url", openai.url)
    flags += ("--ollama-url", ollama.url, "--input", pool, "--n", 1)
    flags += ("--output", "summaries.csv", "--selected", "chosen.csv")
    done = run(select_summaries_main, *flags)
    assert done.code == 0, done.err
    told = [line for line in done.out.splitlines() if line]
    assert told[0].startswith("2 texts, models asked: 2; about")
    assert told[1].startswith("Asking gpt-4.1-mini at")
    pooled = rows(tmp_path / "summaries.csv")
    assert [row["gpt_4_1_mini_summary"] for row in pooled] == ["এক", "এক"]
    assert [row["b_7b_summary"] for row in pooled] == ["দুই", "দুই"]
    record = json.loads((tmp_path / "summaries.csv.run.json").read_text(encoding="utf-8"))
    assert record["models"] == ["openai:gpt-4.1-mini", "ollama:b:7b"]
    alike = run(select_summaries_main, "--models", "a.b,ollama:a-b", *flags[2:], "--overwrite")
    assert alike.code == 2
    assert "in all but signs" in alike.err
