"""Where a run's files lie: the output, and what belongs beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import check_name, is_same_file, target_of
from banglahallueval.io.records import record_path

# The longest names that files beside an output and beside a store have.
_LONGEST_BESIDE_OUTPUT = ".replies.sqlite-journal"
_LONGEST_BESIDE_STORE = "-journal"


def lock_path(output: Path) -> Path:
    """Name the lock of an output: beside the file itself, so that its links share it."""
    target = target_of(output)
    return target.with_name(target.name + ".lock")


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one run.

    Attributes:
        output: The file that the run writes.
        named_store: Where `--store` says that replies are kept; None for beside the output.
        inputs: The files that the run reads.
        reports: Further files that it writes.
    """

    output: Path
    named_store: Path | None = None
    inputs: Sequence[Path] = ()
    reports: Sequence[Path] = ()

    @property
    def record(self) -> Path:
        """The run record."""
        return record_path(self.output)

    @property
    def store(self) -> Path:
        """The reply store."""
        return self.named_store or self.output.with_name(self.output.name + ".replies.sqlite")

    @property
    def owner(self) -> str:
        """The output's name in its reply store: its path from there, so that both can be moved."""
        target, folder = target_of(self.output), target_of(self.store).parent
        try:
            return os.path.relpath(target, folder)
        except ValueError:  # two drives
            return str(target)

    def check(self) -> None:
        """Refuse files that would take each other's place, and names that cannot be.

        Raises:
            UsageError: Naming the file and its flag.
        """
        check_name(self.output, _LONGEST_BESIDE_OUTPUT, "--output")
        if self.named_store:
            check_name(self.named_store, _LONGEST_BESIDE_STORE, "--store")
        taken = {
            self.output: "the output",
            self.record: "its run record",
            lock_path(self.output): "its lock",
        }
        taken |= dict.fromkeys(self.reports, "a file of the report")
        taken |= dict.fromkeys(self.inputs, "the input")
        for path, what in taken.items():
            if is_same_file(self.store, path):
                raise UsageError(
                    f"--store {self.store} is {what}; name a file for the replies alone"
                )
        # Whether an output may be its own input depends on the capability.
        for path in (self.record, lock_path(self.output), *self.reports):
            if any(is_same_file(path, source) for source in self.inputs):
                raise UsageError(
                    f"--output {self.output}: {path.name} beside it is an input; name another file"
                )
