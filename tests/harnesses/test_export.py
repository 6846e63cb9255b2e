"""What is exported: every row once, prompts filled as label.py fills them, nothing overwritten."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.harnesses.commands import export_main
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.prompts import load
from tests.harnesses.tables import QA_CANDIDATES, input_flags, write, write_benchmark
from tests.in_process import ended
from tests.scripting import Finished

Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return write_benchmark(tmp_path)


def export(capsys: Capsys, kind: str, folder: Path, *flags: object) -> Finished:
    argv = ["--to", kind, str(folder), *map(str, flags)]
    return ended(capsys, lambda: export_main("Export.", argv))


def of_qa(files: dict[str, Path]) -> list[str]:
    return ["--task", "qa", *input_flags({n: p for n, p in files.items() if n.startswith("qa.")})]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize(("kind", "field"), [("lm-eval", "prompt"), ("inspect", "input")])
def test_prompts_are_filled_as_label_fills_them(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path], kind: str, field: str
) -> None:
    """Every row of both tracks, word for word."""
    done = export(capsys, kind, tmp_path / "out", *of_qa(files))
    assert done.code == 0, done
    prompt, right = load("qa.standard", "qa"), []
    for name in ("qa.main", "qa.candidates"):
        table = Table(files[name])
        layout = find_layout(table.columns, "qa")
        right += [prompt.fill(layout.item(cells)) for cells in table.rows()]
    found = lines(tmp_path / "out" / "qa_standard.jsonl")
    assert sorted(each[field] for each in found) == sorted(right)


def test_the_first_rows_hold_both_tracks(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path]
) -> None:
    """A harness's own limit takes the first rows; of one track alone there is no BHS."""
    export(capsys, "lm-eval", tmp_path / "out", *of_qa(files))
    tracks = [each["track"] for each in lines(tmp_path / "out" / "qa_standard.jsonl")]
    assert tracks[:4].count("main") == 1
    assert tracks.count("main") == 5
    assert tracks.count("candidates") == 11


def test_exported_code_stands_alone(capsys: Capsys, tmp_path: Path, files: dict[str, Path]) -> None:
    """It imports nothing of this project, which whoever runs a harness need not have."""
    export(capsys, "lm-eval", tmp_path / "lm", *of_qa(files))
    export(capsys, "inspect", tmp_path / "in", *of_qa(files))
    for path in (tmp_path / "lm" / "utils.py", tmp_path / "in" / "banglahallueval_tasks.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        assert not any(name and name.startswith("banglahallueval") for name in names)


def test_a_prompt_of_each_task_is_named_by_its_ending(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path]
) -> None:
    """A chain of thought generates; where its reply begins there is no verdict to compare."""
    flags = ["--task", "qa,reasoning", "--prompt", "cot", *input_flags(files)]
    assert export(capsys, "lm-eval", tmp_path / "out", *flags).code == 0
    made = {path.stem for path in (tmp_path / "out").glob("*.yaml")}
    names = ("qa_cot_generate", "reasoning_cot_generate", "generate")
    assert made == {f"banglahallueval_{name}" for name in names}
    assert (
        "max_gen_toks: 1024" in (tmp_path / "out/banglahallueval_qa_cot_generate.yaml").read_text()
    )


def test_ones_own_template_is_exported(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path]
) -> None:
    """Its file's name becomes part of the task's, as far as Python takes it."""
    template = tmp_path / 'my "own"-one.txt'
    template.write_text("Is {answer} wrong? yes or no", encoding="utf-8")
    flags = [*of_qa(files), "--prompt", template]
    assert export(capsys, "inspect", tmp_path / "out", *flags).code == 0
    code = (tmp_path / "out" / "banglahallueval_tasks.py").read_text(encoding="utf-8")
    names = [n.name for n in ast.walk(ast.parse(code)) if isinstance(n, ast.FunctionDef)]
    assert "qa_my_own_one" in names
    bangla = template.rename(tmp_path / "প্রম্পট.txt")
    flags[-1] = bangla
    assert "@qa_own" in export(capsys, "inspect", tmp_path / "bn", *flags).out


def test_rows_that_label_does_not_ask_about_are_left_out(capsys: Capsys, tmp_path: Path) -> None:
    """Blank ones, and candidates that fail a check of generation; both are counted."""
    columns = (*QA_CANDIDATES, "generator", "checks")
    good = ("1", "1", "inference", "প্রসঙ্গ", "প্রশ্ন?", "উত্তর", "m", "ok")
    flagged, blank = (*good[:-1], "says the same as gold"), (*good[:5], " ", *good[6:])
    path = write(tmp_path / "in.csv", columns, [good, flagged, blank])
    flags = ["--task", "qa", "--tracks", "candidates", "--input", f"qa.candidates={path}"]
    done = export(capsys, "lm-eval", tmp_path / "out", *flags)
    assert len(lines(tmp_path / "out" / "qa_standard.jsonl")) == 1
    assert "1 rows left out: they fail a generation check" in done.out
    assert "1 rows left out: blank" in done.out
    done = export(capsys, "lm-eval", tmp_path / "all", *flags, "--keep-flagged")
    assert len(lines(tmp_path / "all" / "qa_standard.jsonl")) == 2


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("qa.ecot", "label.py"),
        ("qa.few_shot", "label.py"),
        ("none", "no prompt 'none' for qa (give one of"),
    ],
)
def test_prompts_that_no_harness_carries_out_are_refused(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path], prompt: str, why: str
) -> None:
    done = export(capsys, "lm-eval", tmp_path / "out", *of_qa(files), "--prompt", prompt)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert why in done.err
    assert not (tmp_path / "out").exists()


def test_only_an_earlier_export_is_replaced(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path]
) -> None:
    """And that only if it is told to; a folder of the user's own never is."""
    out, own = tmp_path / "out", tmp_path / "own"
    own.mkdir()
    (own / "notes.txt").write_text("mine")
    assert export(capsys, "lm-eval", out, *of_qa(files)).code == 0
    before = (out / "export.json").read_bytes()
    assert "--overwrite" in export(capsys, "inspect", out, *of_qa(files)).err
    assert (out / "export.json").read_bytes() == before
    assert export(capsys, "inspect", out, *of_qa(files), "--overwrite").code == 0
    assert not (out / "utils.py").exists()
    assert export(capsys, "inspect", own, *of_qa(files), "--overwrite").code == 2
    assert [path.name for path in own.iterdir()] == ["notes.txt"]
    assert not list(tmp_path.glob("*.part"))


def test_only_flags_that_the_script_has_are_advised(
    capsys: Capsys, tmp_path: Path, files: dict[str, Path]
) -> None:
    """It has no --columns, and its flag for tasks is --task."""
    path = write(tmp_path / "l.csv", ("id", "text"), [("", "")])
    flags = ["--task", "qa", "--tracks", "candidates"]
    for name, advice in ((path, "rename the column"), (tmp_path / "absent.csv", "leave its task")):
        more = ["--input", f"qa.candidates={name}"]
        done = export(capsys, "lm-eval", tmp_path / "out", *flags, *more)
        assert done.code == 2
        assert advice in done.err
        assert not {"--columns", "--tasks"} & set(done.err.split())


def test_a_labelled_file_is_refused(capsys: Capsys, tmp_path: Path, files: dict[str, Path]) -> None:
    """Its labels would be part of what its rows are matched by."""
    path = write(tmp_path / "l.csv", (*QA_CANDIDATES, "is_hallucinated"), [("",) * 7])
    flags = ["--task", "qa", "--tracks", "candidates", "--input", f"qa.candidates={path}"]
    done = export(capsys, "lm-eval", tmp_path / "out", *flags)
    assert done.code == 2
    assert "labelled file" in done.err
