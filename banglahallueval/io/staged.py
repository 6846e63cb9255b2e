"""Files that are whole or absent: written beside their place, then put there."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import regex

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import target_of


class StagedFile:
    """A text file that is written beside its place and put there once it is complete.

    What stood at its place stays until then. A symbolic link stays a link; its target is replaced.

    Attributes:
        path: Its place, as named.
        part: Where it is written.
    """

    def __init__(self, path: Path | str) -> None:
        """Name a place; nothing is touched before `open`.

        Raises:
            UsageError: If it is a symbolic link that leads to no file.
        """
        self.path = Path(path)
        self._target = target_of(self.path)
        self.part = self._target.with_name(f"{self._target.name}.{os.getpid()}.part")

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[str]]:
        """Write the file; it is on disk afterwards, but not in its place.

        Raises:
            UsageError: If no file can be made there.
            RunError: If writing fails on the way, as on a full disk.
        """
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            file = self.part.open("w", encoding="utf-8", newline="")
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from None
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise RunError(f"writing {self.path} failed: {error.strerror}") from None

    def place(self) -> None:
        """Put the complete file in its place.

        Raises:
            RunError: If the system refuses it.
        """
        try:
            self.part.replace(self._target)
        except OSError as error:
            raise RunError(f"writing {self.path} failed: {error.strerror}") from None

    def discard(self) -> None:
        """Remove what was written, unless it is in its place."""
        with contextlib.suppress(OSError):  # the next run that locks its place removes it
            self.part.unlink()


def parts_of(path: Path) -> list[Path]:
    """List what stopped runs have left of a file and of those named after it, as its record."""
    target = target_of(path)
    # Only names that this project gives: another output's name, or a file of the user's, may
    # begin alike.
    own = regex.compile(rf"{regex.escape(target.name)}(?:\.run\.json)?\.\d+\.part")
    found = target.parent.glob(f"{glob.escape(target.name)}.*.part")
    return sorted(part for part in found if own.fullmatch(part.name))
