"""One run that writes an output: its lock, the earlier record, the reply store, the new record."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from filelock import FileLock, Timeout

from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import target_of
from banglahallueval.io.records import (
    command_line,
    fits,
    read_record,
    record_path,
    utc_now,
    write_record,
)
from banglahallueval.io.staged import StagedFile, parts_of
from banglahallueval.io.tables import RowWriter
from banglahallueval.models import server_line
from banglahallueval.models.client import Client, open_client
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.spending import total_usage, usage_record
from banglahallueval.models.store import ReplyStore
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.places import Places, lock_path
from banglahallueval.runs.summary import changed_since, stopped

Result = TypeVar("Result")


class RunSession:
    """Holds what every resumable run needs while it writes one output.

    The new output is written beside its place (`writing`). `publish` then writes the record and
    puts the output in its place, in this order: labels never stand beside the record of others.

    Attributes:
        output: The file that the run writes.
        options: What the run does with files that exist.
        earlier: The record of an existing output that is added to; None where there is none.
        is_changed: Whether that output is not the file that its record describes.
        clients: They ask the models that `open_client` opened.
    """

    def __init__(
        self,
        output: Path,
        options: RunOptions,
        *,
        store: Path | None = None,
        inputs: Sequence[Path] = (),
        reports: Sequence[Path] = (),
    ) -> None:
        """Describe the run; nothing is touched before the session is entered.

        Args:
            output: The file that the run writes.
            options: What the run does with files that exist.
            store: Where `--store` says that replies are kept; None for beside the output.
            inputs: The files that the run reads.
            reports: Further files that it writes.

        Raises:
            UsageError: If these files would take each other's place, or a name is too long.
        """
        self.output = output
        self.options = options
        self.earlier: dict[str, Any] | None = None
        self.is_changed = False
        self.clients: list[Client] = []
        self._places = Places(output, store, inputs, reports)
        self._places.check()
        self._store: ReplyStore | None = None
        self._staged: StagedFile | None = None
        self._rows = 0
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
                self.is_changed = bool(self.earlier and not fits(self.output, self.earlier))
        except BaseException:
            self._held.close()
            raise
        if self.is_changed:
            changed_since(self.output)
        self._started, self._clock = utc_now(), time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store, remove an output that is not complete, and release the lock."""
        if self._store:
            self._store.close()
        if self._staged:
            self._staged.discard()
        self._held.close()

    @property
    def record_holds(self) -> bool:
        """Whether the output that is added to is the very file that its record describes."""
        return self.earlier is not None and not self.is_changed

    @property
    def earlier_runs(self) -> int:
        """How many runs have added to the output before this one."""
        return len(self.earlier["runs"]) if self.earlier else 0

    @property
    def has_store(self) -> bool:
        """Whether a reply store exists."""
        return self._places.store.exists()

    def open_client(self, options: ClientOptions) -> Client:
        """Open a client on this run's reply store.

        Raises:
            UsageError: If the store cannot be used, or the options do not describe a model.
        """
        if not self.options.quiet:
            print(server_line(options))
        client = open_client(options, self.open_store(), quiet=self.options.quiet)
        self.clients.append(client)
        return client

    def open_store(self) -> ReplyStore:
        """Open this run's reply store, once.

        Raises:
            UsageError: If it cannot be used.
        """
        if self._store is None:
            places, fresh = self._places, self.options.fresh
            self._store = ReplyStore(places.store, fresh=fresh, owner=places.owner)
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
            return asyncio.run(asking)
        except (KeyboardInterrupt, RunError):
            if so_far := done():
                failures = [client.usage.failures for client in self.clients]
                stopped(so_far, self._store.path if self._store else None, failures)
            raise

    @contextmanager
    def writing(self, columns: Sequence[str]) -> Iterator[RowWriter]:
        """Write the new output beside its place; only `publish` puts it there.

        Args:
            columns: Its columns.

        Raises:
            UsageError: If no file can be made there.
            RunError: If writing fails on the way, as on a full disk.
        """
        self._staged = StagedFile(self.output)
        with self._staged.open() as file:
            writer = RowWriter(file, columns)
            yield writer
        self._rows = writer.rows

    def publish(self, record: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
        """Write the record of the output that `writing` has made, and put the output in its place.

        Args:
            record: What determines the output, and what it holds; its path, checksum and number of
                rows are added.
            run: What this run did; command, times and usage are added.

        Returns:
            This run's entry among the record's runs.

        Raises:
            RunError: If a file cannot be written.
        """
        assert self._staged is not None
        entry = {
            "command": command_line(),
            "started": self._started,
            "finished": utc_now(),
            "seconds": round(time.monotonic() - self._clock, 3),
            **run,
            **self._usage(),
        }
        output = {
            "path": str(self.output),
            "sha256": file_sha256(self._staged.part),
            "rows": self._rows,
        }
        runs = (self.earlier or {}).get("runs", [])
        write_record(self.output, {**record, "output": output, "runs": [*runs, entry]})
        # From here on the record holds for the part file, which the next run would put in place.
        staged, self._staged = self._staged, None
        staged.place()
        if self._store:
            self._store.finish()
        return entry

    def _usage(self) -> dict[str, Any]:
        """Describe what all the models were asked, and each of them where they are several."""
        usages = [usage_record(client) for client in self.clients]
        if len(usages) < 2:
            return total_usage(usages)
        models = [f"{each.model.provider}:{each.model.model}" for each in self.clients]
        named = [{"model": model, **usage} for model, usage in zip(models, usages, strict=True)]
        return {**total_usage(usages), "models": named}


@contextmanager
def locked(output: Path) -> Iterator[None]:
    """Be the only run that writes an output; makes its folder, and clears up after killed runs.

    Raises:
        UsageError: If another run is writing it, or nothing can be written there.
    """
    path = lock_path(output)
    lock = FileLock(path, timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        if not path.exists():  # the system refused it, which the lock takes for another's
            raise UsageError(
                f"cannot write {output}: no file can be made in {path.parent}"
            ) from None
        raise UsageError(
            f"another run is writing {output}; wait for it, or name another output"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from None
    try:
        _clear_up(output)
        yield
    finally:
        lock.release()
        path.unlink(missing_ok=True)


def _clear_up(output: Path) -> None:
    """Put the output that a killed run had completed in its place; remove other part files."""
    parts = {*parts_of(output), *parts_of(record_path(output))}
    if not parts:
        return
    record: Mapping[str, Any] | None = None
    with suppress(UsageError):  # whoever needs the record says that it cannot be read
        record = read_record(output)
    described = (record or {}).get("output", {}).get("sha256")
    if described and not (output.exists() and file_sha256(output) == described):
        for part in parts:
            if file_sha256(part) == described:
                part.replace(target_of(output))
                break
    for part in parts:
        part.unlink(missing_ok=True)
