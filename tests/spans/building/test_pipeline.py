"""The whole pipeline: every step, its files, its end product, and what a stop costs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.io.tables import Table
from banglahallueval.spans.building.commands import FILES
from banglahallueval.spans.formats.notes import Notes
from banglahallueval.spans.formats.psiloqa import published
from banglahallueval.spans.records import records
from banglahallueval.spans.tables import COLUMNS, read_samples
from tests.in_process import run_script
from tests.scripting import Finished, start_script
from tests.servers.base import Seen
from tests.servers.openai_server import OpenAIServer
from tests.spans.building import writers

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]

SCRIPT = "scripts/build_span_dataset.py"
MODELS = ("--qa-model", "q-1", "--annotator-model", "a-1", "--filter-model", "f-1")


def rows(path: Path) -> list[dict[str, str]]:
    table = Table(path)
    return [dict(zip(table.columns, cells, strict=True)) for cells in table.rows()]


def asked(server: OpenAIServer) -> list[Seen]:
    return [seen for seen in server.requests if seen.body]


def pipeline(tmp_path: Path, *more: object) -> tuple[object, ...]:
    texts = writers.texts(tmp_path)
    sources = ("--texts", texts, "--min-len", 20)
    return ("pipeline", *sources, "--models", "openai:m-1", "openai:m-2", *MODELS, *more)


def test_the_pipeline_makes_a_span_csv_and_the_published_schema(
    build: Build, server: OpenAIServer, tmp_path: Path
) -> None:
    """Three passages become nine answers, each with its year marked where it stands."""
    done = build(*pipeline(tmp_path, "--jsonl", "set/published.jsonl"), on=server)
    assert done.code == 0, done.err
    data = tmp_path / "set" / "dataset.csv"
    assert Table(data).columns == COLUMNS
    samples = list(read_samples(data))
    assert len(samples) == len({sample.id for sample in samples}) == 9
    for sample in samples:
        (span,) = sample.spans or ()
        assert sample.answer[span.start : span.end] == "১৯৭১"
        assert sample.answer.startswith("**উত্তর**")
        assert sample.language == "bn"
    assert len({sample.source for sample in samples}) == 3
    assert {sample.model for sample in samples} == {"m-1", "m-2"}
    notes = Notes()
    again = [published(record, notes) for record in records(tmp_path / "set/published.jsonl")]
    assert [(s.id, s.answer, s.spans, s.model) for s in again] == [
        (s.id, s.answer, s.spans, s.model) for s in samples
    ]


def test_the_published_schema_has_its_fields_in_order(
    build: Build, server: OpenAIServer, tmp_path: Path
) -> None:
    build(*pipeline(tmp_path, "--jsonl", "p.jsonl"), on=server)
    line = (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    row = json.loads(line)
    assert list(row) == [
        *("id", "lang", "wiki_title", "wiki_url", "llm_checkpoint", "wiki_passage", "question"),
        *("golden_answer", "llm_answer", "annotated_span", "complexity", "labels"),
    ]
    assert row["wiki_url"] == "https://example.org/madhabpur"
    assert row["complexity"] == "hard"


def test_each_step_reads_what_the_one_before_writes(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Fault of the reference: one step's default output was not the next one's default input."""
    until("filter", server)
    assert build("filter", "--model", "m-1", on=server).code == 0
    assert sorted(path.name for path in (tmp_path / "set").glob("*.csv")) == sorted(
        [*FILES.values(), "dataset.csv"]
    )


def test_answers_are_asked_for_without_the_passage(
    build: Build, until: Until, server: OpenAIServer
) -> None:
    until("annotate", server)
    for seen in asked(server):
        if writers.kind_of(seen.prompt) == "answers":
            assert seen.prompt.endswith("প্রশ্ন কী?")
            assert len(seen.body["messages"]) == 1


def test_the_seed_chooses_the_model_of_each_row(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """The same seed chooses the same models, also where only a slice is asked; another others."""
    until("answers", server)
    models = ("--models", "openai:m-1,openai:m-2,openai:m-3")

    def chosen(seed: int, *flags: object) -> list[str]:
        done = build("answers", *models, "--seed", seed, "--overwrite", *flags, on=server)
        assert done.code == 0, done.err
        return [row["model"] for row in rows(tmp_path / "set" / "answers.csv")]

    assert chosen(1) == chosen(1)
    assert chosen(1)[3:5] == chosen(1, "--start", 3, "--end", 5)
    assert chosen(1) != chosen(2)


def test_a_killed_pipeline_goes_on_and_asks_nothing_twice(
    server: OpenAIServer, tmp_path: Path
) -> None:
    """SIGKILL within a step, then `--resume`: the same bytes, and each question asked once."""
    flags = [*pipeline(tmp_path), "--base-url", server.url, "--concurrency", 2]
    server.hold(after=3 + 9 + 4)
    killed = start_script(SCRIPT, *flags, "--folder", tmp_path / "a")
    server.until_held(2)
    killed.kill()
    killed.communicate()
    server.until_held(0)
    server.release()
    assert (tmp_path / "a/answers.csv").exists()
    assert not (tmp_path / "a/annotated.csv").exists()
    done = run_script(SCRIPT, *flags, "--folder", tmp_path / "a", "--resume")
    assert done.code == 0, done.err
    times = Counter(json.dumps(seen.body) for seen in asked(server) if seen.completed)
    assert set(times.values()) == {1}
    assert run_script(SCRIPT, *flags, "--folder", tmp_path / "b").code == 0
    for name in (*FILES.values(), "dataset.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_a_second_run_does_not_append(build: Build, server: OpenAIServer, tmp_path: Path) -> None:
    """Fault of the reference: steps that were run again appended to what was there."""
    assert build(*pipeline(tmp_path), on=server).code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "set").glob("*.csv")}
    count = len(asked(server))
    refused = build(*pipeline(tmp_path), on=server)
    assert refused.code == 2
    assert "--resume adds to it" in refused.err
    again = build(*pipeline(tmp_path), "--resume", on=server)
    assert again.code == 0
    assert again.out.count("nothing left to ask") == 5
    assert build(*pipeline(tmp_path), "--overwrite", on=server).code == 0
    assert {path: path.read_bytes() for path in before} == before
    assert len(asked(server)) == count  # all of it was in the stores


def test_no_prompt_is_printed(build: Build, server: OpenAIServer, tmp_path: Path) -> None:
    """Fault of the reference: the filter printed what it asked."""
    done = build(*pipeline(tmp_path), on=server)
    for text in (*writers.KINDS.values(), "শালবনপুর", "প্রশ্ন কী"):
        assert text not in done.out + done.err


def test_a_dry_run_shows_each_prompt_and_cost_and_writes_nothing(
    build: Build, tmp_path: Path
) -> None:
    done = build(*pipeline(tmp_path), "--dry-run", "--base-url", "http://127.0.0.1:9/v1")
    assert done.code == 0, done.err
    for start in writers.KINDS.values():
        assert start in done.out
    assert "contexts: 3 passages" in done.out
    lines = [line for line in done.out.splitlines() if "rows to make" in line]
    assert [line.partition(":")[0] for line in lines] == list(FILES)[1:]
    assert all("9 rows" in line and "prompt tokens and at most" in line for line in lines)
    assert not (tmp_path / "set").exists()


def test_a_dry_run_goes_by_what_is_there_already(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Beside `--resume`, finished steps cost nothing, and the real questions are shown."""
    until("answers", server)
    texts = ("--texts", writers.texts(tmp_path), "--min-len", 20, "--resume")
    models = ("--models", "openai:m-1", "--qa-model", "m-1", *MODELS[2:])
    done = build("pipeline", *texts, *models, "--dry-run", "--base-url", "http://127.0.0.1:9/v1")
    assert done.code == 0, done.err
    assert "questions: 0 rows to make" in done.out
    assert "answers: 9 rows to make" in done.out
    assert "easy প্রশ্ন কী?" in done.out


def test_a_lost_reply_is_blank_goes_no_further_and_is_asked_for_by_resume(
    build: Build, server: OpenAIServer, tmp_path: Path
) -> None:
    """No reply is no answer: eight rows go on, the exit status is 1, and `--resume` mends it."""

    def lost(prompt: str) -> writers.Reply:
        if "easy" in prompt and "শালবনপুর" in prompt:
            return writers.Failure(400, '{"error": {"message": "not this one"}}')
        return writers.answers(prompt)

    server.answer = writers.writer(answers=lost)
    done = build(*pipeline(tmp_path), on=server)
    assert done.code == 1
    blank = [row for row in rows(tmp_path / "set/answers.csv") if not row["answer"]]
    assert [row["status"] for row in blank] == ["no reply: request refused"]
    assert "left out: 1 rows" in done.out
    assert len(rows(tmp_path / "set/dataset.csv")) == 8
    server.answer = writers.writer()
    assert build(*pipeline(tmp_path), "--resume", on=server).code == 0
    assert len(rows(tmp_path / "set/dataset.csv")) == 9


@pytest.mark.parametrize("step", ["questions", "annotate", "filter"])
def test_records_name_models_prompts_and_no_key(
    step: str, build: Build, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each output can be traced; a key is in no file and on no screen."""
    monkeypatch.setenv("QA_GENERATOR_OPENAI_API_KEY", "sk-very-secret-1")
    done = build(*pipeline(tmp_path), on=server)
    assert done.code == 0, done.err
    text = (tmp_path / "set" / f"{FILES[step]}.run.json").read_text(encoding="utf-8")
    record = json.loads(text)
    assert record["step"] == step
    assert record["generator"]["models"][0].startswith("openai:")
    assert len(record["generator"]["prompts"][f"spans.{step}"]) == 64
    assert record["runs"][0]["asked"] == {"questions": 3}.get(step, 9)
    everything = done.out + done.err + text
    assert "sk-very-secret-1" not in everything
