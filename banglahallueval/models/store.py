"""The reply store: keeps every reply as it arrives, keyed by everything that determines it.

Format 2 keeps a reply as a JSON object by field name. Format 1 kept a list of values; both are
read, and a store may hold both.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import get_args

from tqdm import tqdm

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.request_keys import is_default
from banglahallueval.models.types import Finish, Reply, Token

_FORMAT = 2  # PRAGMA user_version
_READABLE = (1, 2)

# The values of a reply in format 1, in their order.
_FIRST_VALUES = (
    "text",
    "finish",
    "tokens",
    "thinking",
    "prompt_tokens",
    "completion_tokens",
    "served",
)


def stored_tokens(path: Path) -> tuple[int, int]:
    """Sum the prompt and completion tokens of all replies in a store, whoever asked them.

    Raises:
        UsageError: If it cannot be read.
    """
    sums = ", ".join(
        f"sum(coalesce(json_extract(reply, '$.{name}'), json_extract(reply, '$[{place}]')))"
        for name, place in (("prompt_tokens", 4), ("completion_tokens", 5))
    )
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=60)) as db:
            prompt, completion = db.execute(f"SELECT {sums} FROM replies").fetchone()
    except sqlite3.Error as error:
        raise UsageError(f"cannot read the reply store {path}: {error}") from None
    return int(prompt or 0), int(completion or 0)


class ReplyStore:
    """Replies in one SQLite file in WAL mode.

    A reply whose `put` has returned survives the kill of the process. Replies that arrive together
    are committed together.
    """

    def __init__(self, path: Path | str, *, fresh: bool = False, owner: str = "") -> None:
        """Open or make the store.

        Args:
            path: The SQLite file.
            fresh: Whether to ignore the replies it holds; new ones take their place. It holds
                until `finish`, so a fresh run that was stopped goes on fresh.
            owner: Who is fresh: runs that share the store do not make one another ignore it.

        Raises:
            UsageError: If the file is not a reply store or cannot be opened.
        """
        self.path = Path(path)
        self._owner = owner
        self._told_of_damage = False
        self._waiting: list[tuple[bytes, str, asyncio.Future[None]]] = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            # Keys come in no order: with the index in memory and few checkpoints, a page of it is
            # written once for many replies, and the millionth costs about what the first did.
            self._db.execute("PRAGMA cache_size=-96000")
            self._db.execute("PRAGMA wal_autocheckpoint=8000")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, *_READABLE):
                raise UsageError(
                    f"{self.path} is a reply store of format {version}, this version reads "
                    f"{_READABLE[0]} to {_READABLE[-1]}; name another with --store"
                )
            tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if version == 0 and tables:
                raise UsageError(
                    f"{self.path} is the database of something else; name another with --store"
                )
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS replies"
                " (key BLOB NOT NULL UNIQUE, reply TEXT NOT NULL, at REAL NOT NULL)"
            )
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS fresh_runs"
                " (owner TEXT PRIMARY KEY, since REAL NOT NULL)"
            )
            self._db.execute(f"PRAGMA user_version={_FORMAT}")
            if fresh:
                self._db.execute(
                    "INSERT OR REPLACE INTO fresh_runs VALUES (?, ?)", (owner, time.time())
                )
            # Of a fresh run, only what it stored itself counts; also when it goes on after a stop.
            mark = self._db.execute("SELECT since FROM fresh_runs WHERE owner = ?", (owner,))
            self._since = (mark.fetchone() or (0.0,))[0]
            self._empty = self._db.execute("SELECT 1 FROM replies LIMIT 1").fetchone() is None
        except (sqlite3.Error, OSError) as error:
            raise UsageError(
                f"cannot use {self.path} as a reply store: {error}; name another with --store"
            ) from None

    def get(self, key: bytes) -> Reply | None:
        """Look a reply up; None where there is none, or it is older than a fresh run.

        A row that cannot be read counts as none, so that it is asked for again and replaced.

        Raises:
            RunError: If the store cannot be read.
        """
        if self._empty:
            return None
        try:
            row = self._db.execute(
                "SELECT reply FROM replies WHERE key = ? AND at >= ?", (key, self._since)
            ).fetchone()
        except sqlite3.Error as error:
            raise RunError(
                f"cannot read the reply store {self.path}: {error}; name another with --store"
            ) from None
        try:
            return _unpack(row[0]) if row else None
        except (ValueError, TypeError):
            if not self._told_of_damage:
                self._told_of_damage = True
                what = f"replies in {self.path} cannot be read; they are asked for again"
                tqdm.write(f"note: {what}", file=sys.stderr)
            return None

    async def put(self, key: bytes, reply: Reply) -> None:
        """Store a reply; return once it is committed.

        Raises:
            RunError: If it cannot be written, as on a full disk.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._commit)
        self._waiting.append((key, _pack(reply), done))
        await done

    def finish(self) -> None:
        """Let the owner's later runs use all replies again.

        Raises:
            RunError: If that cannot be written; a later run ignores older replies once more.
        """
        try:
            self._db.execute("DELETE FROM fresh_runs WHERE owner = ?", (self._owner,))
        except sqlite3.Error as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Commit what is pending and close the file."""
        if self._waiting:
            self._commit()
        # What is committed is safe; a last checkpoint that fails is made by whoever opens it next.
        with contextlib.suppress(sqlite3.Error):
            self._db.close()

    def _unwritable(self, error: Exception) -> RunError:
        return RunError(f"cannot write the reply store {self.path}: {error}")

    def _commit(self) -> None:
        batch, self._waiting = self._waiting, []
        now = time.time()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR REPLACE INTO replies (key, reply, at) VALUES (?, ?, ?)",
                [(key, packed, now) for key, packed, _ in batch],
            )
            self._db.execute("COMMIT")
        except (sqlite3.Error, ValueError) as error:  # those who wait for it must hear of it
            problem = self._unwritable(error)
            for *_, done in batch:
                if not done.done():
                    done.set_exception(problem)
            return
        self._empty = False
        for *_, done in batch:
            if not done.done():
                done.set_result(None)


def _pack(reply: Reply) -> str:
    """Write a reply as JSON: its fields by name, without those at their default."""
    packed = {
        field.name: value
        for field in fields(reply)
        if not is_default(value := getattr(reply, field.name), field)
    }
    if reply.tokens:
        packed["tokens"] = [(token.text, token.top) for token in reply.tokens]
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))


def _unpack(packed: str) -> Reply:
    """Read a reply back.

    Raises:
        ValueError, TypeError: If it is none, or one of a later version.
    """
    values = json.loads(packed)
    if isinstance(values, list):
        values = dict(zip(_FIRST_VALUES, values, strict=True))
    if not isinstance(values, dict):
        raise ValueError("not a reply")
    # Adding to "" fails for whatever is no text, as a judge would later.
    values["tokens"] = tuple(
        Token("" + text, tuple(("" + other, float(logprob)) for other, logprob in top))
        for text, top in values.get("tokens", ())
    )
    reply = Reply(**values)
    texts = (reply.text, reply.thinking, reply.served)
    counts = (reply.prompt_tokens, reply.completion_tokens)
    if (
        not all(isinstance(text, str) for text in texts)
        or not all(isinstance(count, int) for count in counts)
        or reply.finish not in get_args(Finish)
    ):
        raise ValueError("a value of another type")
    return reply
