"""Where a statement announces a verdict: after a label, or with its first words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import any_of, whole_word_of
from banglahallueval.verdicts.phrases import asks_of_hallucination, mentions_hallucination
from banglahallueval.verdicts.vocabulary import ECHO, HEADING, NONE_FOUND, Vocabulary

# How a verdict is announced. `named`: after a label that names hallucination. `labelled`: after
# another. `key`: after a key of an object that may also be the judged output's, `"answer"`.
# `bare`: with nothing more said. `opening`: at the head of a sentence that goes on.
Kind = Literal["named", "labelled", "key", "bare", "opening"]


class Mark(NamedTuple):
    """A verdict that a statement announces.

    Attributes:
        word: Which of the two it is said with.
        label: What it says of the output: `yes` that it is hallucinated or wrong.
        kind: How it is announced.
        head: Where what announces it begins in the statement: the label, else its word.
        start, end: Where its word stands.
        weak: Whether it is what would be said, which counts where nothing else is.
        phrase: Whether its word is none that models answer with, as `hallucination: none`.
    """

    word: Literal["yes", "no"]
    label: Literal["yes", "no"]
    kind: Kind
    head: int
    start: int
    end: int
    weak: bool = False
    phrase: bool = False


_CONDITION = lazy_regex(
    whole_word_of(
        "if unless otherwise assuming suppose supposing provided যদি হলে হলেও থাকলে নইলে নতুবা "
        "অন্যথায় ধরলে jodi hole thakle noile"
    )
    + r"|(?:^|[.,;:–—-])\s*+(?:had|were|should)(?!\p{L})"
    + f"|{any_of('না হলে', 'ধরা যাক', 'in case')}"
)
_WOULD = lazy_regex(whole_word_of("would might could হতো হত হইত hoto"))
_SAME_CLAUSE = (
    r"(?:[ \t]++(?!(?:so|therefore|thus|hence|and|but|while|as|because)(?!\p{L}))[\p{L}\p{M}']++)"
)
_REPORTED = lazy_regex(
    whole_word_of(
        "says said saying claims claimed told tells asks asked wants instructs instructed writes "
        "wrote states stated"
    )
    + rf"{_SAME_CLAUSE}{{0,4}}+[ \t]*+$"
)
# `This does not mean that the answer is no.`
_DENIED = lazy_regex(rf"(?:(?<!\p{{L}})(?:not|never|cannot)|n't){_SAME_CLAUSE}{{1,9}}+[ \t]*+$")


def is_conditional(text: str) -> bool:
    """Whether a statement says what would be, not what is."""
    return _CONDITION.search(text) is not None or _WOULD.search(text) is not None


def labelled_marks(text: str, words: Vocabulary) -> Iterator[Mark]:
    """Find the verdicts that follow a label, unless they are conditional or reported."""
    if mentions_hallucination(text):
        for found in words.named.finditer(text):
            if not _is_another_voice(text, found):
                yield _mark(found, "named", text)
        for found in NONE_FOUND.finditer(text):
            yield Mark("no", "no", "named", found.start(), *found.span("no"), phrase=True)
    for found in words.labelled.finditer(text):
        if not _is_another_voice(text, found):
            echo = found["key"] and ECHO.match(found[0])
            yield _mark(found, "key" if echo else "labelled", text)


def sentence_mark(text: str, words: Vocabulary, at: int = 0) -> Mark | None:
    """Find the verdict in a statement's first words, or the one it ends with: `…, so yes`."""
    found = words.opening.match(text, at)
    if not found:
        found = words.concluding.search(text, at)
        return _mark(found, "bare", text) if found and not _is_another_voice(text, found) else None
    alone = words.alone.fullmatch(text, found.end()) is not None
    return _mark(found, "bare" if alone else "opening", text)


def _is_another_voice(text: str, found: regex.Match[str]) -> bool:
    head = text[: found.start()]
    return any(pattern.search(head) for pattern in (_CONDITION, _REPORTED, _DENIED))


def _mark(found: regex.Match[str], kind: Kind, text: str) -> Mark:
    word: Literal["yes", "no"] = "yes" if found["yes"] else "no"
    begin, end = found.span(word)
    weak = _WOULD.search(text, 0, begin) is not None
    return Mark(word, word, kind, found.start(), begin, end, weak=weak)


_LONGEST_HEADING: Final = 80
_ASKS_FOR_VERDICT = lazy_regex(
    whole_word_of("verdict decision judgment judgement সিদ্ধান্ত রায়") + r"|(?:final|your|my) answer"
)
_OTHER_FIELD = lazy_regex(
    whole_word_of("supported correct accurate faithful factual consistent contradiction grounded")
)

# What a statement without a verdict asks, for the next one to answer.
Asked = Literal["", "named", "labelled", "other"]


def asked(text: str) -> Asked:
    """Tell what a statement asks or heads."""
    if text.rstrip(" \t\"')]}").endswith("?"):
        if asks_of_hallucination(text):
            return "named"
        return "labelled" if _ASKS_FOR_VERDICT.search(text) else "other"
    heading = HEADING.fullmatch(text) if len(text) < _LONGEST_HEADING else None
    if heading:
        return "named" if heading["named"] else "labelled"
    if text.rstrip().endswith(":") and _OTHER_FIELD.search(text):
        return "other"
    return ""
