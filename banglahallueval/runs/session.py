"""One run that writes an output: its lock, the earlier record, the reply store, the new record."""

from __future__ import annotations

import asyncio
import glob
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from filelock import FileLock, Timeout

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import default_store
from banglahallueval.io.records import command_line, read_record, utc_now, write_record
from banglahallueval.models import server_line
from banglahallueval.models.client import Client, open_client, usage_record
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.store import ReplyStore
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.summary import stopped

Result = TypeVar("Result")


class RunSession:
    """Holds what every resumable run needs while it writes one output.

    Attributes:
        output: The file that the run writes.
        options: What the run does with files that exist.
        earlier: The record of an existing output that is added to; None where there is none.
        client: Asks the model; None until `open_client`.
    """

    def __init__(self, output: Path, options: RunOptions) -> None:
        """Describe the run; nothing is touched before the session is entered."""
        self.output = output
        self.options = options
        self.earlier: dict[str, Any] | None = None
        self.client: Client | None = None
        self._store: ReplyStore | None = None
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Lock the output and read its record.

        Raises:
            UsageError: If another run is writing it, or its record cannot be read.
        """
        self._held.enter_context(locked(self.output))
        try:
            if self.options.resume and self.output.exists():
                self.earlier = read_record(self.output)
        except BaseException:
            self._held.close()
            raise
        self._started, self._clock = utc_now(), time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store and release the lock."""
        if self._store:
            self._store.close()
        self._held.close()

    def open_client(self, options: ClientOptions) -> Client:
        """Open a client on this run's reply store.

        Raises:
            UsageError: If the store cannot be used, or the options do not describe a model.
        """
        if not self.options.quiet:
            print(server_line(options))
        store = self.open_store(options.store)
        self.client = open_client(options, store, quiet=self.options.quiet)
        return self.client

    def open_store(self, store: Path | None) -> ReplyStore:
        """Open this run's reply store, once.

        Args:
            store: Where `--store` says it is; None for beside the output.

        Raises:
            UsageError: If it cannot be used.
        """
        if self._store is None:
            path = default_store(self.output, store)
            self._store = ReplyStore(path, fresh=self.options.fresh)
        return self._store

    def ask(self, asking: Coroutine[Any, Any, Result], done: Callable[[], str]) -> Result:
        """Carry out what asks the model; if it is stopped, say what is kept and how to go on.

        Args:
            asking: What asks.
            done: Says what has been done so far; empty where nothing was.

        Raises:
            RunError: If the run could not go on; every reply it got is stored.
        """
        try:
            result = asyncio.run(asking)
            if self._store:
                self._store.finish()
        except (KeyboardInterrupt, RunError):
            if so_far := done():
                failures = self.client.usage.failures if self.client else {}
                stopped(so_far, self._store.path if self._store else None, failures)
            raise
        return result

    def write_record(self, record: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
        """Write the output's record.

        Args:
            record: What determines the output, and what it holds.
            run: What this run did; command, times and usage are added.

        Returns:
            This run's entry among the record's runs.
        """
        entry = {
            "command": command_line(),
            "started": self._started,
            "finished": utc_now(),
            "seconds": round(time.monotonic() - self._clock, 3),
            **run,
            **usage_record(self.client),
        }
        runs = self.earlier["runs"] if self.earlier else []
        write_record(self.output, {**record, "runs": [*runs, entry]})
        return entry


@contextmanager
def locked(output: Path) -> Iterator[None]:
    """Be the only run that writes an output; makes its folder.

    Raises:
        UsageError: If another run is writing it, or nothing can be written there.
    """
    lock = FileLock(f"{output}.lock", timeout=0)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise UsageError(
            f"another run is writing {output}; wait for it, or name another --output"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from None
    try:
        # A run that was killed while it wrote has left these.
        for part in output.parent.glob(f"{glob.escape(output.name)}.*.part"):
            part.unlink(missing_ok=True)
        yield
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
