"""What names of files and folders say about the labels in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import regex

from banglahallueval.tasks import TaskName, Track
from banglahallueval.text.lazy_regex import lazy_regex

# Marks and joiners belong to the Bangla letter before them.
_BETWEEN_WORDS = lazy_regex(r"[^\p{L}\p{M}\p{N}\u200c\u200d]+")
_SEPARATOR = lazy_regex(r"[\\/]")  # an archive made on Windows may unpack to names with `\`
_ENDING = lazy_regex(r"(?:\.(?:csv|gz|zip))+$")
_COPY = lazy_regex(r"\s*(?:\(\d+\)|- copy)$")  # as browsers and file managers name a second one

Value = TypeVar("Value", TaskName, Track)

_OUTPUTS = r"(?:answers?|summar(?:y|ies)|chains?|outputs?|solutions?)"
_TASKS: Mapping[TaskName, str] = {
    "qa": r"qa|question answering",
    "summarization": r"summ|summar(?:y|ies)|summari[sz](?:ation|ed|er|ing)",
    "reasoning": r"reas|reason(?:ing)?",
    "codemix": r"code ?mix(?:ed|ing)?",
}
_TRACKS: Mapping[Track, str] = {
    "main": rf"main(?! (?:experiment|result|table))|gt|ground ?truths?|non ?hallucinated"
    rf"|(?:correct|gold|right) {_OUTPUTS}",
    "candidates": rf"candidates?|(?<!no )hallucinations|hallucination generated"
    rf"|(?<!non )hallucinated {_OUTPUTS}|(?:incorrect|wrong) {_OUTPUTS}",
}
# These suggest a track, but also describe labels in general or occur in names of judges.
_HINTS: Mapping[Track, str] = {
    "main": r"gold(?! standard)|correct|right",
    "candidates": r"(?<!non )hallu(?:cinated)?(?! (?:check|detect|eval|judg|label|result|scor))",
}
_STYLES = r"(?<!gold )standard|cot|ecot"
_SIZE = r"[1-9]\p{N}*00|\p{N}+50"  # of a data set; versions of models are less round
_GENERIC = lazy_regex(
    r"(?:answers?|baseline|benchmark|by|chains?|contrast|csv|corrected|data|datasets?"
    r"|eval(?:s|uated|uations?)?|files?|generat(?:ed|ions?)|hallu|hallucinat(?:ed|ions?)"
    r"|judg(?:ed|e?ments?)|label(?:s|l?ed|l?ing)?|main|outputs?|predictions?|results?|samples?"
    r"|sampled|scor(?:es?|ed|ing)|selected|sets?|verdicts?"
    rf"|banglahallueval|benhallueval|somadhan|{_SIZE})+"
)


@dataclass(frozen=True, slots=True)
class NameReading:
    """What one name says.

    Attributes:
        tasks, tracks: Those named, each with the words that name it.
        hints: Tracks suggested by words that may also mean something else.
        style: The prompt's style, such as `cot`; empty where none is named.
        rest: The remaining words.
    """

    tasks: Mapping[TaskName, str]
    tracks: Mapping[Track, str]
    hints: Mapping[Track, str]
    style: str
    rest: tuple[str, ...]


def words_of(text: str) -> list[str]:
    """Split a name into its words, in lower case."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return [word for word in _BETWEEN_WORDS.split(folded) if word]


def parts_of(path: Path) -> list[str]:
    """Split a path at both kinds of separators."""
    return [part for part in _SEPARATOR.split(str(path)) if part]


def read_file_name(path: Path, without: Sequence[str] = ()) -> NameReading:
    """Read a file's name.

    Args:
        path: The file.
        without: Adjacent words to ignore: those of a judge that is already known, whose name may
            contain words that otherwise mean a track.
    """
    stem = _COPY.sub("", _ENDING.sub("", parts_of(path)[-1].casefold()))
    text = f" {' '.join(words_of(stem))} "
    known = f" {' '.join(without)} "
    return _read(text.replace(known, " ") if without else text)


def read_folders(path: Path, depth: int = 3) -> list[NameReading]:
    """Read the names of a file's folders, the nearest first.

    A folder counts only if all its words are the benchmark's (`Codemix`, `QA results`), because
    folders can have any name.

    Args:
        path: The file.
        depth: Number of folders to read.
    """
    folders = parts_of(path.absolute())[:-1]
    found = []
    for folder in reversed(folders[-depth:]):
        words = words_of(folder)
        if words[-1:] == ["main"]:  # a working copy, or an archive, of a branch
            continue
        reading = _read(f" {' '.join(words)} ")
        if all(regex.search(r"\p{N}", word) for word in reading.rest):  # a date or a version
            found.append(reading)
    return found


def _read(text: str) -> NameReading:
    """Read words, each with a space on either side."""
    tasks, tracks, hints = _named(_TASKS, text), _named(_TRACKS, text), _named(_HINTS, text)
    style = regex.search(_whole(_STYLES), text)
    patterns = (*_TASKS.values(), *_TRACKS.values(), *_HINTS.values(), _STYLES)
    meant = {i for p in patterns for m in regex.finditer(_whole(p), text) for i in range(*m.span())}
    rest = "".join(" " if i in meant else char for i, char in enumerate(text))
    left = tuple(word for word in rest.split() if not _GENERIC.fullmatch(word))
    return NameReading(tasks, tracks, hints, style.group() if style else "", left)


def _named(patterns: Mapping[Value, str], text: str) -> dict[Value, str]:
    found = ((value, regex.search(_whole(pattern), text)) for value, pattern in patterns.items())
    return {value: match.group() for value, match in found if match}


def _whole(pattern: str) -> str:
    return rf"(?<= )(?:{pattern})(?= )"
