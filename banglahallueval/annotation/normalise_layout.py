"""Normalise the layout of an item's texts, so that it does not reveal the track.

Gold texts and generated candidates differ in ways unrelated to correctness: a closing `#### 63`,
bold marks, a full stop at the end, spaces before a danda, one step per line or all in a paragraph.
Only layout is normalised; words, numbers and signs stay as they are.
"""

from __future__ import annotations

import regex

from banglahallueval.tasks import split_final_answer

# Bold needs a letter between the marks: `2**3` is a power.
_BOLD = regex.compile(r"(\*\*|__)(?=[^*_\n]*\p{L})([^*_\n]+)\1")
_HEADING = regex.compile(r"(?m)^[^\S\n]*#{1,6}[^\S\n]+")
_SPACES = regex.compile(r"[^\S\n]+")
_BEFORE_MARK = regex.compile(r"[^\S\n]+(?=[।,;:?!])")
_CLOSING = regex.compile(r"(?<=\w[\s\p{P}]*)[\s।]*[.।][\s।.]*\Z")
_QUOTED = regex.compile(r"\A[\"“'‘`]([^\"“”'‘’`]*)[\"”'’`]\Z")
# A step ends at a danda, at a line's end, or at a full stop after a word (not after a digit).
_STEP_END = regex.compile(r"(?<=।)\s*|\s*\n\s*|(?<=[\p{L}\p{M}]{2}\.)\s+")


def normalise_evidence(text: str) -> str:
    """Strip and collapse spaces of evidence, which differ between the files of the two tracks."""
    return _SPACES.sub(" ", text).strip()


def normalise_output(text: str, *, steps: bool = False) -> str:
    """Bring an output into the layout that both tracks share.

    Args:
        text: The raw output.
        steps: Whether it is a chain of reasoning, which gets one step per line.
    """
    text = split_final_answer(text)[0]
    text = _HEADING.sub("", _BOLD.sub(r"\2", text))
    text = _BEFORE_MARK.sub("", _SPACES.sub(" ", text)).strip()
    if steps:
        parts = (_CLOSING.sub("", part.strip()) for part in _STEP_END.split(text) if part)
        return "\n".join(part for part in parts if part.strip())
    return _CLOSING.sub("", _QUOTED.sub(r"\1", text)).strip()
