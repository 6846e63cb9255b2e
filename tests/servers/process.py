"""A loopback server in a process of its own: its flags, and starting one from a test or bench."""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clock import GUARD
from tests.servers.answers import always, by_hash
from tests.servers.base import Counts, LoopbackServer, Seen
from tests.servers.faults import KINDS, STREAM_BREAKS, Faults

ROOT = Path(__file__).resolve().parents[2]


def parser(about: str | None) -> argparse.ArgumentParser:
    """The flags that every server takes."""
    flags = argparse.ArgumentParser(
        description=about, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    flags.add_argument("--port", type=int, default=0, help="0 takes a free one")
    flags.add_argument("--journal", type=Path, help="JSON-lines file to append requests to")
    flags.add_argument("--latency", type=float, default=0.0, help="seconds before a reply")
    flags.add_argument("--jitter", type=float, default=0.0, help="up to so many seconds more")
    flags.add_argument("--answer", help="one text for all; by a hash of the prompt unless given")
    flags.add_argument("--seed", type=int, default=0, help="seed of hashed answers and of faults")
    flags.add_argument("--api-key", help="the only bearer token that is let in")
    flags.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND=RATE",
        help=f"repeatable; kinds: {', '.join((*KINDS, *STREAM_BREAKS))}",
    )
    flags.add_argument("--most-faults", type=int, default=2, help="faults per prompt at most")
    flags.add_argument("--retry-after", type=float, default=0.2, help="seconds asked to wait")
    flags.add_argument("--end-with-stdin", action="store_true", help="end when stdin closes")
    return flags


def shared_options(args: argparse.Namespace) -> dict[str, Any]:
    """Constructor arguments from the shared flags."""
    rates = {kind: float(rate) for kind, _, rate in (text.partition("=") for text in args.fault)}
    faults = Faults(rates, args.seed, args.most_faults, retry_after=args.retry_after)
    return {
        "answer": by_hash(args.seed) if args.answer is None else always(args.answer),
        "latency": args.latency,
        "jitter": args.jitter,
        "faults": faults if rates else None,
        "api_key": args.api_key,
        "journal": args.journal,
        "keep": False,
        "port": args.port,
    }


def serve(server: LoopbackServer, *, end_with_stdin: bool) -> None:
    """Serve in this process and print the URL once the server is up."""

    def announce() -> None:
        server.started.wait()
        print(server.url, flush=True)
        if end_with_stdin:
            sys.stdin.read()
            server.stop()

    threading.Thread(target=announce, daemon=True).start()
    asyncio.run(server.serve())


@dataclass(frozen=True, slots=True)
class Child:
    """A running child server.

    Attributes:
        url: The base URL that a client is given.
        process: The process, to be killed by tests that want a server to die.
        journal: Its journal file, where one was asked for.
    """

    url: str
    process: subprocess.Popen[str]
    journal: Path | None

    @property
    def requests(self) -> list[Seen]:
        """Every request that ended so far, from the journal file."""
        if self.process.poll() is None:
            _ = self.counts  # one turn of its loop: whoever has a reply finds its request noted
        return read_journal(self.journal) if self.journal else []

    @property
    def counts(self) -> Counts:
        """The server's totals."""
        return Counts(**json.loads(self._control("counts")))

    def hold(self, after: int = 0) -> None:
        """Hold every reply but the next `after` ones, from now on."""
        self._control(f"hold?after={after}")

    def release(self) -> None:
        """Let everything pass, what is held included."""
        self._control("release")

    def until_held(self, count: int) -> None:
        """Block until exactly `count` replies are held.

        Raises:
            TimeoutError: If that never comes.
        """
        try:
            self._control(f"held?count={count}")
        except TimeoutError:
            raise TimeoutError(f"{count} replies are not held after {GUARD} s") from None

    def _control(self, path: str) -> bytes:
        address = f"{self.url.removesuffix('/v1')}/{path}"
        with urllib.request.urlopen(address, timeout=GUARD) as response:
            body: bytes = response.read()
            return body


def read_journal(path: Path) -> list[Seen]:
    """The requests of a journal file; a last line still being written is left out."""
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
    return [Seen(**json.loads(line)) for line in whole.split("\n") if line]


@contextmanager
def child(name: str, *flags: str, journal: Path | None = None) -> Iterator[Child]:
    """Run `tests.servers.NAME` in a child process that ends with the block, or with its parent."""
    command = [sys.executable, "-m", f"tests.servers.{name}", "--end-with-stdin", *flags]
    if journal is not None:
        journal.touch()
        command += ["--journal", str(journal)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        if not url:
            raise RuntimeError(f"tests.servers.{name} ended with {process.wait()}")
        yield Child(url, process, journal)
    finally:
        process.kill()
        process.communicate()
