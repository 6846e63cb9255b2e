"""The reply store keeps every reply, and gives it back for the same request only."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.store import ReplyStore, request_key
from banglahallueval.models.types import Message, Reply, Request, Token

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


@pytest.mark.parametrize(
    "changed",
    [
        replace(REQUEST, messages=(Message("user", "প্রশ্ন?"),)),
        replace(REQUEST, messages=(Message("system", "প্রশ্ন"),)),
        replace(REQUEST, max_tokens=17),
        replace(REQUEST, temperature=0.3),
        replace(REQUEST, schema={"type": "object"}),
        replace(REQUEST, choices=("yes", "no")),
        replace(REQUEST, compare=True),
        replace(REQUEST, probabilities=True),
        replace(REQUEST, seed=1),
        replace(REQUEST, attempt=1),
    ],
)
def test_every_part_of_a_request_is_in_its_key(changed: Request) -> None:
    """A cache that left a parameter out once served one run's replies to another."""
    assert request_key(IDENTITY, changed) != request_key(IDENTITY, REQUEST)


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


async def test_a_damaged_store_is_said(tmp_path: Path) -> None:
    """What cannot be read back was once a traceback."""
    path = tmp_path / "s.sqlite"
    store = ReplyStore(path)
    await store.put(b"key", Reply("yes"))
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE replies SET reply = '[]'")
        db.commit()
    store = ReplyStore(path)
    with pytest.raises(RunError, match="cannot read the reply store"):
        store.get(b"key")
    store.close()


async def test_a_reply_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """Text that no file can hold once left everybody waiting for it, for ever."""
    store = ReplyStore(tmp_path / "s.sqlite")
    with pytest.raises(RunError, match="cannot write"):
        await store.put(b"key", Reply("\ud83d"))
    store.close()
