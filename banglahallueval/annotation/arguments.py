"""Check what a command's arguments name: files, folders, people."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import regex

from banglahallueval.errors import UsageError
from banglahallueval.tasks import TASKS, TaskName

# Names become parts of file names and of the key that labels are saved under. Bangla words may hold
# zero-width joiners.
_WORD = r"[\p{L}\p{M}\p{N}\u200c\u200d_-]+"
_NAME = regex.compile(rf"(?=.*[\p{{L}}\p{{N}}]){_WORD}(?:[ .]{_WORD})*")
# File names have 255 bytes, Bangla letters three each, and forms and endings need some.
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file given as `[NAME=]CSV`.

    Attributes:
        name: The name; empty where none is given.
        path: The file.
    """

    name: str
    path: Path


def parse_named_file(text: str) -> NamedFile:
    """Parse `[NAME=]CSV`; of several `=`, the first with a file behind it counts.

    Raises:
        UsageError: If there is no such file.
    """
    if _exists(Path(text)):
        return NamedFile("", check_input_file(Path(text)))
    parts = text.split("=")
    splits = [("=".join(parts[:at]), "=".join(parts[at:])) for at in range(1, len(parts))]
    named = [(name, path) for name, path in splits if name and path]
    existing = [(name, path) for name, path in named if _exists(Path(path))]
    name, path = [*existing, *named, ("", text)][0]
    return NamedFile(name, check_input_file(Path(path)))


def parse_task_files(texts: Iterable[str], flag: str) -> dict[TaskName, Path]:
    """Parse the values of a flag that takes `TASK=CSV`.

    Raises:
        UsageError: If a value has another form, a task is given twice, or there is no such file.
    """
    files: dict[TaskName, Path] = {}
    for text in texts:
        name, _, path = text.partition("=")
        task = next((task for task in TASKS if task == name), None)
        if task is None or not path:
            raise UsageError(f"{flag} {text}: give TASK=CSV, TASK being one of {', '.join(TASKS)}")
        if task in files:
            raise UsageError(f"{flag} gives two files for {task}; give one")
        files[task] = check_input_file(Path(path))
    return files


def check_input_file(path: Path) -> Path:
    """Return a path that a file can be read from.

    Raises:
        UsageError: If there is no file.
    """
    if not path.name:
        raise UsageError("a file's name is blank; name a CSV file")
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"no file {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path} is a folder; name a CSV file")
    return path


def check_glob(text: str, flag: str) -> str:
    """Return a file, folder or glob that can be searched for.

    Raises:
        UsageError: If it is blank, or no file can have such a name.
    """
    try:
        if not text.strip():
            raise UsageError(f"{flag} is blank; name files, a folder or a glob")
        Path(text).exists()
    except OSError as error:
        raise UsageError(f"{flag} {text}: {error.strerror}") from None
    return text


def check_output_folder(text: str) -> Path:
    """Return the path of a folder that can be written to, or made.

    Raises:
        UsageError: If it is blank, a file, or not writable.
    """
    if not text.strip():
        raise UsageError("--output-dir is blank; name a folder")
    path = Path(text)
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise UsageError(f"--output-dir {path} is a file; name a folder")
        if not os.access(path, os.W_OK | os.X_OK):
            raise UsageError(f"--output-dir {path}: no permission to write there")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise UsageError(f"--output-dir {path}: {error.strerror}") from None
    return path


def check_name(name: str, flag: str) -> str:
    """Return the name of a study or person that can be part of a file name.

    Raises:
        UsageError: If it cannot, naming the flag that gives the name.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{flag} {name!r}: use letters, digits, '-', '_' and single spaces")
    if len(name) > _LONGEST_NAME:
        raise UsageError(f"{flag} {name}: use at most {_LONGEST_NAME} letters")
    return name


def path_text(path: Path) -> str:
    """Write a path as text that UTF-8 can hold; bytes that are not UTF-8 become escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # as of a name that is too long
        return False
