"""Spans are detected and evaluated through the scripts, as a user does it."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import regex

from banglahallueval.spans.tables import COLUMNS, DETECTION_COLUMNS, read_detections
from tests.scripting import ROOT, Finished, start_script
from tests.scripts.rows import column, record
from tests.servers.answers import Answer, Body, Failure, prompt_of
from tests.servers.ollama_models import Model
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer
from tests.spans.making import REPEATED, TRICKY, sample, write_gold, write_lines

DETECT = "scripts/detect_spans.py"
EVALUATE = "scripts/evaluate_spans.py"
REPORT = "scripts/report.py"
GOLD = ROOT / "Spans" / "samples" / "bangla_gold.csv"
IN_FLIGHT = 4

Run = Callable[..., Finished]
Servers = Callable[..., OpenAIServer]

_ANSWER = regex.compile(r"<answer (\w+)>\n(.*)\n</answer \1>", regex.S)


def tagger(body: Body) -> Answer:
    """Copies the answer that it is asked about, and tags its last ঢাকা."""
    found = _ANSWER.search(prompt_of(body))
    assert found is not None
    before, word, behind = found[2].rpartition("ঢাকা")
    return Answer(f"{before}[HAL]{word}[/HAL]{behind}" if word else found[2])


def write_tricky(path: Path, answers: int) -> Path:
    return write_gold(
        path, [sample(f"a{n}", f"{TRICKY} {n}", REPEATED, source=f"s{n}") for n in range(answers)]
    )


def flags(source: Path, output: Path, server: OpenAIServer) -> list[object]:
    return [
        "--data", source, "--output", output, "--detector", "llm", "--model", "m",
        "--base-url", server.url, "--concurrency", IN_FLIGHT, "--quiet",
    ]  # fmt: skip


def asked(server: OpenAIServer) -> Counter[str]:
    """How often each prompt was asked."""
    return Counter(seen.prompt for seen in server.requests if "chat" in seen.path)


def evaluated(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def results(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows of the table of results, by detector and language."""
    rows = evaluated(path)["tables"]["results"]["rows"]
    return {(row["detector"], row["language"]): row for row in rows}


def test_samples_are_detected_evaluated_and_reported(tmp_path: Path, run_script: Run) -> None:
    """The three commands of the README, with two detectors side by side."""
    for detector in ("offline", "evidence"):
        output = tmp_path / f"{detector}.csv"
        done = run_script(DETECT, "--data", GOLD, "--detector", detector, "--output", output)
        assert done.code == 0, done.err
        assert "80 answers, " in done.out
        assert "of the characters are marked" in done.out
        with output.open(encoding="utf-8") as file:
            assert file.readline().strip() == ",".join((*COLUMNS, *DETECTION_COLUMNS))
        for name in COLUMNS:
            ours, theirs = column(output, name), column(GOLD, name)
            if name == "spans":
                ours, theirs = ([json.loads(text) for text in side] for side in (ours, theirs))
            assert ours == theirs
        assert record(output)["detector"] == {
            "label": detector,
            "kind": detector,
            "name": detector,
        }
    files = [tmp_path / "offline.csv", tmp_path / "evidence.csv"]
    done = run_script(EVALUATE, *files, "--gold", GOLD, "--own-spans", "--output", tmp_path / "out")
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines()[:-1])) <= 100
    found = results(tmp_path / "out" / "results.json")
    detectors = {name for name, _ in found}
    assert detectors == {"offline", "evidence", "mark-all", "mark-none"}
    assert found["offline", "bn"]["answers"] == 64
    assert found["offline", "bn-Latn"]["clean"] == 4
    assert found["offline", "pooled"]["iou"] > found["mark-none", "pooled"]["iou"]
    page = tmp_path / "report.html"
    done = run_script(REPORT, tmp_path / "out", "--output", page)
    assert (done.code, done.err) == (0, "")
    html = page.read_text(encoding="utf-8")
    assert '<section id="section-1"><h2>Spans: ' in html
    assert html.count("<article") == 160
    assert "span-gold span-found" in html


def test_spans_survive_from_the_model_to_the_score(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """Emoji, joiners, both forms of য় and repeated words: every offset is right at the end."""
    source, output = write_tricky(tmp_path / "in.csv", 6), tmp_path / "out.csv"
    server = openai_server(answer=tagger)
    done = run_script(DETECT, *flags(source, output, server))
    assert done.code == 0, done.err
    for of, found in read_detections(output):
        assert found.spans == (REPEATED,) == of.spans
        assert of.answer[slice(*found.spans[0])] == "ঢাকা"
        assert len(found.scores) == len(of.answer)
    done = run_script(EVALUATE, output, "--gold", source, "--output", tmp_path / "x.json")
    assert done.code == 0, done.err
    row = results(tmp_path / "x.json")["llm m", "bn"]
    assert (row["iou"], row["ap"], row["answers"]) == (1, 1, 3)
    assert "no validation split for bn" in done.out


def test_kills_change_nothing(tmp_path: Path, openai_server: Servers, run_script: Run) -> None:
    """SIGKILL in the midst, twice: the same bytes, and only what was held is asked again."""
    answers = 40
    source = write_tricky(tmp_path / "in.csv", answers)
    whole = run_script(DETECT, *flags(source, tmp_path / "whole.csv", openai_server(answer=tagger)))
    assert whole.code == 0, whole.err
    output, server, replies = tmp_path / "killed.csv", openai_server(answer=tagger), 0
    for moment in (7, 25):
        server.hold(after=moment - replies)
        process = start_script(DETECT, *flags(source, output, server), "--resume")
        replies = moment
        server.until_held(IN_FLIGHT)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        server.until_held(0)
        assert not output.exists()
    server.release()
    last = run_script(DETECT, *flags(source, output, server), "--resume")
    assert last.code == 0, last.err
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert len(asked(server)) == answers
    assert asked(server).total() == answers + 2 * IN_FLIGHT
    again = run_script(DETECT, *flags(source, output, server), "--resume")
    assert again.code == 0
    assert "nothing left to ask" in again.out


def test_failures_are_asked_again_and_never_clean(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    """Fault of several detectors: a reply that cannot be read was taken for an answer unmarked."""
    source, output = write_tricky(tmp_path / "in.csv", 4), tmp_path / "out.csv"
    vague = openai_server(answer=lambda body: Answer("I cannot see any problem."))
    done = run_script(DETECT, *flags(source, output, vague))
    assert done.code == 0, done.err
    assert set(column(output, "detected_spans")) == {""}
    assert "" not in column(output, "failure")
    assert record(output)["detections"]["with_spans"] == 0
    clear = openai_server(answer=tagger)
    done = run_script(DETECT, *flags(source, output, clear), "--resume")
    assert done.code == 0, done.err
    assert set(column(output, "failure")) == {""}
    assert [run["answers"] for run in record(output)["runs"]] == [4, 4]


def test_no_reply_is_exit_status_1(tmp_path: Path, openai_server: Servers, run_script: Run) -> None:
    source, output = write_tricky(tmp_path / "in.csv", 3), tmp_path / "out.csv"
    server = openai_server(answer=lambda body: Failure(500, "out of order"))
    given = [each for each in flags(source, output, server) if each != "--quiet"]
    done = run_script(DETECT, *given, "--max-retries", 0)
    assert done.code == 1
    assert set(column(output, "failure")) == {"no reply: server error"}
    assert "without a result: 3 no reply: server error" in done.out
    assert done.out.rstrip().endswith("--resume")


def test_detectors_do_not_mix(tmp_path: Path, openai_server: Servers, run_script: Run) -> None:
    source, output = write_tricky(tmp_path / "in.csv", 2), tmp_path / "out.csv"
    assert run_script(DETECT, "--data", source, "--output", output).code == 0
    before = output.read_bytes()
    server = openai_server(answer=tagger)
    other = run_script(DETECT, *flags(source, output, server), "--resume")
    assert other.code == 2
    assert "was made with the detector offline, this run has llm m" in other.err
    assert output.read_bytes() == before
    assert asked(server).total() == 0


def test_other_weights_of_one_name_do_not_mix(
    tmp_path: Path, ollama_server: Callable[..., OllamaServer], run_script: Run
) -> None:
    source, output = write_tricky(tmp_path / "in.csv", 2), tmp_path / "out.csv"
    words = [
        "--data", source, "--output", output, "--detector", "llm", "--provider", "ollama",
        "--model", "m:7b", "--quiet", "--ollama-url",
    ]  # fmt: skip
    first = ollama_server(models=[Model("m:7b")], answer=lambda body: Answer("no copy"))
    assert run_script(DETECT, *words, first.url).code == 0
    other = ollama_server(models=[Model("m:7b", context=8192)])
    refused = run_script(DETECT, *words, other.url, "--resume")
    assert refused.code == 2
    assert "was made by weights" in refused.err


def test_a_dry_run_asks_and_writes_nothing(
    tmp_path: Path, openai_server: Servers, run_script: Run
) -> None:
    source, output = write_tricky(tmp_path / "in.csv", 3), tmp_path / "out.csv"
    server = openai_server(answer=tagger)
    done = run_script(DETECT, *flags(source, output, server), "--dry-run")
    assert done.code == 0, done.err
    assert f"Asking m at {server.url}" in done.out
    assert f"{TRICKY} 0\n</answer" in done.out
    assert "3 of 3 answers to examine; about " in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
    assert asked(server).total() == 0


def test_psiloqa_is_detected_and_annotators_are_compared(
    tmp_path: Path, shared_data: Path, run_script: Run
) -> None:
    """GPT against the union of three people: 0.7460, as computed from the paper's own files."""
    folder = shared_data / "psiloqa"
    if not folder.is_dir():
        pytest.skip("needs PsiloQA's annotator files below BANGLAHALLUEVAL_DATA")
    people = sorted(folder.glob("*_annotator.csv"))
    output = tmp_path / "offline.csv"
    done = run_script(DETECT, "--data", folder / "gpt.csv", "--output", output)
    assert done.code == 0, done.err
    done = run_script(
        EVALUATE, output, f"gpt={folder / 'gpt.csv'}", "--annotators", *people,
        "--against", "union", "--own-spans", "--output", tmp_path / "out",
    )  # fmt: skip
    assert done.code == 0, done.err
    found = results(tmp_path / "out" / "results.json")
    assert found["gpt", "en"]["iou"] == pytest.approx(0.7460, abs=5e-5)
    assert found["offline", "en"]["answers"] == 25
    pairs = column(tmp_path / "out" / "agreement.csv", "iou")
    assert len(pairs) == 3
    done = run_script(EVALUATE, "--gold", folder / "gpt.csv", "--annotators", *people)
    assert done.code == 0, done.err
    assert regex.search(r"gpt +union +25 +0\.746 ", done.out)
    assert regex.search(r"gpt +intersection +25 +0\.69[01] ", done.out)


@pytest.mark.parametrize(
    ("spans", "problem"),
    [
        ("[[0, 99]]", "the span [0, 99] reaches outside the answer's 4 code points"),
        ("[[3, 1]]", "the span [3, 1] is reversed"),
        ("[[0.5, 1]]", "the offset 0.5 of a span is not a whole number"),
        ("[[0", "which is no JSON"),
        ("none", "which is no JSON"),
    ],
)
def test_invalid_spans_are_named(tmp_path: Path, run_script: Run, spans: str, problem: str) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f'id,answer,spans\na,ঢাকা,[]\nb,ঢাকা,"{spans}"\n', encoding="utf-8")
    for words in (
        [DETECT, "--data", path, "--output", tmp_path / "out.csv"],
        [EVALUATE, path, "--gold", path],
    ):
        done = run_script(*words)
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert f"{path}, row 2: " in done.err
        assert problem in done.err


def test_predictions_of_anyone_are_checked(tmp_path: Path, run_script: Run) -> None:
    """An id that is there twice is refused; one that is missing counts 0 and is told."""
    source = write_tricky(tmp_path / "in.csv", 3)
    right = [{"id": f"a{n}", "spans": [list(REPEATED)]} for n in range(3)]
    twice = write_lines(tmp_path / "twice.jsonl", [*right, right[0]])
    done = run_script(EVALUATE, twice, "--gold", source)
    assert done.code == 2
    assert "line 4: the id 'a0' is there twice" in done.err
    missing = write_lines(tmp_path / "missing.jsonl", [*right[:2], {"id": "x", "spans": []}])
    done = run_script(EVALUATE, missing, "--gold", source, "--output", tmp_path / "x.json")
    assert done.code == 0, done.err
    told = " ".join(done.out.split())
    assert "1 answers have no prediction, which counts 0" in told
    assert "1 ids are none of the answers'" in told
    row = results(tmp_path / "x.json")["missing", "bn"]
    assert (row["failed"], row["iou"]) == (1, pytest.approx(2 / 3))
