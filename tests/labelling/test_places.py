"""Files of a run that cannot be are refused first; whatever else goes wrong is one line."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.labelling.conftest import Call, by_model
from tests.scripts.rows import column, record
from tests.servers.answers import Answer, Body, always
from tests.servers.openai_server import OpenAIServer

Server = Callable[..., OpenAIServer]


def posts(server: OpenAIServer) -> int:
    return sum(seen.method == "POST" for seen in server.requests)


@pytest.mark.parametrize(
    ("store", "what"),
    [
        ("out.csv", "the output"),
        ("./out.csv.run.json", "its run record"),
        ("out.csv.lock", "its lock"),
        ("in.csv", "the input"),
        ("link.sqlite", "the input"),
    ],
)
def test_a_store_in_the_place_of_another_file_is_refused(
    call: Call, tmp_path: Path, openai_server: Server, store: str, what: str
) -> None:
    """All replies once went into a file that the record, lock or output then replaced."""
    (tmp_path / "link.sqlite").symlink_to("in.csv")
    before = (tmp_path / "in.csv").read_bytes()
    server = openai_server(answer=always("no"))
    for more in ([], ["--dry-run"]):
        done = call(*by_model("m", server.url), "--store", store, *more)
        assert done.code == 2
        assert f"is {what}; name a file for the replies alone" in done.err
    assert (posts(server), (tmp_path / "in.csv").read_bytes()) == (0, before)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_symbolic_link_is_written_through(call: Call, tmp_path: Path, is_there: bool) -> None:
    """The link once became a file of its own, and what it led to stayed as it was."""
    target = tmp_path / "results" / "labels.csv"
    if is_there:
        target.parent.mkdir()
        target.write_text("old\n", encoding="utf-8")
    (tmp_path / "out.csv").symlink_to("results/labels.csv")
    done = call("--overwrite")
    assert done.code == 0, done.err
    assert (tmp_path / "out.csv").is_symlink()
    assert len(column(target, "is_hallucinated")) == 8
    assert record(tmp_path / "out.csv")["output"]["rows"] == 8
    assert "is complete" in call("--resume").out
    assert [path.name for path in target.parent.iterdir()] == ["labels.csv"]


def test_a_link_to_itself_is_one_line(call: Call, tmp_path: Path) -> None:
    (tmp_path / "out.csv").symlink_to("out.csv")
    done = call("--overwrite")
    assert done.code == 2
    assert "out.csv is a symbolic link that leads to no file" in done.err


def test_a_name_without_room_for_its_companions_is_refused(
    call: Call, tmp_path: Path, openai_server: Server
) -> None:
    """A run once labelled everything and then could write neither record nor store."""
    server = openai_server(answer=always("no"))
    long = "ক" * 77 + ".csv"  # 235 bytes, too many with .replies.sqlite-journal
    for flags in (["--output", long], ["--store", "s" * 250]):
        done = call(*by_model("m", server.url), *flags)
        assert done.code == 2
        assert "name too long" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
    assert posts(server) == 0
    longest = "ক" * 76 + ".csv"
    assert call(*by_model("m", server.url), "--output", longest).code == 0
    assert (tmp_path / f"{longest}.run.json").exists()


@pytest.mark.parametrize(
    "reply",
    ["[1, 2, 3, 4, 5, 6, 7]", '["no", "stop", 5, "", 0, 0, ""]', "null", "7", b"\x80\xff", 3.5,
     '["no", "stop", [["no", [[1, null]]]], "", 0, 0, ""]', '["no", "stop", [], "", "many", 0, ""]',
     '["no", "stop", [], null, 0, 0, null]'],
)  # fmt: skip
def test_store_rows_of_the_wrong_type_are_asked_again(
    call: Call, tmp_path: Path, openai_server: Server, reply: str | bytes | float
) -> None:
    """It was once a traceback, or a verdict of something that is no text."""
    server = openai_server(answer=always("no"))
    assert call(*by_model("m", server.url)).code == 0
    before = (tmp_path / "out.csv").read_bytes()
    asked = len(server.requests)
    with contextlib.closing(sqlite3.connect(tmp_path / "out.csv.replies.sqlite")) as db:
        db.execute("UPDATE replies SET reply = ?", (reply,))
        db.commit()
    done = call(*by_model("m", server.url), "--overwrite")
    assert done.code == 0
    assert "out.csv.replies.sqlite cannot be read; they are asked for again" in done.err
    assert len(server.requests) > asked
    assert (tmp_path / "out.csv").read_bytes() == before
    assert record(tmp_path / "out.csv")["labels"]["no"] == 8


def test_a_store_that_fails_at_the_end_leaves_output_and_record(
    call: Call, tmp_path: Path, openai_server: Server
) -> None:
    """An SQLite error of the last moment was once a traceback, and the output had no record."""

    def break_the_store(body: Body) -> Answer:
        with contextlib.closing(sqlite3.connect(tmp_path / "out.csv.replies.sqlite")) as db:
            db.execute("DROP TABLE IF EXISTS fresh_runs")
        return Answer("no")

    server = openai_server(answer=break_the_store)
    done = call(*by_model("m", server.url))
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "cannot write the reply store out.csv.replies.sqlite" in done.err
    assert column(tmp_path / "out.csv", "is_hallucinated") == ["no"] * 8
    assert record(tmp_path / "out.csv")["labels"]["no"] == 8
    assert call(*by_model("m", server.url), "--resume").code == 0
