"""Wrong calls and inputs are told in one line, before anything is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.io.tables import writing
from tests.in_process import run_script
from tests.scripting import Finished
from tests.servers.answers import always
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer
from tests.servers.process import Child
from tests.servers.real_llm import MODEL, PATIENCE
from tests.spans.building import writers
from tests.spans.building.test_pipeline import MODELS, SCRIPT, asked, rows

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]

ASKING = ("questions", "annotate", "filter")


@pytest.mark.parametrize("step", ASKING)
def test_a_missing_input_is_one_line(step: str, build: Build) -> None:
    refused = build(step, "--model", "m")
    assert refused.code == 2
    assert "no file set/" in refused.err
    assert len(refused.err.splitlines()) == 1


def test_the_output_of_another_step_is_no_input(
    build: Build, until: Until, server: OpenAIServer
) -> None:
    """What lacks a column names it, and so does what has the step's own columns already."""
    until("annotate", server)
    lacking = build("annotate", "--model", "m", "--input", "set/questions.csv")
    assert lacking.code == 2
    assert "has no column 'answer', which the step annotate reads" in lacking.err
    done = build("questions", "--model", "m", "--input", "set/answers.csv", "--output", "q.csv")
    assert done.code == 2
    assert "already has the column 'complexity'" in done.err


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("gpt-4.1", "give PROVIDER:MODEL"),
        ("elsewhere:x", "providers are openai"),
        ("openai:", "give PROVIDER:MODEL"),
        ("openai:a,openai:a", "names openai:a twice"),
        (",", "names the models that answer"),
    ],
)
def test_models_that_cannot_be_asked_are_refused(names: str, message: str, build: Build) -> None:
    refused = build("answers", "--models", names)
    assert refused.code == 2
    assert message in refused.err


@pytest.mark.parametrize("flags", [("--num-ctx", 9), ("--decode", "score"), ("--device", "cpu")])
def test_flags_of_others_are_refused(flags: tuple[object, ...], build: Build) -> None:
    refused = build("annotate", "--model", "m", *flags)
    assert refused.code == 2
    assert f"makes no use of {flags[0]}" in refused.err


def test_the_commands_of_the_reference_run(
    build: Build, server: OpenAIServer, tmp_path: Path
) -> None:
    """The names and flags of PsiloQA's commands do here what they do there."""
    texts = writers.texts(tmp_path)
    done = build("get_contexts", "--texts", texts, *("-l", "bn", "-n", 2, "--min-len", 20))
    assert done.code == 0, done.err
    files = ("--in", "set/contexts.csv", "--out", "q.csv")
    assert build("generate_qa", *files, "--model", "m", on=server).code == 0
    answering = ("--in", "q.csv", "--out", "a.csv", "--limit", 4, "-m", "openai:m")
    assert build("generate_hypotheses", *answering, on=server).code == 0
    files = ("--in", "a.csv", "--out", "s.csv")
    assert build("annotate_hypotheses", *files, "--model", "m", on=server).code == 0
    assert len(rows(tmp_path / "s.csv")) == 4


def test_models_of_several_providers_answer(
    build: Build,
    until: Until,
    server: OpenAIServer,
    ollama_server: Callable[..., OllamaServer],
    tmp_path: Path,
) -> None:
    until("answers", server)
    other = ollama_server(answer=always("ওলামার উত্তর"), models=["qwen2.5:7b"])
    models = ("--models", "openai:m-1,ollama:qwen2.5:7b", "--ollama-url", other.url)
    done = build("answers", *models, on=server)
    assert done.code == 0, done.err
    made = rows(tmp_path / "set/answers.csv")
    assert {row["model"] for row in made} == {"m-1", "qwen2.5:7b"}
    for row in made:
        assert (row["answer"] == "ওলামার উত্তর") == (row["model"] == "qwen2.5:7b")
    record = json.loads((tmp_path / "set/answers.csv.run.json").read_text(encoding="utf-8"))
    assert record["runs"][0]["asked"] == 9


def test_a_slice_outside_the_input_is_refused(
    build: Build, until: Until, server: OpenAIServer
) -> None:
    until("questions", server)
    refused = build("questions", "--model", "m", "--start", 3)
    assert refused.code == 2
    assert "has 3 rows" in refused.err


def test_slices_merge_into_one_file(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("answers", server)
    whole = (tmp_path / "set/questions.csv").read_bytes()
    flags = ("questions", "--model", "m-1", "--output", "q.csv")
    assert build(*flags, "--start", 1, on=server).code == 0
    assert build(*flags, "--end", 1, "--resume", on=server).code == 0
    assert (tmp_path / "q.csv").read_bytes() == whole


@pytest.mark.parametrize("change", [("--model", "other"), ("--seed", 7)])
def test_rows_of_two_models_or_seeds_do_not_meet_in_one_file(
    change: tuple[object, ...], build: Build, until: Until, server: OpenAIServer
) -> None:
    until("answers", server)
    flags = {"--model": "m-1"} | {change[0]: change[1]}
    words = [word for pair in flags.items() for word in pair]
    refused = build("questions", *words, "--resume", on=server)
    assert refused.code == 2
    assert "name another --output, or --overwrite it" in refused.err


def test_one_s_own_questions_can_be_answered(
    build: Build, server: OpenAIServer, tmp_path: Path
) -> None:
    """A file without `status` is taken as it is; rows with a blank are left out."""
    with writing(
        tmp_path / "mine.csv", ("id", "language", "evidence", "question", "gold_answer")
    ) as w:
        w.writerow(["1", "bn", "পাঠ", "কে: আসেন?", "রবি"])
        w.writerow(["2", "bn", "পাঠ", "", "রবি"])
    done = build("answers", "--models", "openai:m", "--input", "mine.csv", on=server)
    assert done.code == 0, done.err
    assert "left out: 1 rows of mine.csv" in done.out
    flags = ("--model", "m")
    assert build("annotate", *flags, on=server).code == 0
    assert build("filter", *flags, "--jsonl", "out.jsonl", on=server).code == 0
    (row,) = rows(tmp_path / "set/dataset.csv")
    assert (row["id"], row["source"]) == ("1", "bn:1")
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["complexity"] == ""


@pytest.mark.parametrize("answer", ["", "[HAL]আমি[/HAL] জানি"])
def test_an_answer_that_cannot_be_marked_goes_no_further(
    answer: str, build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("answers", server)
    server.answer = writers.writer(answers=lambda prompt: answer)
    assert build("answers", "--models", "openai:m", on=server).code == 0
    made = rows(tmp_path / "set/answers.csv")
    assert {row["answer"] for row in made} == {""}
    assert {row["status"] for row in made} <= {"empty", "tags of its own"}


def test_a_passage_cannot_fill_another_slot(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Slots and tags inside a passage stay in its place as they are."""
    folder = writers.texts(tmp_path)
    hostile = "{question} {answer} [HAL] {{x}} শালবনপুর"
    (folder / "library.txt").write_text(hostile, encoding="utf-8")
    until_contexts = build("contexts", "--texts", folder, "--min-len", 5)
    assert until_contexts.code == 0
    assert build("questions", "--model", "m", on=server).code == 0
    assert any(seen.prompt.endswith(hostile) for seen in asked(server))


@pytest.mark.timeout(2 * PATIENCE)
def test_a_real_model_goes_through_the_pipeline(real_llm: Child, tmp_path: Path) -> None:
    """What a small model cannot do is blank with its reason; no step breaks on what it says."""
    texts = tmp_path / "texts"
    texts.mkdir()
    text = "The library of Shalbanpur was opened in 1962 by Harun Mia, a teacher. It had 120 books."
    (texts / "a.txt").write_text(text, encoding="utf-8")
    asking = ("--base-url", real_llm.url, "--concurrency", 1, "--timeout", PATIENCE, "--quiet")
    folder = ("--folder", tmp_path / "set")
    one = ("--model", MODEL, "--tries", 1, "--max-tokens", 60, *asking, *folder)
    run_script(SCRIPT, "contexts", "--texts", texts, "-l", "en", "--min-len", 20, *folder)
    done = run_script(SCRIPT, "questions", *one)
    assert done.code == 0, done.err
    made = rows(tmp_path / "set/questions.csv")
    assert len(made) == 3
    assert all(bool(row["question"]) == (row["status"] == "ok") for row in made)
    row = {
        "id": "1",
        "language": "en",
        "evidence": text,
        "question": "Who opened the library of Shalbanpur?",
        "gold_answer": "Harun Mia",
    }
    with writing(tmp_path / "asked.csv", [*row]) as writer:
        writer.writerow([*row.values()])
    models = ("--models", f"openai:{MODEL}", "--input", tmp_path / "asked.csv", "--max-tokens", 60)
    done = run_script(SCRIPT, "answers", *models, *asking, *folder)
    assert done.code == 0, done.err
    (answered,) = rows(tmp_path / "set/answers.csv")
    assert answered["status"] in ("ok", "cut off")
    assert bool(answered["answer"]) == (answered["status"] == "ok")
    row |= {"model": "me", "answer": "Harun Mia opened it in 1971."}
    with writing(tmp_path / "answered.csv", [*row]) as writer:
        writer.writerow([*row.values()])
    done = run_script(SCRIPT, "annotate", *one, "--input", tmp_path / "answered.csv")
    assert done.code == 0, done.err
    (marked,) = rows(tmp_path / "set/annotated.csv")
    assert bool(marked["spans"]) == (marked["status"] == "ok")
    marks = {"annotator": "me", "tagged": row["answer"], "spans": "[]"}
    with writing(tmp_path / "marked.csv", [*row, *marks]) as writer:
        writer.writerow([*row.values(), *marks.values()])
    done = run_script(SCRIPT, "filter", *one, "--input", tmp_path / "marked.csv")
    assert done.code == 0, done.err
    (decided,) = rows(tmp_path / "set/filtered.csv")
    kept = rows(tmp_path / "set/dataset.csv")
    assert len(kept) == (decided["status"] == "kept")


def test_the_pipeline_needs_models_that_answer(build: Build, tmp_path: Path) -> None:
    done = build("pipeline", "--texts", writers.texts(tmp_path), *MODELS)
    assert done.code == 2
    assert "--models" in done.err
