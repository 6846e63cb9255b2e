"""No judge is credited with labels that another may have given."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table, read_frame, writing
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.labelling.plan import Plan
from banglahallueval.labelling.run import run
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RunOptions
from banglahallueval.scoring.load import load
from tests.labelling.conftest import Call, by_model
from tests.scripts.rows import QA, column, record
from tests.servers.answers import always
from tests.servers.openai_server import OpenAIServer

Server = Callable[..., OpenAIServer]


@pytest.fixture
def published(tmp_path: Path, call: Call) -> Path:
    """The output of a published script: 5 of the 8 rows, without a record."""
    rows = list(Table(tmp_path / "in.csv").rows())
    at = {name: i for i, name in enumerate(QA)}
    labels = ["Yes", "No", "Yes", "", "No"]
    columns = ("row_index", "question", "context", "answer_evaluated", "is_hallucinated")
    with writing(tmp_path / "out.csv", columns) as writer:
        for n, (cells, label) in enumerate(zip(rows, labels, strict=False)):
            texts = (cells[at[name]] for name in ("question", "context", "hallucinated_answer"))
            writer.writerow([str(n), *texts, label])
    return tmp_path / "out.csv"


def asked(server: OpenAIServer) -> int:
    return sum(seen.method == "POST" for seen in server.requests)


def test_labels_without_a_record_are_kept_as_of_unknown_origin(
    call: Call, published: Path, openai_server: Server
) -> None:
    """A published file's labels were once taken for those of the judge that went on."""
    server = openai_server(answer=always("no"))
    done = call(*by_model("m", server.url), "--resume")
    assert done.code == 0, done.err
    assert "it has no out.csv.run.json, so it is unknown who gave its labels" in done.out
    assert column(published, "is_hallucinated") == ["yes", "no", "yes", "no", "no", *["no"] * 3]
    assert column(published, "label_origin") == [
        *("kept", "kept", "kept", "judged", "kept"),
        *["judged"] * 3,
    ]
    assert asked(server) == 4
    found = record(published)
    assert found["kept"] == {"yes": 2, "no": 2, "unknown": 0}
    assert found["labels"] == {"yes": 2, "no": 6, "unknown": 0}
    assert found["runs"][-1]["rows"]["judged"] == 4


def test_scores_credit_the_judge_with_its_own_labels_only(
    call: Call, published: Path, openai_server: Server
) -> None:
    """The kept labels count for whom the file's name says, as without a record."""
    server = openai_server(answer=always("no"))
    assert call(*by_model("gpt-x", server.url), "--resume").code == 0
    labelled = load([published])
    by_judge = {name: rows["label"].tolist() for name, rows in labelled.rows.groupby("judge")}
    assert by_judge == {"gpt-x": ["no"] * 4, "out": ["yes", "no", "yes", "no"]}
    notes = [note for source in labelled.files for note in source.notes]
    assert "labels that were there before, of unknown origin" in notes


def test_the_origin_of_labels_outlives_further_runs(
    call: Call, published: Path, openai_server: Server
) -> None:
    """Slices that follow keep the marks, and what they judge is the judge's."""
    server = openai_server(answer=always("no"))
    model = by_model("m", server.url)
    assert call(*model, "--resume", "--start", 6).code == 0
    assert column(published, "label_origin") == ["kept"] * 5 + ["judged"] * 2
    done = call(*model, "--resume")
    assert done.code == 0, done.err
    assert "unknown who gave" not in done.out
    assert column(published, "label_origin") == [
        *("kept", "kept", "kept", "judged", "kept"),
        *["judged"] * 3,
    ]
    assert "is complete" in call(*model, "--resume").out
    assert call(*model, "--overwrite").code == 0
    assert "label_origin" not in Table(published).columns
    assert "kept" not in record(published)


def test_an_output_with_marks_can_be_its_own_input(
    call: Call, published: Path, openai_server: Server
) -> None:
    server = openai_server(answer=always("maybe"))
    assert call(*by_model("m", server.url), "--resume").code == 0
    server.answer = always("no")
    done = call(*by_model("m", server.url), "--resume", "--input", "out.csv")
    assert done.code == 0, done.err
    assert column(published, "label_origin").count("kept") == 4
    assert "unknown" not in column(published, "is_hallucinated")


def test_columns_of_a_published_file_that_are_dropped_are_named(
    call: Call, published: Path, openai_server: Server
) -> None:
    server = openai_server(answer=always("no"))
    done = call(*by_model("m", server.url), "--resume")
    assert "columns of out.csv that the input lacks are left out: 'row_index'" in done.out
    assert "row_index" not in Table(published).columns


def test_a_complete_file_without_a_record_is_left_as_it_is(call: Call, tmp_path: Path) -> None:
    """Nothing is asked, and nothing claims its labels."""
    assert call().code == 0
    (tmp_path / "out.csv.run.json").unlink()
    before = (tmp_path / "out.csv").read_bytes()
    done = call("--resume")
    assert done.code == 0
    assert "it is unknown who gave its labels" in done.out
    assert (tmp_path / "out.csv").read_bytes() == before
    assert not (tmp_path / "out.csv.run.json").exists()


def test_a_file_changed_since_its_record_was_written_is_told(
    call: Call, tmp_path: Path, openai_server: Server
) -> None:
    """Labels that were exchanged under a record were once credited to its judge."""
    server = openai_server(answer=always("no"))
    output = tmp_path / "out.csv"
    assert call(*by_model("m", server.url), "--end", 4).code == 0
    output.write_text(output.read_text(encoding="utf-8").replace(",no,", ",yes,"), encoding="utf-8")
    (source,) = load([output]).files
    assert source.judge == "out"
    assert any("out.csv.run.json does not hold for it" in note for note in source.notes)
    done = call(*by_model("m", server.url), "--resume")
    assert "Note: out.csv is not the file that out.csv.run.json describes" in done.out
    assert column(output, "label_origin") == ["kept"] * 4 + ["judged"] * 4
    assert {source.judge for source in load([output]).files} == {"m", "out"}


@pytest.mark.parametrize("failed_first", [True, False])
def test_rows_that_were_appended_twice_are_recognised(
    call: Call, published: Path, openai_server: Server, failed_first: bool
) -> None:
    """The second run of a published script appends all rows again: once called another input's."""
    first, second = published.read_text(encoding="utf-8"), published.read_text(encoding="utf-8")
    blank = first.replace(",Yes\n", ",\n").replace(",No\n", ",\n")
    first, second = (blank, second) if failed_first else (first, blank)
    published.write_text(first + second.split("\n", 1)[1], encoding="utf-8")
    server = openai_server(answer=always("no"))
    done = call(*by_model("m", server.url), "--resume")
    assert done.code == 0, done.err
    assert "5 rows of out.csv repeat others" in done.out
    assert column(published, "is_hallucinated") == ["yes", "no", "yes", "no", "no", *["no"] * 3]
    assert asked(server) == 4  # the row that failed twice, and three that are missing


def test_rows_of_another_input_are_still_refused(call: Call, published: Path) -> None:
    text = published.read_text(encoding="utf-8")
    published.write_text(text.replace("উত্তর 2", "অন্য উত্তর"), encoding="utf-8")
    done = call("--resume")
    assert done.code == 2
    assert "1 rows of out.csv are not in in.csv" in done.err


def test_a_studys_arm_counts_only_its_judges_labels(published: Path) -> None:
    """A study credits the rows of an arm's file to its judge, so it takes no others."""
    judge = JudgeSpec("openai", ClientOptions("openai", "m"))
    plan = Plan(
        "qa", judge, Path("in.csv"), Path("out.csv"), options=RunOptions(resume=True, quiet=True),
        own_labels_only=True,
    )  # fmt: skip
    with pytest.raises(UsageError, match=r"it is unknown who gave all labels of out\.csv"):
        run(plan)


DAMAGED = [
    "{",
    "[" * 100_000,
    json.dumps({"format": 1}),
    json.dumps({"format": 1, "runs": None}),
    json.dumps({"format": 1, "judge": [], "task": "qa"}),
    json.dumps({"format": 1, "columns": "x"}),
    json.dumps({"format": 1, "output": {"sha256": 7}}),
]


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_record_is_one_line(call: Call, tmp_path: Path, text: str) -> None:
    """Fields of another type were once tracebacks; the output stays as it is."""
    assert call("--end", 3).code == 0
    path = tmp_path / "out.csv.run.json"
    path.write_text(text, encoding="utf-8")
    before = (tmp_path / "out.csv").read_bytes()
    done = call("--resume")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "out.csv.run.json" in done.err
    assert ((tmp_path / "out.csv").read_bytes(), path.read_text(encoding="utf-8")) == (before, text)
    assert call("--overwrite").code == 0
    assert len(read_frame(tmp_path / "out.csv")) == 8
