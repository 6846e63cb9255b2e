"""The questions that `gemhall` asks: MMLU, the benchmark's own, and a judge's verdicts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.abstention.calling import (
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
from tests.scripting import ROOT
from tests.servers.answers import Answer, Body, always, prompt_of
from tests.servers.process import Child
from tests.servers.real_llm import MODEL, PATIENCE

QA = ROOT / "QA/1000 Selected Samples/qa_sample.csv"


@pytest.fixture
def mmlu(tmp_path: Path) -> Path:
    """A local copy of MMLU: two subjects of eight questions, the third option right."""
    folder = tmp_path / "mmlu"
    places = ["Natore", "Bogura", "Rangpur", "Sylhet", "Khulna", "Jashore", "Barishal", "Cumilla"]
    for subject in ("astronomy", "world_religions"):
        (folder / subject).mkdir(parents=True)
        with (folder / subject / "test.jsonl").open("w", encoding="utf-8") as file:
            for number in range(8):
                choices = [f"{word} {places[number]}" for word in ("Ore", "Bay", "Gem", "Oak")]
                row = {"question": f"What is {number} in {subject}?", "choices": choices}
                file.write(json.dumps({**row, "answer": 2, "subject": subject}) + "\n")
    return folder


def test_mmlu_runs_on_a_local_copy(
    run_script: Run, gemini_server: Servers, mmlu: Path, tmp_path: Path
) -> None:
    pytest.importorskip("google.genai")
    server = gemini_server(answer=always("C"), models=[GRADES])
    done = gemhall(
        *(run_script, server, tmp_path / "out", "mmlu", *THRESHOLDS, "--model", GRADES),
        *("--split", "test", "--subjects", "all", "--limit", "10", "--data-dir", mmlu),
        *("--judge", "exact", "--async", "--concurrency", "16", "--progress"),
    )
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    assert len(rows(tmp_path / "out")) == 30
    assert metrics(tmp_path / "out")["0.9"]["accuracy_conditioned_on_answering"] == 1
    with (tmp_path / "out" / "subjects.csv").open(encoding="utf-8", newline="") as file:
        assert {row["subject"] for row in csv.DictReader(file)} == {"astronomy", "world_religions"}
    assert all("A. Ore" in prompt for prompt in prompts(server))


def test_a_share_of_mmlu_cannot_be_answered(
    run_script: Run, gemini_server: Servers, mmlu: Path, tmp_path: Path
) -> None:
    pytest.importorskip("google.genai")
    flags = ("mmlu", "--thresholds", "0.5", "--data-dir", mmlu, "--idk-frac", "0.5")
    done = gemhall(run_script, gemini_server(answer=always("C")), tmp_path / "out", *flags)
    assert done.code == 0, done.err
    made = sum(row["unknown_ok"] == "1" for row in rows(tmp_path / "out"))
    assert made == 8
    found = metrics(tmp_path / "out")["0.5"]
    assert found["incorrect_answers"] == made
    assert found["correct_answers"] == 16 - made


def test_the_benchmarks_own_questions_are_asked_in_bangla(
    run_script: Run, gemini_server: Servers, tmp_path: Path
) -> None:
    pytest.importorskip("google.genai")

    def answer(body: Body) -> Answer:
        return Answer("জানি না।" if "০.৯" in prompt_of(body) else "ঢাকা")

    server = gemini_server(answer=answer)
    flags = ("bangla", "--task", "qa", "--input", QA, "--thresholds", "0.9", "--limit", "5")
    done = gemhall(run_script, server, tmp_path / "out", *flags)
    assert done.code == 0, done.err
    assert {row["outcome"] for row in rows(tmp_path / "out")} == {"abstained"}
    assert len(prompts(server)) == 5


def test_passages_of_no_help_make_questions_unanswerable(run_script: Run, tmp_path: Path) -> None:
    flags = ("bangla", "--task", "qa", "--input", QA, "--thresholds", "0.9", "--idk-frac", "0.3")
    done = run_script(SCRIPT, *flags, "--dry-run", "--provider", "ollama", "--model", "m")
    assert done.code == 0, done.err
    assert "of 4 unanswerable questions, 4 show a passage of another topic" in done.out
    assert "answers to ask for" in done.out


def test_a_share_that_comes_to_none_is_refused(run_script: Run) -> None:
    flags = ("bangla", "--task", "qa", "--input", QA, "--thresholds", "0.9", "--limit", "1")
    done = run_script(SCRIPT, *flags, "--idk-frac", "0.3", "--dry-run")
    assert done.code == 2
    assert "--idk-frac 0.3 of 1 questions is none" in done.err


def test_a_missing_benchmark_file_is_named_with_its_sample(run_script: Run) -> None:
    flags = ("bangla", "--task", "codemix", "--thresholds", "0.9", "--input", "nowhere.csv")
    done = run_script(SCRIPT, *flags)
    assert done.code == 2
    assert "no file nowhere.csv" in done.err


def test_a_judge_may_hand_verdicts_over(run_script: Run, tmp_path: Path) -> None:
    labelled = []
    for task, track, file in (
        ("qa", "main", QA),
        ("qa", "candidates", ROOT / "Hallucination Generated Answers/qa_sample.csv"),
    ):
        labelled.append(tmp_path / f"{task}_{track}.csv")
        made = run_script(
            *("scripts/label.py", "--task", task, "--input", file, "--output", labelled[-1]),
        )
        assert made.code == 0, made.err
    flags = ("run", "--from-verdicts", *labelled, "--thresholds", "0.5", "0.9")
    done = run_script(SCRIPT, *flags, "--out", tmp_path / "out")
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    found = metrics(tmp_path / "out")
    assert found["0.5"]["coverage"] >= found["0.9"]["coverage"]
    text = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert text.startswith("# Which verdicts offline leaves to a person\n\n- judge: offline")
    assert "wrong verdicts" in text
    assert "hallucination rate" not in text
    assert "SimpleQA" not in text
    page = run_script(*("scripts/report.py", tmp_path / "out", "--output", tmp_path / "page.html"))
    assert page.code == 0, page.err
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "wrong verdicts" in html
    assert "SimpleQA" not in html
    again = run_script(SCRIPT, *flags, "--out", tmp_path / "out")
    assert again.code == 2
    assert "--overwrite" in again.err
    asking = run_script(SCRIPT, *flags, "--judge", "llm", "--out", tmp_path / "other")
    assert asking.code == 2
    assert "--judge" in asking.err


@pytest.mark.timeout(2 * PATIENCE)
def test_a_real_model_answers_and_grades_itself(
    run_script: Run, real_llm: Child, tmp_path: Path
) -> None:
    done = run_script(
        *(SCRIPT, "run", "--data", ROOT / "Abstention/examples/toy.csv", "--judge", "llm"),
        *("--thresholds", "0.5", "--out", tmp_path / "out", "--timeout", PATIENCE),
        *("--provider", "openai", "--model", MODEL, "--base-url", real_llm.url),
        *("--confidence", "--max-tokens", "24"),
    )
    # It may well run into its budget or grade in no words; that is no failure of the run.
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    assert len(rows(tmp_path / "out")) == 3
