"""What is written of an evaluation, and read back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import read_frame
from banglahallueval.spans.evaluation.files import (
    check_output,
    check_places,
    read_evaluation,
    write_evaluation,
)
from banglahallueval.spans.evaluation.run import Evaluation, EvaluationOptions, run_evaluation
from banglahallueval.spans.evaluation.summary import in_words
from banglahallueval.spans.types import Sample, SoftSpan
from tests.spans.making import REPEATED, TRICKY, sample, write_gold, write_lines

WHOLE = {"results.csv", "answers.csv", "results.md", "results.json"}
ADDRESS = "write to mina@example.org?key=1 or https://u:p@example.org/x?token=2"


def made(folder: Path, *, failure: str = "", samples: list[Sample] | None = None) -> Evaluation:
    """One detector that is right but for the last answer, and the first if it is to fail there."""
    samples = samples or [
        sample("a", TRICKY, REPEATED),
        sample("b", ADDRESS, (0, 5)),
        sample("c", "It is.", language="en"),
    ]
    gold = write_gold(folder / "gold.csv", samples)
    rows: list[dict[str, object]] = [{"id": each.id, "spans": each.spans} for each in samples[:-1]]
    rows.append({"id": samples[-1].id, "spans": [(0, 2)]})
    if failure:
        rows[0] = {"id": samples[0].id, "failure": failure}
    found = write_lines(folder / "it.jsonl", rows)
    return run_evaluation(EvaluationOptions(str(gold), (str(found),), own_spans=True))


def test_a_folder_holds_everything(tmp_path: Path) -> None:
    written = write_evaluation(made(tmp_path), tmp_path / "out")
    assert {path.name for path in written} == WHOLE
    assert {path.name for path in (tmp_path / "out").iterdir()} == WHOLE
    frame = read_frame(tmp_path / "out" / "results.csv")
    assert set(frame["detector"]) == {"it", "mark-all", "mark-none"}
    assert set(frame["language"]) == {"macro over languages", "pooled", "bn", "en"}
    rows = frame[(frame["detector"] == "it") & (frame["language"] == "bn")]
    assert rows["iou"].to_list() == ["1.0"]
    answers = read_frame(tmp_path / "out" / "answers.csv")
    assert answers["detected_spans"].to_list()[:2] == answers["spans"].to_list()[:2]
    assert answers["iou"].to_list() == ["1", "1", "0"]
    assert answers["answer"].to_list() == [TRICKY, ADDRESS, "It is."]


def test_tables_of_an_earlier_evaluation_do_not_stay(tmp_path: Path) -> None:
    write_evaluation(made(tmp_path, failure="cut off"), tmp_path / "out")
    assert read_frame(tmp_path / "out" / "failures.csv")["reason"].to_list() == ["cut off"]
    write_evaluation(made(tmp_path), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == WHOLE


def test_a_folder_of_other_things_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "failures.csv").write_text("mine\n", encoding="utf-8")
    write_evaluation(made(tmp_path), tmp_path)
    assert (tmp_path / "failures.csv").read_text(encoding="utf-8") == "mine\n"


@pytest.mark.parametrize("name", ["x.csv", "x.md", "x.json"])
def test_a_file_holds_the_results_in_its_form(tmp_path: Path, name: str) -> None:
    (path,) = write_evaluation(made(tmp_path), tmp_path / "out" / name)
    assert [each.name for each in path.parent.iterdir()] == [name]
    assert "mark-none" in path.read_text(encoding="utf-8")


def test_other_forms_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ends in \.csv, \.md, \.json"):
        check_output(tmp_path / "x.xlsx")
    (tmp_path / "v1.2").mkdir()
    check_output(tmp_path / "v1.2")
    check_output(tmp_path / "new")


def test_names_that_are_too_long_are_refused_before_anything_is_computed(tmp_path: Path) -> None:
    for output in (tmp_path / ("x" * 300), tmp_path / ("x" * 300) / "x.csv"):
        with pytest.raises(UsageError, match="name too long"):
            check_output(output)


@pytest.mark.parametrize("name", ["in/results.csv", "in/answers.csv", "in/x.csv.run.json", "in"])
def test_no_input_is_written_over(tmp_path: Path, name: str) -> None:
    """Fault: a file that was scored, or scored against, was replaced by the scores."""
    inputs = [tmp_path / "in" / file for file in ("results.csv", "answers.csv", "x.csv")]
    (tmp_path / "in").mkdir()
    with pytest.raises(UsageError, match="is an input and would be overwritten"):
        check_places(tmp_path / name, inputs)
    check_places(tmp_path / "out", inputs)


def test_results_among_the_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="would be read as data of"):
        check_places(tmp_path / "x.csv", [tmp_path])
    check_places(tmp_path / "x.md", [tmp_path])


def test_json_is_strict_and_holds_texts_as_they_are(tmp_path: Path) -> None:
    """Fault: addresses in answers were masked like a command's, which moved their offsets."""
    (path,) = write_evaluation(made(tmp_path), tmp_path / "x.json")
    whole = json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert [each["answer"] for each in whole["answers"]] == [TRICKY, ADDRESS, "It is."]
    assert whole["answers"][0]["found"]["it"]["spans"] == [list(REPEATED)]
    assert whole["gold"]["sha256"]
    assert whole["detectors"]["it"]["sha256"]
    assert any("1 where neither marks any" in line for line in whole["conventions"])


def test_an_evaluation_is_read_back(tmp_path: Path) -> None:
    (path,) = write_evaluation(made(tmp_path), tmp_path / "x.json")
    read = read_evaluation(path)
    assert read is not None
    assert [table.name for table in read.tables] == ["results"]
    assert len(read.answers) == 3
    assert read.sentences == ["the detectors' own spans count"]


def test_what_is_no_evaluation_is_left_to_others(tmp_path: Path) -> None:
    for text in ("", "{", "[]", '{"kind": "abstention"}'):
        (tmp_path / "x.json").write_text(text, encoding="utf-8")
        assert read_evaluation(tmp_path / "x.json") is None
    assert read_evaluation(tmp_path / "none.json") is None


def test_a_damaged_evaluation_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"kind": "span evaluation"}', encoding="utf-8")
    with pytest.raises(UsageError, match="is a damaged evaluation"):
        read_evaluation(tmp_path / "x.json")


def test_the_summary_fits_a_terminal(tmp_path: Path) -> None:
    """At most 100 columns, with many answers, long names and long reasons."""
    samples = [sample("a", TRICKY, REPEATED)]
    samples += [
        sample(str(n), "ঢাকা", (0, 4), language=language)
        for language in ("bn", "bn-Latn-x-private")
        for n in range(1200)
    ]
    for number, each in enumerate(samples):
        samples[number] = sample(f"{each.language} {each.id}", each.answer, language=each.language)
    samples[0] = replace(samples[0], soft=(SoftSpan(0, 1, 0.5),))
    gold = write_gold(tmp_path / "gold.csv", samples)
    rows = [{"id": each.id, "failure": "the reason is long " * 9} for each in samples]
    found = write_lines(tmp_path / "it.jsonl", rows)
    name = "llm-with-a-long-name-of-its-own/instruct-2026-12-01"
    options = EvaluationOptions(str(gold), (f"{name}={found}",), own_spans=True)
    text = in_words(run_evaluation(options))
    assert max(map(len, text.splitlines())) <= 100
    assert "2,401" in text
    assert "0.000 [0.00, 0.00]" in text


def test_notes_name_columns_as_the_table_does(tmp_path: Path) -> None:
    """Fault: the note said `ap without clean`, the column `AP, no clean`."""
    gold = write_gold(tmp_path / "gold.csv", [sample("a", TRICKY, REPEATED)])
    found = write_lines(tmp_path / "it.jsonl", [{"id": "a", "spans": []}])
    text = in_words(run_evaluation(EvaluationOptions(str(gold), (str(found),), own_spans=True)))
    head = text.partition("----")[0].splitlines()
    assert [line.split()[-1] for line in head] == ["AP", "without", "clean"]
    assert "AP without clean leaves these out." in " ".join(text.split())
