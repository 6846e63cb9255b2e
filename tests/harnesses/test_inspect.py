"""Inspect runs what is exported, and its logs come back as labelled files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.harnesses import inspect_results
from banglahallueval.io.tables import Table
from banglahallueval.scoring.load import load as load_labels
from banglahallueval.scoring.results import results
from tests.harnesses.calling import cells, export, label, messages
from tests.harnesses.environments import command, run
from tests.harnesses.tables import write_benchmark
from tests.in_process import run_script
from tests.scripting import Finished
from tests.scripts.rows import record
from tests.servers.answers import Answer, Answerer, Body, Failure, by_hash
from tests.servers.asked import Seen, prompt_of
from tests.servers.openai_server import OpenAIServer

TASKS_FILE = "tasks/banglahallueval_tasks.py"
# By what stands in a prompt, replies that hold no verdict; the last is no reply at all.
REPLIES: dict[str, Answer | Failure] = {
    "Model answer: factualness ১৯৭১\n": Answer("I am not sure."),
    "Model answer: inference ১৯৭১\n": Answer("yes", finish="content_filter"),
    "Model answer: ১৯৭১\n": Answer("The answer given here is, all things considered, " * 3 + "no"),
}
REFUSED = "Model answer: factualness {{ doc.key }}"


def answer(*, refuses: bool) -> Answerer:
    """Answer by hash, but for the prompts of `REPLIES`, and refuse one for good."""
    usual = by_hash()

    def reply(body: Body) -> Answer | Failure:
        prompt = prompt_of(body)
        if refuses and REFUSED in prompt:
            return Failure(400, '{"error": {"message": "bad request", "type": "invalid"}}')
        special = next((said for part, said in REPLIES.items() if part in prompt), None)
        return special or usual(body)

    return reply


@dataclass(frozen=True)
class Runs:
    """One run of two tasks, and what label.py makes of the same rows."""

    folder: Path
    files: dict[str, Path]
    labelled: dict[str, Path]
    asked_by_label: list[Seen]
    asked: list[Seen]
    printed: str

    def log(self, task: str) -> Path:
        """The log of a task."""
        return next((self.folder / "logs").glob(f"*_{task.replace('_', '-')}_*.eval"))

    def imported(self, name: str) -> tuple[Finished, Path]:
        """Import what belongs to one file."""
        output = self.folder / f"imported.{name}.csv"
        flags = ["--input", self.files[name], "--output", output, "--overwrite"]
        logs = self.folder / "logs"
        return run_script("scripts/import_results.py", "--from", "inspect", logs, *flags), output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """The exported folder is moved before it is used."""
    inspect = command("inspect", "inspect")
    folder = tmp_path_factory.mktemp("inspect")
    files = write_benchmark(folder)
    export("inspect", files, folder)
    with OpenAIServer(answer=answer(refuses=False)) as server:
        labelled = label(server, files, folder)
        before = len(server.requests)
        server.answer = answer(refuses=True)
        done = run(
            inspect,
            *("eval", f"{TASKS_FILE}@qa_standard", f"{TASKS_FILE}@reasoning_standard"),
            *("--model", "openai-api/local/small", "-T", "logprobs=true"),
            *("--no-fail-on-error", "--display", "plain", "--log-dir", "logs"),
            cwd=folder,
            env={"LOCAL_BASE_URL": server.url, "LOCAL_API_KEY": "sk-test"},
        )
        assert done.code == 0, done
        asked = server.requests
    return Runs(folder, files, labelled, asked[:before], asked[before:], done.out)


def test_chats_on_the_wire_are_those_of_label(runs: Runs) -> None:
    """One user turn each, the same text to the byte."""
    assert messages(runs.asked) == messages(runs.asked_by_label)


@pytest.mark.parametrize("name", ["qa.main", "reasoning.main", "reasoning.candidates"])
def test_logs_come_back_as_the_file_of_label(runs: Runs, name: str) -> None:
    """Every cell: label, probability, reason and reply."""
    done, output = runs.imported(name)
    assert done.code == 0, done
    assert cells(output) == cells(runs.labelled[name])


def test_a_sample_with_an_error_is_unknown_with_its_reason(runs: Runs) -> None:
    """All other rows have label.py's labels; the exit status says that the run is unfinished."""
    done, output = runs.imported("qa.candidates")
    assert done.code == 1, done
    made, right = cells(output), cells(runs.labelled["qa.candidates"])
    failed = [n for n, row in enumerate(made) if row[-2].startswith("no reply: ")]
    assert [n for n, (a, b) in enumerate(zip(made, right, strict=True)) if a != b] == failed
    assert len(failed) == 1
    assert made[failed[0]][-4] == "unknown"
    assert "bad request" in made[failed[0]][-2]


def test_reasons_are_told_apart(runs: Runs) -> None:
    """Inspect logs how a reply ended, so what was filtered or cut off is no label."""
    reasons = record(runs.imported("qa.candidates")[1])["unknown_reasons"]
    assert {name for name in reasons if not name.startswith("no reply")} == {"unparsed", "filtered"}
    assert record(runs.imported("qa.main")[1])["unknown_reasons"] == {"cut off": 1}


def test_the_harness_scores_as_this_project_does(runs: Runs) -> None:
    """Where all samples are scored: BHS, rates, and detection of each pattern."""
    outputs = [runs.imported(f"reasoning.{track}")[1] for track in ("main", "candidates")]
    ours = next(iter(results(load_labels(outputs)).scores.values()))
    theirs = metrics(runs, "reasoning_standard")
    assert theirs["bhs"] == pytest.approx(ours.bhs.value)
    assert theirs["detection"] == pytest.approx(ours.detection.value)
    assert theirs["false_alarms"] == pytest.approx(ours.false_alarms.value)
    assert theirs["detection: arithmetic_slip"] == theirs["detection"]


def test_unknown_is_kept_apart(runs: Runs) -> None:
    """Three of 15 scored qa rows hold no verdict; they count as no alarm and as misses."""
    theirs = metrics(runs, "qa_standard")
    assert theirs["unknown"] == pytest.approx(3 / 15)
    assert theirs["bhs"] == pytest.approx(50 * (theirs["false_alarms"] + 1 - theirs["detection"]))


def test_samples_carry_what_they_are(runs: Runs) -> None:
    """Task, track, pattern, row and source stand in the metadata of each."""
    rows = inspect_results.read_run(runs.log("qa_standard")).rows
    assert {(each.row.task, each.row.track) for each in rows} == {
        ("qa", "main"),
        ("qa", "candidates"),
    }
    assert not any(each.is_altered for each in rows)


def test_the_record_says_what_ran(runs: Runs) -> None:
    """Harness, version, model and task."""
    made = record(runs.imported("qa.main")[1])
    assert made["judge"]["name"] == "openai-api/local/small (inspect)"
    assert made["judge"]["harness"]["version"]
    assert made["judge"]["harness"]["task"] == "qa_standard"
    assert made["columns"]["answer"] in Table(runs.files["qa.main"]).columns


def metrics(runs: Runs, task: str) -> dict[str, Any]:
    """What Inspect computed for a task."""
    header, _ = inspect_results.read_log(runs.log(task))
    found = header["results"]["scores"][0]["metrics"]
    return {name: each["value"] for name, each in found.items()}
