"""lm-evaluation-harness runs what is exported, and its results come back as labelled files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.io.tables import Table
from banglahallueval.prompts import load
from banglahallueval.scoring.load import load as load_labels
from banglahallueval.scoring.results import results
from tests.harnesses.calling import cells, export, label, messages
from tests.harnesses.environments import command, run
from tests.harnesses.tables import write_benchmark
from tests.in_process import run_script
from tests.scripts.rows import record
from tests.servers.asked import Seen
from tests.servers.completions_server import CompletionsServer

GENERATE = "banglahallueval_generate"
CHOOSE = "banglahallueval_qa_standard_loglikelihood"


@dataclass(frozen=True)
class Runs:
    """Two runs of the harness: one that generates, for both tasks, and one that compares."""

    folder: Path
    files: dict[str, Path]
    labelled: dict[str, Path]
    asked_by_label: list[Seen]
    asked: list[Seen]

    def results(self, task: str) -> dict[str, Any]:
        """What the harness says of a task or group."""
        found = (
            json.loads(file.read_text(encoding="utf-8"))["results"]
            for file in self.folder.rglob("results_*.json")
        )
        of_task: dict[str, Any] = next(each[task] for each in found if task in each)
        return of_task

    def samples(self, task: str) -> Path:
        """The rows that the harness logged of a task."""
        return next(self.folder.rglob(f"samples_{task}_*.jsonl"))

    def imported(self, task: str, name: str) -> Path:
        """Import the rows of a task that belong to one file."""
        output = self.folder / f"{task}.{name}.csv"
        done = run_script(
            "scripts/import_results.py",
            *("--from", "lm-eval", self.samples(task), "--input", self.files[name]),
            *("--output", output, "--overwrite"),
        )
        assert done.code == 0, done
        return output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """The exported folder is moved before it is used."""
    lm_eval = command("lm-eval", "lm_eval")
    folder = tmp_path_factory.mktemp("lm_eval")
    files = write_benchmark(folder)
    export("lm-eval", files, folder)
    with CompletionsServer() as server:
        labelled = label(server, files, folder)
        before = len(server.requests)
        chat = {"model": "small", "base_url": f"{server.url}/chat/completions"}
        text = {"model": "small", "base_url": f"{server.url}/completions"}
        text |= {"tokenizer_backend": "remote", "tokenized_requests": "False"}
        for model, settings, tasks in (
            ("local-chat-completions", chat, ["--tasks", GENERATE, "--apply_chat_template"]),
            ("local-completions", {**text, "max_length": "100000"}, ["--tasks", CHOOSE]),
        ):
            args = ",".join(f"{key}={value}" for key, value in settings.items())
            done = run(
                lm_eval,
                *("run", "--model", model, "--model_args", f"{args},num_concurrent=4", *tasks),
                *("--include_path", "tasks", "--log_samples", "--output_path", "results"),
                cwd=folder,
                env={},
            )
            assert done.code == 0, done
        asked = server.requests
    return Runs(folder, files, labelled, asked[:before], asked[before:])


def test_chats_on_the_wire_are_those_of_label(runs: Runs) -> None:
    """One user turn each, the same text to the byte."""
    assert messages(runs.asked) == messages(runs.asked_by_label)


def test_compared_texts_are_the_prompts_of_label(runs: Runs) -> None:
    """Each prompt is followed by a spelling of yes or no, and by nothing else."""
    prompts = [each.prompt for each in runs.asked_by_label]
    qa = load("qa.standard", "qa").text[:200]
    sent = [each.body["prompt"] for each in runs.asked if each.path == "/v1/completions"]
    right = [f"{p} {end}" for p in prompts if p[:200] == qa for end in ("yes", "Yes", "no", "No")]
    assert sorted(set(sent)) == sorted(set(right))


@pytest.mark.parametrize("name", ["qa.main", "qa.candidates", "reasoning.candidates"])
def test_generated_replies_come_back_as_the_labels_of_label(runs: Runs, name: str) -> None:
    """Every row once, in input order, with all its cells; lm-eval logs no probabilities."""
    task = name.partition(".")[0]
    output = runs.imported(f"banglahallueval_{task}_standard_generate", name)
    columns = (
        *Table(runs.files[name]).columns,
        "is_hallucinated",
        "unknown_reason",
        "raw_response",
    )
    assert cells(output, *columns) == cells(runs.labelled[name], *columns)
    assert {p for (p,) in cells(output, "p_hallucinated")} == {""}


def test_compared_likelihoods_come_back_with_their_probability(runs: Runs) -> None:
    """The server gives yes and no the same odds in both ways of asking."""
    output = runs.imported(CHOOSE, "qa.candidates")
    columns = ("is_hallucinated", "p_hallucinated")
    assert cells(output, *columns) == cells(runs.labelled["qa.candidates"], *columns)
    assert record(output)["judge"]["mean_leftover_mass"] == pytest.approx(0.2)


def test_the_harness_scores_as_this_project_does(runs: Runs) -> None:
    """BHS and rates of each task, and of the group the mean over tasks."""
    means = []
    for task in ("qa", "reasoning"):
        name = f"banglahallueval_{task}_standard_generate"
        outputs = [runs.imported(name, f"{task}.{track}") for track in ("main", "candidates")]
        ours = next(iter(results(load_labels(outputs)).scores.values()))
        theirs = runs.results(name)
        assert theirs["bhs,none"] == pytest.approx(ours.bhs.value)
        assert theirs["detection,none"] == pytest.approx(ours.detection.value)
        assert theirs["false_alarms,none"] == pytest.approx(ours.false_alarms.value)
        means.append(theirs["bhs,none"])
    assert runs.results(GENERATE)["bhs,none"] == pytest.approx(sum(means) / 2)


def test_the_record_says_what_ran(runs: Runs) -> None:
    """Harness, version, model, task and prompt."""
    made = record(runs.imported("banglahallueval_qa_standard_generate", "qa.main"))
    harness = made["judge"]["harness"]
    assert made["judge"]["prompt"]["sha256"] == load("qa.standard", "qa").sha256
    assert harness["name"] == "lm-eval"
    assert harness["version"]
    assert harness["task_sha256"]
    assert harness["shots"] == 0
    assert made["altered_prompts"] == 0
