"""The command as its users call it, against a Gemini server, an OpenAI-like one and files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.abstention.calling import (
    ANSWERS,
    GRADES,
    SCRIPT,
    THRESHOLDS,
    Run,
    Servers,
    gemhall,
    metrics,
    prompts,
    rows,
)
from tests.scripting import start_script
from tests.servers.answers import Answer, Body, Failure, always, prompt_of
from tests.servers.gemini_failures import blocked, ended, overloaded, rate_limited
from tests.servers.openai_server import OpenAIServer

QUESTIONS = """id,question,gold,unknown_ok,category
1,How many Ds are in LADDER?,2,0,letters
2,What is the chemical symbol for gold?,Au,0,facts
3,What does the function turbo_mode() of requests do?,,1,invented
"""


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.csv"
    path.write_text(QUESTIONS, encoding="utf-8")
    return path


def toy(body: Body) -> Answer:
    """Answers as the reference's fake model: 2; Ag below 0.75, else IDK; IDK."""
    prompt = prompt_of(body)
    if "LADDER" in prompt:
        return Answer("2")
    if "gold?" in prompt and "IDK" in prompt:
        return Answer("Ag" if "0.5" in prompt else "IDK")
    return Answer("IDK")


pytestmark = pytest.mark.usefixtures("_needs_gemini")


@pytest.fixture
def _needs_gemini() -> None:
    pytest.importorskip("google.genai")


def test_the_toy_file_gives_the_references_figures(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    done = gemhall(
        run_script, gemini_server(answer=toy), folder, "run", "--data", questions, *THRESHOLDS
    )
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    found = metrics(folder)
    assert list(found) == ["0.5", "0.75", "0.9"]
    assert found["0.5"]["coverage"] == pytest.approx(2 / 3)
    assert found["0.5"]["accuracy_conditioned_on_answering"] == 0.5
    assert found["0.5"]["avg_expected_score"] == pytest.approx(0)
    assert found["0.9"]["coverage"] == pytest.approx(1 / 3)
    assert found["0.9"]["accuracy_conditioned_on_answering"] == 1
    assert found["0.9"]["avg_expected_score"] == pytest.approx(1 / 3)
    last = rows(folder)[-1]
    assert (last["id"], last["t"], last["abstained"], last["correct"], last["score"]) == (
        *("3", "0.9", "1", "1", "0.0"),
    )
    names = {path.name for path in folder.iterdir()}
    assert {
        *("results.csv", "metrics.json", "behavior.json", "rc_curve.png", "report.md"),
        *("subjects.csv", "results.csv.run.json"),
    } <= names
    behaviour = json.loads((folder / "behavior.json").read_text(encoding="utf-8"))
    assert behaviour["monotonicity_violations"] == 0


def test_one_by_one_and_at_once_write_the_same(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    flags = ("run", "--data", questions, *THRESHOLDS)
    server = gemini_server(answer=toy)
    assert gemhall(run_script, server, tmp_path / "one", *flags).code == 0
    assert gemhall(run_script, server, tmp_path / "many", *flags, "--async").code == 0
    one, many = (tmp_path / name / "results.csv" for name in ("one", "many"))
    assert one.read_bytes() == many.read_bytes()


def test_the_llm_judge_is_asked_about_answers_only(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    def answer(body: Body) -> Answer:
        if body["model"] == GRADES:
            return Answer("NO" if "Ag" in prompt_of(body) else "YES")
        return toy(body)

    server = gemini_server(answer=answer, models=[ANSWERS, GRADES])
    flags = ("run", "--data", questions, *THRESHOLDS, "--judge", "llm")
    done = gemhall(run_script, server, tmp_path / "out", *flags)
    assert done.code == 0, done.err
    asked = Counter(seen.path.rpartition("/")[2] for seen in server.requests if seen.body)
    # Two different answers; that to LADDER is the same at each threshold, and graded once.
    assert asked[f"{GRADES}:generateContent"] == 2
    assert asked[f"{ANSWERS}:generateContent"] == 9
    record = json.loads((tmp_path / "out" / "results.csv.run.json").read_text(encoding="utf-8"))
    grading = record["runs"][-1]["grading"]
    assert (grading["asked"], grading["from_store"]) == (2, 2)
    assert record["runs"][-1]["cost_usd"] > 0


def test_blocked_empty_and_cut_replies_are_neither_answers_nor_abstentions(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    def answer(body: Body) -> Answer | Failure:
        if "LADDER" in prompt_of(body):
            return blocked()
        return ended("MAX_TOKENS") if "gold?" in prompt_of(body) else ended("STOP")

    server = gemini_server(answer=answer)
    flags = ("run", "--data", questions, "--thresholds", "0.5")
    done = gemhall(run_script, server, tmp_path / "out", *flags)
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    found = rows(tmp_path / "out")
    assert {row["outcome"] for row in found} == {"no reply"}
    assert [row["reason"] for row in found] == ["filtered", "cut off", "empty reply"]
    assert metrics(tmp_path / "out")["0.5"]["accuracy_conditioned_on_answering"] is None
    assert "--resume" in done.out


def test_a_rate_limit_with_retry_info_is_waited_out(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    asked: Counter[str] = Counter()

    def answer(body: Body) -> Answer | Failure:
        prompt = prompt_of(body)
        asked[prompt] += 1
        return rate_limited(0.2) if asked[prompt] == 1 else toy(body)

    server = gemini_server(answer=answer)
    flags = ("run", "--data", questions, *THRESHOLDS, "--max-retries", "8")
    done = gemhall(run_script, server, tmp_path / "out", *flags)
    assert done.code == 0, done.err
    assert set(asked.values()) == {2}
    assert {row["outcome"] for row in rows(tmp_path / "out")} <= {"correct", "wrong", "abstained"}


def test_after_an_outage_resume_asks_what_is_missing(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    flags = ("run", "--data", questions, *THRESHOLDS, "--max-retries", "0")
    assert gemhall(run_script, gemini_server(answer=toy), whole, *flags).code == 0

    def failing(body: Body) -> Answer | Failure:
        return overloaded() if "LADDER" in prompt_of(body) else toy(body)

    done = gemhall(run_script, gemini_server(answer=failing), broken, *flags)
    assert done.code == 1
    assert [row["outcome"] for row in rows(broken)][:3] == ["no reply"] * 3
    server = gemini_server(answer=toy)
    done = gemhall(run_script, server, broken, *flags, "--resume")
    assert done.code == 0, done.err
    assert len(prompts(server)) == 3
    assert all("LADDER" in prompt for prompt in prompts(server))
    assert (broken / "results.csv").read_bytes() == (whole / "results.csv").read_bytes()


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    flags: list[object] = ["run", "--data", questions, *THRESHOLDS, "--async", "--concurrency", "2"]
    server = gemini_server(answer=toy)
    assert gemhall(run_script, server, whole, *flags).code == 0
    server = gemini_server(answer=toy)
    server.hold(after=4)
    process = start_script(SCRIPT, *flags, "--out", killed, env=server.variables())
    server.until_held(2)
    process.kill()
    process.communicate()
    server.release()
    assert gemhall(run_script, server, killed, *flags, "--resume").code == 0
    assert len(prompts(server)) == 9 + 2  # the two that were held
    assert (killed / "results.csv").read_bytes() == (whole / "results.csv").read_bytes()


def test_more_thresholds_may_be_named_when_resuming(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    server = gemini_server(answer=toy)
    flags = ("run", "--data", questions, "--thresholds")
    assert gemhall(run_script, server, tmp_path / "out", *flags, "0.9").code == 0
    done = gemhall(run_script, server, tmp_path / "out", *flags, "0.9", "0.5", "--resume")
    assert done.code == 0, done.err
    assert [row["t"] for row in rows(tmp_path / "out")] == ["0.5", "0.9"] * 3
    assert len(prompts(server)) == 6


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--thresholds", "1"), "a threshold lies in [0, 1)"),
        (("--thresholds", "-0.5"), "a threshold lies in [0, 1)"),
        (("--thresholds", "nan"), "a threshold lies in [0, 1)"),
        (("--thresholds", "0.5", "0.50"), "names 0.5 twice"),
        (("--thresholds", "0.5", "--concurrency", "4"), "--async"),
        (("--thresholds", "0.5", "--judge-model", "x"), "--judge llm"),
        (("--thresholds", "0.5", "--provider", "ollama"), "--model"),
        (("--thresholds", "0.5", "--num-ctx", "4096"), "--num-ctx"),
        (("--thresholds", "0.5", "--resume", "--overwrite"), "take one"),
        (("--thresholds", "0.5", "--progress", "--quiet"), "take one"),
    ],
)
def test_a_wrong_call_is_one_line(
    run_script: Run, questions: Path, tmp_path: Path, flags: tuple[str, ...], said: str
) -> None:
    done = run_script(SCRIPT, "run", "--data", questions, "--out", tmp_path / "out", *flags)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "out" / "results.csv").exists()


@pytest.mark.parametrize("name", ["subjects.csv", "metrics.json", "report.md"])
def test_no_file_of_the_report_takes_the_place_of_another(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    flags = ("run", "--thresholds", "0.5", "--overwrite", "--data")
    server = gemini_server(answer=toy)
    source = questions.rename(folder / name)
    done = gemhall(run_script, server, folder, *flags, source)
    assert (done.code, name in done.err) == (2, True), done.err
    assert source.read_text(encoding="utf-8") == QUESTIONS
    elsewhere = source.rename(tmp_path / "q.csv")
    done = gemhall(run_script, server, folder, *flags, elsewhere, "--store", folder / name)
    assert (done.code, "--store" in done.err) == (2, True), done.err
    (folder / name).write_text("somebody's", encoding="utf-8")
    done = gemhall(run_script, server, folder, "run", "--thresholds", "0.5", "--data", elsewhere)
    assert (done.code, "--overwrite" in done.err) == (2, True), done.err
    assert (folder / name).read_text(encoding="utf-8") == "somebody's"
    assert prompts(server) == []


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--thresholds", "0.9"), "also has t=0.5"),
        (("--thresholds", "0.5", "0.9", "--thinking-budget", "512"), "thinking budget"),
        (("--thresholds", "0.5", "0.9", "--seed", "7"), "seed"),
        (("--thresholds", "0.5", "0.9", "--lang", "bn"), "language"),
    ],
)
def test_results_of_another_run_are_not_added_to(
    run_script: Run,
    gemini_server: Servers,
    questions: Path,
    tmp_path: Path,
    flags: tuple[str, ...],
    said: str,
) -> None:
    server = gemini_server(answer=toy)
    usual = ("run", "--data", questions)
    assert gemhall(run_script, server, tmp_path / "out", *usual, *THRESHOLDS[:2], "0.9").code == 0
    done = gemhall(run_script, server, tmp_path / "out", *usual, *flags, "--resume")
    assert (done.code, said in done.err) == (2, True), done.err


def test_results_without_a_record_are_not_added_to(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    server = gemini_server(answer=toy)
    flags = ("run", "--data", questions, "--thresholds", "0.5")
    assert gemhall(run_script, server, tmp_path / "out", *flags).code == 0
    (tmp_path / "out" / "results.csv.run.json").unlink()
    done = gemhall(run_script, server, tmp_path / "out", *flags, "--resume")
    assert (done.code, "no record" in done.err) == (2, True), done.err


def test_a_wrong_answer_at_zero_costs_nothing(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    server = gemini_server(answer=always("7"))
    flags = ("run", "--data", questions, "--thresholds", "-0.0")
    assert gemhall(run_script, server, tmp_path / "out", *flags).code == 0
    assert {(row["t"], row["score"]) for row in rows(tmp_path / "out")} == {("0.0", "0.0")}
    assert list(metrics(tmp_path / "out")) == ["0.0"]


def test_results_of_another_model_are_not_added_to(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    server = gemini_server(answer=toy)
    flags = ("run", "--data", questions, "--thresholds", "0.5")
    assert gemhall(run_script, server, tmp_path / "out", *flags).code == 0
    done = gemhall(run_script, server, tmp_path / "out", *flags, "--model", GRADES, "--resume")
    assert done.code == 2
    assert "was made with model" in done.err


def test_both_doors_to_gemini_at_once_are_refused(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    both = {**gemini_server(answer=toy).variables(), "GOOGLE_GENAI_USE_VERTEXAI": "true"}
    flags = ("run", "--data", questions, "--thresholds", "0.5", "--out", tmp_path / "out")
    done = run_script(SCRIPT, *flags, env=both)
    assert done.code == 2
    assert "unset" in done.err


def test_a_dry_run_asks_nothing(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    server = gemini_server(answer=toy)
    flags = ("run", "--data", questions, *THRESHOLDS, "--judge", "llm", "--dry-run")
    done = gemhall(run_script, server, tmp_path / "out", *flags)
    assert done.code == 0, done.err
    assert "LADDER" in done.out
    assert "9 of 9 answers to ask for, at most 6 to grade" in done.out
    assert not server.requests
    assert not (tmp_path / "out").exists()


def test_any_provider_answers_and_grades(
    run_script: Run, gemini_server: Servers, questions: Path, tmp_path: Path
) -> None:
    with OpenAIServer(answer=toy) as answering:
        server = gemini_server(answer=always("YES"), models=[GRADES])
        done = run_script(
            *(SCRIPT, "run", "--data", questions, *THRESHOLDS, "--out", tmp_path / "out"),
            *("--provider", "openai", "--model", "m", "--base-url", answering.url),
            *("--judge", "llm", "--judge-provider", "gemini"),
            env=server.variables(),
        )
    assert done.code == 0, done.err
    assert len(prompts(server)) == 2
