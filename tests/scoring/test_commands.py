"""The scoring scripts, as they are called."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.scoring.commands import score
from banglahallueval.scoring.estimate_command import estimate
from banglahallueval.scoring.published import published as published_judges
from banglahallueval.scoring.report_command import report
from tests.scoring.test_report import make_rows
from tests.scripting import Finished


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    make_rows(tmp_path)
    return tmp_path


def test_score_prints_the_published_figures(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The published labels score as they are known to, from a folder of files."""
    assert score("doc", [str(published), "--wide"]) == 0
    printed = capsys.readouterr().out
    for task, judge, bhs, detection, alarms in [
        ("codemix", "gpt_4_1_mini", "21.025", "0.7955", "0.2160"),
        ("codemix", "mistral_nemo", "55.450", "0.7410", "0.8500"),
        ("reasoning", "deepseek_r1_14b", "17.900", "0.8300", "0.1880"),
        ("summarization", "tigerllm_9b", "27.200", "0.5220", "0.0660"),
    ]:
        lines = [line for line in printed.splitlines() if line.startswith(f"| {task} ")]
        (line,) = [each for each in lines if f" {judge} " in each and f" {bhs} [" in each]
        assert f" {detection} [" in line
        assert f" {alarms} [" in line


def test_all_forms_are_written(
    labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Markdown, CSV, JSON and LaTeX hold the same scores."""
    out = tmp_path / "out"
    arguments = [str(labelled), "--output", str(out), "--format", "markdown,csv,json,latex"]
    assert score("doc", arguments) == 0
    capsys.readouterr()
    made = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    with (out / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["bhs"]) == made["scores"]["rows"][0]["bhs"]
    assert made["without_unknown"]["rows"]
    assert {row["reason"] for row in made["unknown"]["rows"]} == {"timeout"}
    assert r"\$x\$" in (out / "scores.tex").read_text(encoding="utf-8")
    assert "| alpha" in (out / "scores.md").read_text(encoding="utf-8")


def test_no_labelled_file_is_written_over(labelled: Path) -> None:
    """Fault: the page, or a table, took the place of what it was made of."""
    files = sorted(labelled.rglob("*.csv"))
    before = {file: file.read_bytes() for file in files}
    with pytest.raises(UsageError, match="is an input and would be overwritten"):
        report("doc", [str(labelled), "--output", str(files[0])])
    moved = files[0].with_name("scores.csv")
    files[0].rename(moved)
    with pytest.raises(UsageError, match=r"scores\.csv is an input"):
        score("doc", [str(labelled), "--output", str(moved.parent), "--format", "csv"])
    assert moved.read_bytes() == before[files[0]]


def test_json_alone_is_printed_as_json(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed JSON is nothing but JSON, with null where nothing is defined."""
    assert score("doc", [str(labelled / "qa_main_2.csv"), "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["scores"]["rows"][0]["bhs"] is None


def test_against_published_ranks_no_judge_of_other_rows(
    labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The published judges are ranked, with caveats; judges of a few own rows are not."""
    assert score("doc", [str(labelled), "--against", "published", "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)["against_published"]
    rows = table["rows"]
    values = [row["bhs"] for row in rows if row["bhs"] is not None]
    assert values == sorted(values)
    assert [row["rank"] for row in rows] == list(range(1, 8))
    assert not any("this run" in row["judge"] for row in rows)
    assert "Not ranked on qa: alpha, <b>beta</b>$x$, because it has 6 main rows" in table["note"]
    assert any("context" in row["caveat"] for row in rows)
    assert all(row["main"] != 0 for row in rows)


def test_the_published_table_gives_the_known_scores() -> None:
    """BHS of whole published files: codemix, reasoning and summarization as known."""
    bhs = {(each.task, each.judge): each.bhs for each in published_judges()}
    for name, right in {
        ("codemix", "GPT-4.1-mini"): 22.18,
        ("codemix", "Qwen2.5-32B"): 24.00,
        ("codemix", "DeepSeek-R1-14B"): 27.06,
        ("codemix", "Gemma2-27B"): 28.98,
        ("codemix", "TigerLLM-9B"): 31.64,
        ("codemix", "LLaMA-3.1-8B"): 47.83,
        ("codemix", "Mistral-Nemo"): 55.41,
        ("reasoning", "DeepSeek-R1-14B"): 19.10,
        ("reasoning", "Qwen2.5-32B"): 27.25,
        ("reasoning", "Gemma2-27B"): 39.05,
        ("reasoning", "Mistral-Nemo"): 49.30,
        ("reasoning", "LLaMA-3.1-8B"): 53.30,
        ("reasoning", "TigerLLM-9B"): 53.45,
        ("summarization", "TigerLLM-9B"): 26.17,
        ("qa", "GPT-4.1-mini"): 15.56,
    }.items():
        assert bhs[name] == pytest.approx(right, abs=0.0051)
    assert len(bhs) == 28
    wrong = [each for each in published_judges() if not each.comparable]
    assert {each.judge for each in wrong} == {"Qwen2.5-32B", "DeepSeek-R1-14B", "GPT-4.1-mini"}


def test_estimate_from_figures_and_from_files(
    labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures and files both give a rate; files must be of one judge and prompt."""
    given = ["--raw", "0.30", "--detection", "0.80", "--false-alarms", "0.10", "--json"]
    assert estimate("doc", given) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["rate"] == pytest.approx(0.2857, abs=5e-5)
    assert made["interval"] is None
    outputs = ["--outputs", str(labelled / "qa_candidates_2.csv")]
    with pytest.raises(UsageError, match="no labels of alpha on qa"):
        estimate("doc", [*outputs, "--benchmark", str(labelled / "qa_main_3.csv")])
    with pytest.raises(UsageError, match="both tracks"):
        estimate("doc", [*outputs, "--benchmark", str(labelled / "qa_main_2.csv")])
    with pytest.raises(UsageError, match="give --raw"):
        estimate("doc", ["--raw", "0.3"])


def test_estimate_recovers_a_known_share(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of a judge's candidates as somebody's outputs are estimated as all hallucinated."""
    mine = published / "codemix" / "codemix_candidates_gpt_4_1_mini_labeled.csv"
    arguments = ["--outputs", str(mine), "--benchmark", str(published / "codemix"), "--json"]
    assert estimate("doc", arguments) == 0
    printed = capsys.readouterr()
    made = json.loads(printed.out)
    assert "of 2000 rows of --outputs are unknown and count as not" in printed.err
    assert made["rate"] == pytest.approx(1)
    assert made["detection"]["rows"] < 2000


@pytest.mark.parametrize("name", ["score", "estimate_rate", "report"])
def test_scripts_fail_in_one_line(
    run_script: Callable[..., Finished], name: str, tmp_path: Path
) -> None:
    """A wrong call is one line on standard error and status 2, from any folder."""
    arguments = [] if name == "estimate_rate" else [str(tmp_path / "missing.csv")]
    done = run_script(f"scripts/{name}.py", *arguments, cwd=tmp_path)
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
