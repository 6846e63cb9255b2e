from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.vision.calling import Call
from tests.vision.discriminative.calling import KINDS, THINGS, Workspace, caption
from tests.vision.items import published, write

RIGHT = ["Yes.", "No.", "No.", "No.", "No."]


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def rows_of(workspace: Workspace, **more: Any) -> list[dict[str, Any]]:
    """A right reply to every caption."""
    return [
        {"index": index, "kind": kind, "reply": RIGHT[at], **more}
        for index in range(4)
        for at, kind in enumerate(KINDS)
    ]


def score(hal_eval: Call, workspace: Workspace, file: Path, *flags: object) -> str:
    done = hal_eval(
        *("discriminative", "--data", workspace.data, "--predictions", file),
        *("--output", workspace.output, *flags),
    )
    assert done.code == 0, done.err
    return done.out


def refused(hal_eval: Call, workspace: Workspace, file: Path, *flags: object) -> str:
    done = hal_eval(
        *("discriminative", "--data", workspace.data, "--predictions", file),
        *("--output", workspace.output, *flags),
    )
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert not workspace.output.exists()
    return done.err


def test_replies_are_scored_without_pictures_or_a_model(
    workspace: Workspace, hal_eval: Call
) -> None:
    out = score(hal_eval, workspace, write_csv(workspace.path / "r.csv", rows_of(workspace)))
    assert workspace.column("answer_matches") == ["yes", "no", "no", "no", "no"] * 4
    assert workspace.score("macro")["accuracy"] == 1
    assert "supplied replies, read as to prompt script (en)" in out
    record = workspace.record()
    assert record["predictions"]["path"].endswith("r.csv")
    assert len(record["predictions"]["sha256"]) == 64


def test_rows_are_joined_by_index_and_never_by_their_place(
    workspace: Workspace, hal_eval: Call
) -> None:
    """A row too many, or the rows in another order, shift nothing."""
    rows = [{"index": 99, "kind": "true", "reply": "Yes."}, *rows_of(workspace)[::-1]]
    out = score(hal_eval, workspace, write_csv(workspace.path / "r.csv", rows))
    assert "Note: 1 replies in" in out
    assert "are about no caption of the data; left out" in out
    assert workspace.score("macro")["accuracy"] == 1


def test_missing_replies_are_counted_and_never_wrong(workspace: Workspace, hal_eval: Call) -> None:
    rows = [row for row in rows_of(workspace) if (row["index"], row["kind"]) != (2, "event")]
    file = write_csv(workspace.path / "r.csv", rows)
    out = score(hal_eval, workspace, file, "--unparsed", "wrong")
    assert "Note: 1 captions have no reply in" in out
    assert workspace.score("event")["accuracy"] == 1
    assert (workspace.score("event")["captions"], workspace.score("event")["pairs_left_out"]) == (
        *(6, 1),
    )
    assert workspace.table("unknown") == [
        {"reason": "no prediction", "whose": "run", "captions": 1}
    ]


def test_json_lines_may_hold_answers_that_somebody_has_read(
    workspace: Workspace, hal_eval: Call
) -> None:
    given = [True, 0, "no", "হ্যাঁ", "unknown"]
    file = workspace.path / "answers.jsonl"
    lines = [
        json.dumps({"image": f"val2014/{index}.png", "kind": kind, "answer": given[at]})
        for index in range(4)
        for at, kind in enumerate(KINDS)
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    score(hal_eval, workspace, file)
    assert workspace.column("answer_matches") == ["yes", "no", "no", "yes", "unknown"] * 4
    assert set(workspace.column("reply")) == {""}
    assert {row["unknown_reason"] for row in workspace.rows()} == {"", "unparsed"}


def test_the_script_s_own_file_is_read_anew(workspace: Workspace, hal_eval: Call) -> None:
    """Its parser takes `The boats are in the snow, yes` for no; the replies stand beside that."""
    predict = ["Yes. It is in the snow.", "no", "It doesn't match the caption.", "Not sure.", "no"]
    items = [{**item, "predict": predict, "result": [0, 0, 1, 0, 0]} for item in workspace.items]
    score(hal_eval, workspace, write(workspace.path / "out.json", items))
    assert workspace.column("answer_matches") == ["yes", "no", "no", "unknown", "no"] * 4


def test_the_script_s_codes_count_where_replies_are_absent(
    workspace: Workspace, hal_eval: Call
) -> None:
    items = [{**item, "result": [1, 0, 1, 2, 0]} for item in workspace.items[::-1]]
    score(hal_eval, workspace, write(workspace.path / "out.json", items))
    assert workspace.column("answer_matches") == ["yes", "no", "yes", "unknown", "no"] * 4


def test_items_of_one_picture_are_told_apart_by_their_captions(
    workspace: Workspace, hal_eval: Call
) -> None:
    items = [*workspace.items]
    items[1] = {**items[1], "image": items[0]["image"]}
    write(workspace.data, items)
    answers = [{**item, "result": [1, 0, 0, 0, int(at == 1)]} for at, item in enumerate(items)]
    score(hal_eval, workspace, write(workspace.path / "out.json", answers))
    events = [row["answer_matches"] for row in workspace.rows() if row["kind"] == "event"]
    assert events == ["no", "yes", "no", "no"]
    rows = [{"image": "val2014/0.png", "kind": "event", "reply": "no"}]
    file = write_csv(workspace.path / "r.csv", rows)
    workspace.output.unlink()
    assert "that of items 0 and 1; add index" in refused(hal_eval, workspace, file, "--overwrite")


def test_replies_to_other_captions_are_refused(workspace: Workspace, hal_eval: Call) -> None:
    """Else a file of another data set, or of another order, would be scored as if it fitted."""
    rows = [
        {**row, "caption": caption(THINGS[row["index"] - 1], row["kind"])}
        for row in rows_of(workspace)
    ]
    said = refused(hal_eval, workspace, write_csv(workspace.path / "r.csv", rows))
    assert "item 0 of the data has another true caption than" in said
    shifted_items = [
        {**item, "image": workspace.items[at - 1]["image"], "result": [1, 0, 0, 0, 0]}
        for at, item in enumerate(workspace.items)
    ]
    said = refused(hal_eval, workspace, write(workspace.path / "out.json", shifted_items))
    assert "the replies are to other data" in said


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([{"index": "x", "kind": "true", "reply": "Yes"}], "index 'x' is no whole number"),
        ([{"index": 0, "kind": "odd", "reply": "Yes"}], "kind 'odd' is none of true, relation"),
        ([{"index": 0, "kind": "true"}], "neither reply nor answer"),
        ([{"kind": "true", "reply": "Yes"}], "neither image nor index"),
        ([{"index": 0, "kind": "true", "answer": "perhaps"}], "none of yes, no, unknown"),
        ([{"index": 9, "kind": "true", "reply": "Yes"}], "none of its 1 rows is about a caption"),
        (
            [{"index": 0, "kind": "true", "reply": text} for text in ("Yes", "No")],
            "a second, different answer about item 0, true",
        ),
        ([{"index": 0, "predict": ["Yes"]}], "predict is no list of 5"),
        ([{"index": 0, "result": [1, 0, 0, 0, 7]}], "result '7' is no code"),
    ],
)
def test_what_cannot_be_joined_is_one_line(
    workspace: Workspace, hal_eval: Call, rows: list[dict[str, Any]], complaint: str
) -> None:
    file = workspace.path / "replies.json"
    assert complaint in refused(hal_eval, workspace, write(file, rows))


def test_equal_replies_given_twice_are_counted_once(workspace: Workspace, hal_eval: Call) -> None:
    rows = rows_of(workspace)
    out = score(hal_eval, workspace, write_csv(workspace.path / "r.csv", [*rows, rows[0]]))
    assert "Note: 1 replies in" in out
    assert "repeat others; counted once" in out


def test_replies_to_the_question_for_the_type_are_scored(
    workspace: Workspace, hal_eval: Call
) -> None:
    rows = [{"index": 0, "kind": kind, "reply": "object"} for kind in KINDS]
    file = write_csv(workspace.path / "r.csv", rows)
    score(hal_eval, workspace, file, "--ask", "type", "--end", "1")
    (overall,) = workspace.table("overall")
    assert overall["accuracy"] == 0.2
    items = write(workspace.path / "out.json", [{**workspace.items[0], "result": [1] * 5}])
    workspace.output.unlink()
    assert "this is --ask type" in refused(
        hal_eval, workspace, items, "--ask", "type", "--overwrite"
    )


def test_a_cot_reply_is_read_at_its_end(workspace: Workspace, hal_eval: Call) -> None:
    rows = rows_of(workspace)
    rows[0]["reply"] = "No dog is claimed.\nThe boats are there.\nAnswer: yes"
    file = write_csv(workspace.path / "r.csv", rows)
    score(hal_eval, workspace, file, "--prompt", "cot")
    assert workspace.column("answer_matches")[0] == "yes"


@pytest.mark.parametrize("flag", [["--model", "m"], ["--resume"], ["--max-side", "9"]])
def test_flags_that_ask_somebody_are_refused(
    workspace: Workspace, hal_eval: Call, flag: list[str]
) -> None:
    file = write_csv(workspace.path / "r.csv", rows_of(workspace))
    assert f"leave out {flag[0]}" in refused(hal_eval, workspace, file, *flag)


def test_the_folder_of_pictures_is_kept_for_the_report(
    workspace: Workspace, hal_eval: Call
) -> None:
    file = write_csv(workspace.path / "r.csv", rows_of(workspace))
    score(hal_eval, workspace, file, "--image-root", workspace.path)
    assert workspace.record()["image_root"] == str(workspace.path)


def test_an_output_that_is_there_is_kept(workspace: Workspace, hal_eval: Call) -> None:
    file = write_csv(workspace.path / "r.csv", rows_of(workspace))
    score(hal_eval, workspace, file)
    again = hal_eval(
        *("discriminative", "--data", workspace.data, "--predictions", file),
        *("--output", workspace.output),
    )
    assert (again.code, "is there already" in again.err) == (2, True)
    score(hal_eval, workspace, file, "--overwrite", "--unparsed", "wrong")


@pytest.mark.parametrize("name", ["in_domain_evaluation.json", "out_of_domain_evaluation.json"])
def test_the_published_files_are_scored_where_their_pictures_are_absent(
    shared_data: Path, tmp_path: Path, hal_eval: Call, name: str
) -> None:
    data = published(shared_data, name)
    output = tmp_path / "scored.csv"
    call = ["discriminative", "--data", data, "--output", output]
    (tmp_path / "empty").mkdir()
    missing = hal_eval(*call, "--model", "m", "--image-root", tmp_path / "empty")
    items = json.loads(data.read_text(encoding="utf-8"))
    assert missing.code == 2
    assert f"{len(items)} of {len(items)} pictures are not in" in missing.err
    replies = [{**item, "predict": RIGHT} for item in items]
    done = hal_eval(*call, "--predictions", write(tmp_path / "replies.json", replies))
    assert done.code == 0, done.err
    content = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    rows = {row["type"]: row for row in content["tables"]["scores"]["rows"]}
    assert rows["event"]["captions"] == 2 * len(items)
    assert rows["macro"]["accuracy"] == 1
