"""The reply store keeps every reply, and gives it back for the same request only."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.request_keys import request_key
from banglahallueval.models.store import ReplyStore, stored_tokens
from banglahallueval.models.types import ImagePart, Message, Reply, Request, TextPart, Token

IDENTITY = {"provider": "openai", "model": "m", "base_url": "u"}
REQUEST = Request((Message("user", "প্রশ্ন"),), max_tokens=16)
REPLY = Reply("হ্যাঁ", "stop", (Token("হ্যাঁ", (("হ্যাঁ", -0.1), ("না", -2.5))),), "ভাবনা", 10, 2, "m-1")


async def test_a_reply_comes_back_as_it_was(tmp_path: Path) -> None:
    """Text, tokens, thinking, usage and the served model survive the store."""
    store = ReplyStore(tmp_path / "s.sqlite")
    await store.put(b"k", REPLY)
    store.close()
    assert ReplyStore(tmp_path / "s.sqlite").get(b"k") == REPLY


async def test_a_returned_put_is_on_disk(tmp_path: Path) -> None:
    """Another connection sees the reply as soon as `put` has returned."""
    store = ReplyStore(tmp_path / "s.sqlite")
    await asyncio.gather(*(store.put(bytes([n]), REPLY) for n in range(20)))
    with sqlite3.connect(tmp_path / "s.sqlite") as other:
        assert other.execute("SELECT count(*) FROM replies").fetchone() == (20,)


async def test_a_fresh_run_sees_only_what_it_stored_itself(tmp_path: Path) -> None:
    """`--fresh` ignores older replies and replaces them."""
    store = ReplyStore(tmp_path / "s.sqlite")
    await store.put(b"k", REPLY)
    store.close()
    fresh = ReplyStore(tmp_path / "s.sqlite", fresh=True)
    assert fresh.get(b"k") is None
    await fresh.put(b"k", Reply("না"))
    assert fresh.get(b"k") == Reply("না")


async def test_a_stopped_fresh_run_goes_on_fresh(tmp_path: Path) -> None:
    """What it had not asked again yet was once answered from the old replies."""
    store = ReplyStore(tmp_path / "s.sqlite")
    await store.put(b"old", REPLY)
    store.close()
    stopped = ReplyStore(tmp_path / "s.sqlite", fresh=True)
    await stopped.put(b"new", REPLY)
    stopped.close()
    went_on = ReplyStore(tmp_path / "s.sqlite")
    assert (went_on.get(b"old"), went_on.get(b"new")) == (None, REPLY)
    went_on.finish()
    went_on.close()
    assert ReplyStore(tmp_path / "s.sqlite").get(b"old") == REPLY


async def test_a_fresh_run_is_fresh_for_its_owner_alone(tmp_path: Path) -> None:
    """Two outputs on one store: the other once asked again all that it held."""
    store = ReplyStore(tmp_path / "s.sqlite", owner="one.csv")
    await store.put(b"k", REPLY)
    store.close()
    fresh = ReplyStore(tmp_path / "s.sqlite", fresh=True, owner="two.csv")
    assert fresh.get(b"k") is None
    fresh.close()
    assert ReplyStore(tmp_path / "s.sqlite", owner="one.csv").get(b"k") == REPLY
    assert ReplyStore(tmp_path / "s.sqlite", owner="two.csv").get(b"k") is None


# For each field of a request another value than that of REQUEST.
OTHER_VALUES = {
    "messages": (Message("user", "প্রশ্ন?"),),
    "max_tokens": 17,
    "temperature": 0.3,
    "schema": {"type": "object"},
    "choices": ("yes", "no"),
    "compare": True,
    "probabilities": True,
    "seed": 1,
    "attempt": 1,
}


@pytest.mark.parametrize("name", [field.name for field in fields(Request)])
def test_every_field_of_a_request_is_in_its_key(name: str) -> None:
    """A cache that left a parameter out once served one run's replies to another."""
    other: dict[str, Any] = {name: OTHER_VALUES[name]}
    changed = replace(REQUEST, **other)
    assert request_key(IDENTITY, changed) != request_key(IDENTITY, REQUEST)


@pytest.mark.parametrize(
    "content",
    [
        (TextPart("প্রশ্ন"), ImagePart(b"1", "image/png")),
        (TextPart("প্রশ্ন"), ImagePart(b"2", "image/png")),
        (TextPart("প্রশ্ন"), ImagePart(b"1", "image/jpeg")),
        (ImagePart(b"1", "image/png"), TextPart("প্রশ্ন")),
        (TextPart("প্র"), TextPart("শ্ন")),
        "প্রশ্ন",
    ],
)
def test_every_part_of_a_message_is_in_the_key(content: str | tuple[TextPart | ImagePart]) -> None:
    """Pictures, their types and the order of parts tell requests apart."""
    message = Message("user", (TextPart("প্রশ্ন"), ImagePart(b"", "image/png")))
    one, other = (replace(REQUEST, messages=(m,)) for m in (message, Message("user", content)))
    assert request_key(IDENTITY, one) != request_key(IDENTITY, other)
    assert request_key(IDENTITY, other) == request_key(IDENTITY, replace(other))


def with_picture(data: bytes) -> Request:
    content = (ImagePart(data, "image/png"), TextPart("প্রশ্ন"))
    return replace(REQUEST, messages=(Message("user", content),))


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (REQUEST, "2c49505f85625ec299c95c52959cc6e8"),
        (with_picture(bytes(range(256))), "19b92578eb549941d2b293831233a33a"),
    ],
)
def test_keys_stay_what_they_are(request_: Request, key: str) -> None:
    """Any other key would lose every reply that was paid for under this one."""
    assert request_key(IDENTITY, request_).hex() == key


def test_a_picture_is_its_bytes() -> None:
    """One bit makes another key; the same bytes from elsewhere do not."""
    data = bytearray(range(256))
    key = request_key(IDENTITY, with_picture(bytes(data)))
    assert request_key(IDENTITY, with_picture(bytes(list(data)))) == key
    data[100] ^= 1
    assert request_key(IDENTITY, with_picture(bytes(data))) != key


@dataclass(frozen=True, slots=True)
class LaterRequest(Request):
    """A request as it may look one day."""

    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaterMessage(Message):
    """A message as it may look one day."""

    name: str = ""


def test_a_field_that_is_added_is_in_the_key() -> None:
    """No list of fields has to be kept: a new one counts as soon as it is set."""
    values = {field.name: getattr(REQUEST, field.name) for field in fields(REQUEST)}
    named = (LaterMessage("user", "প্রশ্ন", "x"),)
    keys = {
        request_key(IDENTITY, request)
        for request in (
            REQUEST,
            LaterRequest(**values, stop=("a",)),
            LaterRequest(**values, stop=("b",)),
            replace(REQUEST, messages=named),
        )
    }
    assert len(keys) == 4
    unset = (LaterRequest(**values), replace(REQUEST, messages=(LaterMessage("user", "প্রশ্ন"),)))
    assert {request_key(IDENTITY, request) for request in unset} == {request_key(IDENTITY, REQUEST)}


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (REQUEST, "2c49505f85625ec299c95c52959cc6e8"),
        (
            Request(
                (Message("system", "s"), Message("user", "প্রশ্ন"), Message("assistant", "")),
                max_tokens=32,
                temperature=0.3,
                schema={"type": "object", "enum": ["ক"]},
                choices=("yes", "no"),
                compare=True,
                probabilities=True,
                seed=7,
                attempt=2,
            ),
            "294f14e44d9a7501731e661f7c6913a6",
        ),
    ],
)
def test_a_store_of_format_1_is_still_read(tmp_path: Path, request_: Request, key: str) -> None:
    """A run resumed on an older store finds its replies by the keys and in the shape of then."""
    path = tmp_path / "s.sqlite"
    tokens = '[["হ্যাঁ",[["হ্যাঁ",-0.1],["না",-2.5]]]]'
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE replies (key BLOB NOT NULL UNIQUE, reply TEXT, at REAL NOT NULL)")
        db.execute("CREATE TABLE fresh (since REAL NOT NULL)")
        reply = f'["হ্যাঁ","stop",{tokens},"ভাবনা",10,2,"m-1"]'
        db.execute("INSERT INTO replies VALUES (?, ?, 1.0)", (bytes.fromhex(key), reply))
        db.execute("PRAGMA user_version=1")
        db.commit()
    store = ReplyStore(path)
    assert store.get(request_key(IDENTITY, request_)) == REPLY
    store.close()


async def test_tokens_are_summed_over_both_formats(tmp_path: Path) -> None:
    """A store that was begun by an older version counts what either version asked."""
    path = tmp_path / "s.sqlite"
    store = ReplyStore(path)
    await store.put(b"new", REPLY)
    await store.put(b"none", Reply("yes"))
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO replies VALUES (?, ?, 1.0)", (b"old", '["a","stop",[],"",30,4,""]'))
        db.commit()
    assert stored_tokens(path) == (40, 6)


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    """It is named with its format instead of being read wrongly."""
    path = tmp_path / "s.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=3")
    with pytest.raises(UsageError, match="format 3"):
        ReplyStore(path)


def test_the_model_is_in_the_key() -> None:
    """Model B is never given model A's replies."""
    assert request_key({**IDENTITY, "model": "n"}, REQUEST) != request_key(IDENTITY, REQUEST)


@given(st.text(), st.text())
def test_where_one_message_ends_is_in_the_key(one: str, other: str) -> None:
    """Two chats with the same text cut elsewhere have different keys."""
    pair = replace(REQUEST, messages=(Message("user", one), Message("user", other)))
    joined = replace(REQUEST, messages=(Message("user", one + other), Message("user", "")))
    assert (request_key({}, pair) == request_key({}, joined)) == (other == "")


@pytest.mark.parametrize("data", [b"no database at all, but text", b"SQLite format 3\x00broken"])
def test_a_file_that_is_no_store_is_refused(tmp_path: Path, data: bytes) -> None:
    """The error names the file and the flag."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(data)
    with pytest.raises(UsageError, match="--store"):
        ReplyStore(path)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """A table was once put into any SQLite file that was named as the store."""
    path = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE replies (id INTEGER)")
    with pytest.raises(UsageError, match="something else"):
        ReplyStore(path)


@pytest.mark.parametrize(
    "reply",
    [
        "[]", "{}", "1", "null", "[1]", b"\x00", 5, '{"text":', '{"text":5}', '{"text":"a","of":1}',
        '{"text":"a","finish":"odd"}', '{"text":"a","served":3}', '{"text":"a","tokens":3}',
        '{"text":"a","tokens":[["a",[["b",null]]]]}', '["a","stop",[[1,[]]],"",0,0,""]',
    ],
)  # fmt: skip
async def test_a_damaged_reply_counts_as_none(
    tmp_path: Path, reply: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """One damaged row once ended the run, and another store would have cost every reply."""
    path = tmp_path / "s.sqlite"
    store = ReplyStore(path)
    await store.put(b"key", Reply("yes"))
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE replies SET reply = ?", (reply,))
        db.commit()
    store = ReplyStore(path)
    assert store.get(b"key") is None
    assert store.get(b"key") is None
    assert capsys.readouterr().err.count("asked for again") == 1
    await store.put(b"key", Reply("no"))
    assert store.get(b"key") == Reply("no")
    store.close()


async def test_a_reply_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """Text that no file can hold once left everybody waiting for it, for ever."""
    store = ReplyStore(tmp_path / "s.sqlite")
    with pytest.raises(RunError, match="cannot write"):
        await store.put(b"key", Reply("\ud83d"))
    store.close()


async def test_a_store_that_cannot_be_finished_is_said(tmp_path: Path) -> None:
    """A disk that fills up in the last moment was once a traceback."""
    store = ReplyStore(tmp_path / "s.sqlite", fresh=True)
    await store.put(b"key", REPLY)
    with contextlib.closing(sqlite3.connect(tmp_path / "s.sqlite")) as db:
        db.execute("DROP TABLE fresh_runs")
    with pytest.raises(RunError, match="cannot write the reply store"):
        store.finish()
    store.close()
