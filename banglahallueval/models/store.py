"""The reply store: every reply is kept the moment it arrives, keyed by all that determines it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import digest
from banglahallueval.models.types import Reply, Request, Token

_FORMAT = 1  # PRAGMA user_version of a store this code can read


def request_key(identity: Mapping[str, Any], request: Request) -> bytes:
    """The store's key: 16 bytes over the model's identity and everything of the request."""
    texts = [json.dumps(identity, sort_keys=True, ensure_ascii=False, default=str)]
    for message in request.messages:
        texts += (message.role, message.content)
    parameters = (
        request.max_tokens,
        request.temperature,
        request.schema,
        request.choices,
        request.compare,
        request.probabilities,
        request.seed,
        request.attempt,
    )
    texts.append(json.dumps(parameters, sort_keys=True, ensure_ascii=False))
    return digest(texts)


def stored_tokens(path: Path) -> tuple[int, int]:
    """Prompt and completion tokens of all replies that a store holds, whichever run asked them.

    Raises:
        UsageError: If it cannot be read.
    """
    query = "SELECT sum(json_extract(reply, '$[4]')), sum(json_extract(reply, '$[5]')) FROM replies"
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=60)) as db:
            prompt, completion = db.execute(query).fetchone()
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
            if version not in (0, _FORMAT):
                raise UsageError(
                    f"{self.path} is a reply store of format {version}, this version reads "
                    f"{_FORMAT}; name another with --store"
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
        """The stored reply; None where there is none, or it is older than a fresh run.

        Raises:
            RunError: If the store is damaged.
        """
        if self._empty:
            return None
        try:
            row = self._db.execute(
                "SELECT reply FROM replies WHERE key = ? AND at >= ?", (key, self._since)
            ).fetchone()
            return _unpack(row[0]) if row else None
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise RunError(
                f"cannot read the reply store {self.path}: {error}; name another with --store"
            ) from None

    async def put(self, key: bytes, reply: Reply) -> None:
        """Keep a reply; returns when it is committed.

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
            raise RunError(f"cannot write the reply store {self.path}: {error}") from None

    def close(self) -> None:
        """Commit what waits and close the file."""
        if self._waiting:
            self._commit()
        self._db.close()

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
        except (sqlite3.Error, ValueError) as error:  # whoever waits for it must hear of it
            problem = RunError(f"cannot write the reply store {self.path}: {error}")
            for *_, done in batch:
                if not done.done():
                    done.set_exception(problem)
            return
        self._empty = False
        for *_, done in batch:
            if not done.done():
                done.set_result(None)


def _pack(reply: Reply) -> str:
    tokens = [[token.text, token.top] for token in reply.tokens]
    return json.dumps(
        [
            reply.text,
            reply.finish,
            tokens,
            reply.thinking,
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.served,
        ],
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _unpack(packed: str) -> Reply:
    """Read a stored reply.

    Raises:
        TypeError, ValueError: If it is none.
    """
    text, finish, tokens, thinking, prompt_tokens, completion_tokens, served = json.loads(packed)
    texts, counts = (text, finish, thinking, served), (prompt_tokens, completion_tokens)
    if not all(isinstance(each, str) for each in texts):
        raise TypeError("a text of the reply is none")
    if not all(isinstance(each, int) for each in counts):
        raise TypeError("a token count of the reply is none")
    return Reply(
        text,
        finish,
        tuple(Token(str(t), tuple((str(alt), float(p)) for alt, p in top)) for t, top in tokens),
        thinking,
        prompt_tokens,
        completion_tokens,
        served,
    )
