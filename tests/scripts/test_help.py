"""What `--help` says of each flag, and what is said to a call that misspells one."""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Callable, Iterator

import pytest

from banglahallueval.prompts import names
from banglahallueval.tasks import TASKS
from tests.scripting import ROOT, Finished
from tests.scripts.test_command_lines import FLAGS, script_of

LABEL = ("scripts/label.py", "--task", "qa")
SAMPLE = TASKS["qa"].samples["main"]


def helps(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, argparse.Action, str]]:
    """Every flag of every script, with what its help says; nothing is printed."""
    shown: list[argparse.ArgumentParser] = []
    monkeypatch.setattr(argparse.ArgumentParser, "print_help", lambda self: shown.append(self))
    for call in FLAGS:
        script = script_of(call)
        words = call.removeprefix(script).split()
        monkeypatch.setattr(sys, "argv", [str(ROOT / script), *words, "--help"])
        with pytest.raises(SystemExit):
            runpy.run_path(str(ROOT / script), run_name="__main__")
        parser = shown.pop()
        formatter = parser._get_formatter()
        for action in parser._actions:
            if action.option_strings:
                yield f"{call} {action.option_strings[-1]}", action, formatter._expand_help(action)


def test_every_default_is_stated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = []
    for flag, action, text in helps(monkeypatch):
        has_default = action.default not in (None, False, "", argparse.SUPPRESS, [])
        if text.count("default:") > 1 or (has_default and "default: " not in text):
            wrong.append(f"{flag}: {text}")
    assert wrong == []


@pytest.mark.parametrize("task", TASKS)
def test_the_help_names_every_role_and_prompt(
    task: str, run_script: Callable[..., Finished]
) -> None:
    """Of `label.py`, which judges every task."""
    said = " ".join(run_script("scripts/label.py", "--help").out.split())
    roles = said.partition("Roles of ")[2].partition(" --resume")[0]
    assert ", ".join(TASKS[task].column_roles) in roles  # type: ignore[index]
    assert [name for name in names(task) if name not in said] == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (("scripts/label.py", "--task", "qaa"), "invalid choice: 'qaa'; did you mean qa?"),
        ((*LABEL, "--judge", "ofline"), "'ofline'; did you mean offline? (choose from offline, "),
        ((*LABEL, "--ressume"), "--ressume; did you mean --resume?"),
        ((*LABEL, "--concurency=4"), "--concurency=4; did you mean --concurrency?"),
        (
            (*LABEL, "--judge", "openai", "--model", "m", "--prompt", "qa.standart"),
            "no prompt 'qa.standart' for qa; did you mean qa.standard",
        ),
        ((*LABEL, "--input", SAMPLE, "--columns", "contxt=context"), "did you mean context? (it"),
        ((*LABEL, "--input", SAMPLE, "--columns", "context=Contxt"), "did you mean context? (it"),
        (("scripts/fetch_datasets.py", "tydia"), "no data set 'tydia'; did you mean tydiqa? (th"),
        (("scripts/gemhall.py", "bangle"), "'bangle'; did you mean bangla? (choose from run, "),
        (
            ("scripts/gemhall.py", "run", "--thresholds", "0.5", "--dat", "x", "--bin", "3"),
            "unrecognized arguments: --bin 3; did you mean --",
        ),
        (
            ("scripts/run_mitigation.py", "--judges", "opnai:m", "--samples"),
            "did you mean openai? (PROVIDER is one of openai, ",
        ),
        (
            (
                *("scripts/generate_hallucinations.py", "--task", "qa", "--model", "m"),
                *("--input", SAMPLE, "--output", "out.csv", "--patterns", "inferance"),
            ),
            "'inferance' is no pattern of qa; did you mean inference? (it has ",
        ),
        (
            ("scripts/run_mitigation.py", "--judges", "openai:m", "--tasks", "code-mix"),
            "--tasks: invalid choice: 'code-mix'; did you mean codemix? (choose from qa, ",
        ),
        (
            ("scripts/score.py", "QA/Results", "--format", "jsn"),
            "--format: invalid choice: 'jsn'; did you mean json? (choose from markdown, ",
        ),
        (
            (
                *("scripts/hal_eval.py", "correlate", "--scores", "Vision/samples/scores.csv"),
                *("--automatic", "colors", "--human", "human", "--source", "image"),
            ),
            "has no column 'colors'; did you mean colours? (it has image, ",
        ),
        (("scripts/label.py", "--taks", "qa"), "arguments: --taks; did you mean --task?"),
        (("scripts/gemhall.py", "run", "--thresholdd", "0.5"), "did you mean --thresholds?"),
        (
            ("scripts/gemhall.py", "run", "--thresholds", "0.5", "--dta=x"),
            "unrecognized arguments: --dta=x; did you mean --data?",
        ),
    ],
)
def test_a_slip_is_answered_in_one_line_with_what_was_meant(
    call: tuple[str, ...], meant: str, run_script: Callable[..., Finished]
) -> None:
    done = run_script(*call)
    (line,) = done.err.splitlines()
    assert done.code == 2
    assert line.startswith("error: ")
    assert meant in line


def test_a_word_like_none_gets_the_list_alone(run_script: Callable[..., Finished]) -> None:
    done = run_script("scripts/label.py", "--task", "zzz")
    assert "invalid choice: 'zzz' (choose from qa, " in done.err
    assert "did you mean" not in done.err
