from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.servers.answers import Answer, Failure, in_turn
from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import Call
from tests.vision.discriminative.calling import (
    KINDS,
    Workspace,
    answering,
    asking,
    caption,
    questions,
)
from tests.vision.items import write

Serving = Callable[..., OpenAIServer]


def test_missing_pictures_are_asked_about_when_they_are_there(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    """They are neither `no` nor wrong, and the run says where they were looked for."""
    workspace.picture(1).unlink()
    server = openai_server(answer=answering())
    call = workspace.flags(*asking(server), "--unparsed", "wrong")
    done = hal_eval(*call)
    assert done.code == 1
    assert f"1 of 4 pictures are not in {workspace.pictures}, by path, name or key" in done.out
    assert "val2014/1.png" in done.out
    missing = [row for row in workspace.rows() if row["index"] == "1"]
    assert {(row["answer_matches"], row["unknown_reason"]) for row in missing} == {
        ("unknown", "image missing")
    }
    assert (workspace.score("event")["captions"], workspace.score("event")["accuracy"]) == (6, 1)
    assert workspace.score("event")["pairs_left_out"] == 1
    assert len(questions(server)) == 15
    workspace.draw(1)
    assert hal_eval(*call, "--resume").code == 0
    assert len(questions(server)) == 20
    assert set(workspace.column("unknown_reason")) == {""}


def test_without_any_picture_nothing_is_asked(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    for place in range(4):
        workspace.picture(place).unlink()
    server = openai_server()
    done = hal_eval(*workspace.flags(*asking(server)))
    assert done.code == 2
    assert "4 of 4 pictures are not in" in done.err
    assert "--image-root" in done.err
    assert "--predictions" in done.err
    assert not workspace.output.exists()
    assert not questions(server)


def test_an_unreadable_picture_is_its_own_reason(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    whole = workspace.picture(2).read_bytes()
    workspace.picture(2).write_bytes(whole[: len(whole) // 2])
    server = openai_server(answer=answering())
    done = hal_eval(*workspace.flags(*asking(server)))
    assert done.code == 1
    reasons = {row["unknown_reason"] for row in workspace.rows() if row["index"] == "2"}
    assert reasons == {"image unreadable"}
    assert "2.png" in done.out
    assert len(questions(server)) == 15


def test_a_finished_run_asks_nothing_more_whatever_its_tables_count(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering(event="yes"))
    call = workspace.flags(*asking(server))
    assert hal_eval(*call).code == 0
    before = workspace.output.read_bytes()
    recall = workspace.score("event")["recall"]
    again = hal_eval(*call, "--resume", "--positive", "hallucination", "--unparsed", "wrong")
    assert again.code == 0
    assert "nothing left to ask" in again.out
    assert workspace.output.read_bytes() == before
    assert (recall, workspace.score("event")["recall"]) == (1, 0)
    assert "the caption is hallucinated (no)" in workspace.json()["conventions"]
    assert len(questions(server)) == 20


def test_tables_alone_are_made_anew_without_asking_for_what_is_unknown(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering(event="Hm."))
    call = workspace.flags(*asking(server))
    assert hal_eval(*call).code == 0
    assert workspace.score("event")["accuracy"] == 1
    files = ("--data", workspace.data, "--output", workspace.output)
    tables = ("discriminative", *files, "--only-tables")
    assert hal_eval(*tables, "--unparsed", "wrong").code == 0
    assert workspace.score("event")["accuracy"] == 0.5
    assert len(questions(server)) == 20
    absent = hal_eval(*tables, "--output", workspace.path / "none.csv")
    assert (absent.code, "no file" in absent.err) == (2, True)


def test_unknown_answers_are_asked_for_again_and_no_others(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=in_turn("Hm.", "no"))
    call = workspace.flags(*asking(server), "--kinds", "event")
    assert hal_eval(*call).code == 0
    assert set(workspace.column("unknown_reason")) == {"unparsed"}
    assert hal_eval(*call, "--resume").code == 0
    assert set(workspace.column("answer_matches")) == {"no"}
    assert [run["asked"] for run in workspace.record()["runs"]] == [8, 8]


def test_a_flaky_server_changes_nothing(
    tmp_path: Path, hal_eval: Call, openai_server: Serving
) -> None:
    calm, shaken = Workspace(tmp_path / "calm"), Workspace(tmp_path / "shaken")
    assert hal_eval(*calm.flags(*asking(openai_server(answer=answering())))).code == 0
    flaky = openai_server(answer=answering(), faults={"500": 0.3, "reset": 0.2})
    assert hal_eval(*shaken.flags(*asking(flaky))).code == 0
    assert shaken.output.read_bytes() == calm.output.read_bytes()


def test_failed_requests_are_neither_answers_nor_wrong(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering(event=Failure(500, "{}")))
    call = workspace.flags(*asking(server, "--max-retries", "0"))
    done = hal_eval(*call)
    assert done.code == 1
    events = [row for row in workspace.rows() if row["kind"] == "event"]
    assert {row["unknown_reason"] for row in events} == {"no reply: server error"}
    assert workspace.score("event")["captions"] == 0
    assert workspace.score("event")["accuracy"] is None
    assert workspace.score("macro")["accuracy"] is None
    assert workspace.score("object")["accuracy"] == 1
    server.answer = answering()
    assert hal_eval(*call, "--resume").code == 0
    assert workspace.score("macro")["accuracy"] == 1


def test_slices_of_items_make_one_output(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering())
    call = workspace.flags(*asking(server))
    assert hal_eval(*call, "--start", "2").code == 0
    assert workspace.column("index") == ["2"] * 5 + ["3"] * 5
    assert hal_eval(*call, "--end", "1", "--kinds", "event", "--resume").code == 0
    assert workspace.column("index") == ["0"] * 2 + ["2"] * 5 + ["3"] * 5
    assert hal_eval(*call, "--resume").code == 0
    assert workspace.column("index") == [str(index) for index in range(4) for _ in KINDS]
    assert len(questions(server)) == 20
    past = hal_eval(*call, "--start", "9", "--overwrite")
    assert (past.code, "none at --start 9" in past.err) == (2, True)


def test_defective_captions_are_counted_and_left_out_with_clean(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    items = workspace.items
    items[0]["hal_caption"][1]["caption"] = ""
    items[1]["hal_caption"][2]["caption"] = caption("trams")[:12]
    workspace.items[2]["caption"] = "I am unable to see the image above."
    write(workspace.data, items)
    server = openai_server(answer=lambda body: Answer("no"))
    call = workspace.flags(*asking(server))
    done = hal_eval(*call)
    assert "Note: 1 captions: empty; left out" in done.out
    assert "1 captions: the true caption again, whole or cut off, and so not wrong; --clean" in (
        done.out
    )
    assert len(workspace.rows()) == 19
    assert [row["defect"] for row in workspace.rows() if row["defect"]] == ["copy", "refusal"]
    assert workspace.score("event")["captions"] == 8
    assert hal_eval(*call, "--clean", "--resume").code == 0
    assert workspace.score("event")["captions"] == 6
    assert workspace.score("attribute")["captions"] == 4
    assert len(questions(server)) == 19
    assert hal_eval(*call, "--clean", "--overwrite", "--fresh").code == 0
    assert len(workspace.rows()) == 13


def test_what_would_mix_two_runs_is_refused(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering())
    call = workspace.flags(*asking(server))
    assert hal_eval(*call).code == 0
    there = hal_eval(*call)
    assert (there.code, "--resume adds to it" in there.err) == (2, True)
    for flags, what in (
        (["--model", "other"], "model openai:gpt-test"),
        (["--prompt", "paper"], "prompt script"),
        (["--lang", "bn"], "text of the prompt"),
        (["--max-side", "9"], "max_side None"),
        (["--temperature", "0.2"], "temperature 0.0"),
        (["--ask", "type"], "ask match"),
    ):
        refused = hal_eval(*call, "--resume", *flags)
        assert (refused.code, what in refused.err) == (2, True), refused.err
    assert len(questions(server)) == 20
