"""Results are matched with rows by text; what does not match, or is not whole, is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.harnesses.commands import export_main, import_main
from tests.harnesses.calling import cells
from tests.harnesses.logs import (
    Sample,
    exported,
    inspect_sample,
    lm_eval_sample,
    write_eval,
    write_lm_eval,
)
from tests.harnesses.tables import QA_CANDIDATES, input_flags, write, write_benchmark
from tests.in_process import ended
from tests.scripting import Finished
from tests.scripts.rows import record

Import = Callable[..., Finished]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_benchmark(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def rows(
    files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Sample]]:
    """The exported qa rows of each harness."""
    folder = tmp_path_factory.mktemp("exports")
    flags = ["--task", "qa", *input_flags({n: p for n, p in files.items() if n[:3] == "qa."})]
    for kind in ("lm-eval", "inspect"):
        export_main("Export.", ["--to", kind, str(folder / kind), *flags])
    return {kind: exported(folder / kind) for kind in ("lm-eval", "inspect")}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, files: dict[str, Path]) -> Import:
    """Imports results for qa's candidates into `out.csv`, unless flags say otherwise."""

    def run(harness: str, results: Path, *flags: object, source: Path | None = None) -> Finished:
        paths = ["--input", str(source or files["qa.candidates"])]
        argv = ["--from", harness, str(results), *paths, "--output", str(tmp_path / "out.csv")]
        return ended(capsys, lambda: import_main("Import.", [*argv, *map(str, flags)]))

    return run


def refused(done: Finished, *parts: str) -> None:
    """Check that a call ended in one line that holds these parts, with exit status 2."""
    assert (done.code, done.err.count("\n")) == (2, 1), done
    assert [part for part in parts if part not in done.err] == []


def replied(row: Sample) -> str:
    return "yes" if row["row"] % 2 else "no"


def test_equal_rows_take_a_result_each(
    call: Import, tmp_path: Path, files: dict[str, Path], rows: dict[str, list[Sample]]
) -> None:
    """In any order of the results; ids and positions do not matter."""
    samples = [lm_eval_sample(row, replied(row)) for row in reversed(rows["lm-eval"])]
    done = call("lm-eval", write_lm_eval(tmp_path / "r", samples))
    assert done.code == 0, done
    right = [("yes",) if n % 2 else ("no",) for n in range(11)]
    assert cells(tmp_path / "out.csv", "is_hallucinated") == right
    assert cells(tmp_path / "out.csv", *QA_CANDIDATES) == cells(files["qa.candidates"])
    assert "5 results are of another track or task" in done.out


def test_rows_without_a_result_are_refused_or_left_out(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """They get no label of the importer's own making."""
    samples = [lm_eval_sample(row, "yes") for row in rows["lm-eval"][:-3]]
    path = write_lm_eval(tmp_path / "r", samples)
    refused(call("lm-eval", path), "of 11 rows", "--partial")
    assert not (tmp_path / "out.csv").exists()
    assert call("lm-eval", path, "--partial").code == 0
    made = record(tmp_path / "out.csv")
    assert made["without_result"] == 11 - len(cells(tmp_path / "out.csv")) > 0


def test_results_of_other_rows_are_refused(
    call: Import, tmp_path: Path, files: dict[str, Path], rows: dict[str, list[Sample]]
) -> None:
    """A file that was changed since the export is not the one that was judged."""
    changed = [list(row) for row in cells(files["qa.candidates"])]
    changed[0][5] += "।"
    source = write(tmp_path / "changed.csv", QA_CANDIDATES, [tuple(row) for row in changed])
    path = write_lm_eval(tmp_path / "r", [lm_eval_sample(row, "yes") for row in rows["lm-eval"]])
    refused(call("lm-eval", path, source=source), "1 rows that", "unchanged")
    other = write(tmp_path / "other.csv", QA_CANDIDATES, [("x",) * 6])
    refused(call("lm-eval", path, source=other), "no result for a row")


def test_more_results_than_rows_are_refused(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """As of a run with several epochs."""
    twice = [inspect_sample(row, "yes", epoch=n) for row in rows["inspect"] for n in (1, 2)]
    refused(call("inspect", write_eval(tmp_path / "r.eval", twice)), "too many", "one epoch")


def test_several_runs_of_a_file_are_refused(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """All are named, and nothing is chosen."""
    samples = [inspect_sample(row, "yes") for row in rows["inspect"]]
    for name in ("a.eval", "b.eval"):
        write_eval(tmp_path / name, samples)
    refused(call("inspect", tmp_path), "2 runs", "a.eval", "b.eval")


def test_a_damaged_log_among_others_is_named(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    write_eval(tmp_path / "good.eval", [inspect_sample(row, "yes") for row in rows["inspect"]])
    (tmp_path / "bad.eval").write_bytes((tmp_path / "good.eval").read_bytes()[:900])
    done = call("inspect", tmp_path)
    assert done.code == 0, done
    assert "Note: left out: cannot read" in done.out


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-700])
    return path


@pytest.mark.parametrize("harness", ["lm-eval", "inspect"])
def test_damaged_results_are_one_line(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]], harness: str
) -> None:
    """Cut in the middle of a row, not UTF-8, not of an exported task, absent."""
    if harness == "lm-eval":
        samples = [lm_eval_sample(row, "yes") for row in rows[harness]]
        refused(call(harness, cut(write_lm_eval(tmp_path / "r", samples))), "no whole JSON")
    else:
        samples = [inspect_sample(row, "yes") for row in rows[harness]]
        refused(call(harness, cut(write_eval(tmp_path / "r.eval", samples))), "cannot read")
        log = tmp_path / "log.json"
        log.write_text(json.dumps({"samples": samples})[:-9], encoding="utf-8")
        refused(call(harness, log), "no whole JSON")
    strange = tmp_path / "strange.json"
    for data in (b"\xff\xfe", b"[]", b'{"eval": {}, "samples": [{"id": 1}]}', b'"x"', b"", b"[[]]"):
        strange.write_bytes(data)
        refused(call(harness, strange), "strange.json")
    refused(call(harness, tmp_path / "absent"), "absent")


def test_a_json_log_is_read_like_an_archive(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    samples = [inspect_sample(row, "yes") for row in rows["inspect"]]
    head = {"status": "success", "eval": {"task": "qa_standard", "model": "local/small"}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**head, "samples": samples}), encoding="utf-8")
    assert call("inspect", path).code == 0
    assert record(tmp_path / "out.csv")["labels"]["yes"] == 11


def test_what_a_killed_run_has_logged_is_read(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """It has no header yet; that it is not finished is said."""
    samples = [inspect_sample(row, "yes") for row in rows["inspect"][:8]]
    path = write_eval(tmp_path / "r.eval", samples, status="started")
    refused(call("inspect", path), "did not come to its end")
    done = call("inspect", path, "--partial")
    assert done.code == 0
    assert "did not come to its end" in done.out


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (
            {"error": {"message": "Boom\nAPIError('https://me:sk-abcdef@host/v1')"}},
            "no reply: ",
        ),
        ({"limit": {"type": "token"}}, "no reply: stopped at its token limit"),
        ({"output": {"choices": []}}, "no reply: none was logged"),
    ],
)
def test_a_sample_without_a_reply_is_unknown(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]], more: dict[str, Any], reason: str
) -> None:
    """With its reason, in which no key stands; the exit status says so."""
    samples = [inspect_sample(row, "yes", **more) for row in rows["inspect"]]
    assert call("inspect", write_eval(tmp_path / "r.eval", samples)).code == 1
    (found,) = record(tmp_path / "out.csv")["unknown_reasons"]
    assert found.startswith(reason)
    assert "sk-abc" not in found
    assert record(tmp_path / "out.csv")["labels"]["unknown"] == 11


def test_equal_odds_are_unknown(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """So is a model that gives no probabilities."""

    def sample(row: Sample) -> Sample:
        ends = {" yes": "-1.0", " no": "-1.0"} if row["row"] else {" yes": "-inf", " no": "-inf"}
        asked = {
            f"gen_args_{n}": {"arg_0": row["prompt"], "arg_1": end} for n, end in enumerate(ends)
        }
        said = [[[value, "False"]] for value in ends.values()]
        return {**lm_eval_sample(row, ""), "arguments": asked, "resps": said}

    assert call("lm-eval", write_lm_eval(tmp_path / "r", map(sample, rows["lm-eval"]))).code == 0
    assert record(tmp_path / "out.csv")["unknown_reasons"] == {"tie": 10, "no probabilities": 1}


def test_prompts_that_were_not_sent_alone_are_counted(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """A system text, examples before the prompt, a changed prompt."""
    samples = [lm_eval_sample(row, "yes") for row in rows["lm-eval"]]
    for sample in samples:
        sample["arguments"]["gen_args_0"]["arg_0"] = "Be strict.\n" + sample["doc"]["prompt"]
    path = write_lm_eval(tmp_path / "r", samples)
    assert "11 rows were shown with something else" in call("lm-eval", path).out
    in_form = {"chat_template": "{{ messages }}"}
    write_lm_eval(tmp_path / "r", samples, in_form)
    assert "shown with something" not in call("lm-eval", path, "--overwrite").out
    write_lm_eval(tmp_path / "r", samples, {**in_form, "system_instruction": "Be strict."})
    assert "11 rows were shown" in call("lm-eval", path, "--overwrite").out
    asked = [inspect_sample(row, "yes") for row in rows["inspect"]]
    for sample in asked:
        sample["messages"].insert(0, {"role": "system", "content": "Be strict."})
    log = write_eval(tmp_path / "r.eval", asked)
    assert "11 rows were shown" in call("inspect", log, "--overwrite").out


def test_thinking_apart_from_the_reply_is_no_reply(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """Inspect logs it as a part of the message."""
    parts = [{"type": "reasoning", "reasoning": "no, no"}, {"type": "text", "text": "yes"}]
    message = {"role": "assistant", "content": parts}
    output = {"choices": [{"message": message, "stop_reason": "stop"}]}
    samples = [inspect_sample(row, "yes", output=output) for row in rows["inspect"]]
    assert call("inspect", write_eval(tmp_path / "r.eval", samples)).code == 0
    assert record(tmp_path / "out.csv")["labels"] == {"yes": 11, "no": 0, "unknown": 0}


def test_rows_that_were_not_exported_come_back_as_label_leaves_them(
    call: Import, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A blank one is unknown, one that fails a check of generation is left out."""
    columns = (*QA_CANDIDATES, "generator", "checks")
    good = ("1", "1", "inference", "প্রসঙ্গ", "প্রশ্ন?", "উত্তর", "m", "ok")
    flagged, blank = (*good[:-1], "says the same as gold"), (*good[:5], " ", *good[6:])
    source = write(tmp_path / "in.csv", columns, [good, flagged, blank])
    flags = ["--task", "qa", "--tracks", "candidates", "--input", f"qa.candidates={source}"]
    export_main("Export.", ["--to", "lm-eval", str(tmp_path / "e"), *flags])
    samples = [lm_eval_sample(row, "yes") for row in exported(tmp_path / "e")]
    done = call("lm-eval", write_lm_eval(tmp_path / "r", samples), source=source)
    assert done.code == 0, done
    labels = cells(tmp_path / "out.csv", "is_hallucinated", "unknown_reason")
    assert labels == [("yes", ""), ("unknown", "blank input")]
    assert "1 rows left out: they fail a generation check" in done.out


def test_blank_rows_are_known_without_the_template(
    call: Import, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whoever imports need not have it where it was, or as it was."""
    row = ("1", "1", "inference", "প্রসঙ্গ", "প্রশ্ন?", "উত্তর")
    source = write(tmp_path / "in.csv", QA_CANDIDATES, [row, (*row[:3], "", *row[4:])])
    template = tmp_path / "own.txt"
    template.write_text("{context} {question} {answer}", encoding="utf-8")
    flags = ["--task", "qa", "--tracks", "candidates", "--input", f"qa.candidates={source}"]
    export_main("", ["--to", "lm-eval", str(tmp_path / "e"), *flags, "--prompt", str(template)])
    path = write_lm_eval(
        tmp_path / "r", [lm_eval_sample(each, "yes") for each in exported(tmp_path / "e", "qa_own")]
    )
    for text in ("{answer}", None):
        template.write_text(text, encoding="utf-8") if text else template.unlink()
        assert call("lm-eval", path, "--overwrite", source=source).code == 0
        labels = cells(tmp_path / "out.csv", "is_hallucinated", "unknown_reason")
        assert labels == [("yes", ""), ("unknown", "blank input")]


def test_half_a_surrogate_pair_is_no_crash(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """A reply may be cut within an emoji; no file holds the half that is left."""
    path = write_lm_eval(tmp_path / "r", [lm_eval_sample(row, "HALF") for row in rows["lm-eval"]])
    path.write_text(path.read_text(encoding="utf-8").replace("HALF", "yes \\ud83d"), "utf-8")
    assert call("lm-eval", path).code == 0
    assert cells(tmp_path / "out.csv", "raw_response")[0] == ("yes \ufffd",)


def test_what_a_run_was_told_is_recorded_without_keys(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]]
) -> None:
    """lm-eval takes keys among other arguments of a model, and logs them."""
    samples = [lm_eval_sample(row, "yes") for row in rows["lm-eval"]]
    config = {"model_args": "model=m,api_key=abcdef", "gen_kwargs": {"token": "abcdef"}}
    assert call("lm-eval", write_lm_eval(tmp_path / "r", samples, {"config": config})).code == 0
    assert "abcdef" not in (tmp_path / "out.csv.run.json").read_text(encoding="utf-8")
    assert record(tmp_path / "out.csv")["judge"]["harness"]["config"]["model_args"][:7] == "model=m"


@pytest.mark.parametrize("results", [[1], {"config": 5}, {"n-shot": "x"}])
def test_a_strange_results_file_is_one_line(
    call: Import, tmp_path: Path, rows: dict[str, list[Sample]], results: object
) -> None:
    path = write_lm_eval(tmp_path / "r", [lm_eval_sample(row, "yes") for row in rows["lm-eval"]])
    next(path.parent.glob("results_*")).write_text(json.dumps(results), encoding="utf-8")
    refused(call("lm-eval", path), "results_", "not what lm_eval says of a run")


def test_outputs_are_not_replaced_unasked(
    call: Import, tmp_path: Path, files: dict[str, Path], rows: dict[str, list[Sample]]
) -> None:
    path = write_lm_eval(tmp_path / "r", [lm_eval_sample(row, "yes") for row in rows["lm-eval"]])
    (tmp_path / "out.csv").write_text("mine")
    refused(call("lm-eval", path), "--overwrite")
    assert (tmp_path / "out.csv").read_text() == "mine"
    refused(call("lm-eval", path, "--output", files["qa.candidates"], "--overwrite"), "input")
