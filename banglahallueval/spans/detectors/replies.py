"""What a model's reply marks in an answer, whatever form the model gave it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import regex

from banglahallueval.models.types import Reply
from banglahallueval.spans.alignment import CHANGED, UnalignedError, align, locate
from banglahallueval.spans.comparable import Comparable
from banglahallueval.spans.detectors.quotes import Json, json_in, only_json, quotes_of
from banglahallueval.spans.types import Span
from banglahallueval.text.bangla import answer_text
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.spans import Place
from banglahallueval.text.yes_no import fold
from banglahallueval.verdicts import CUT_OFF, EMPTY, REFUSED, UNPARSED, no_text
from banglahallueval.verdicts.refusals import refuses

UNBALANCED: Final = "unbalanced tags"
REMARKS: Final = "remarks beside a reply that marks nothing"

TAG = lazy_regex(r"\\?[\[<【]\s*(?P<close>/?)\s*HAL\s*\\?[\]>】]", regex.IGNORECASE)

# The tags around the texts in the prompt, which some models copy, too.
_ECHO = lazy_regex(r"</?(?:evidence|question|answer)(?: [0-9a-f]{8})?>")
_LETTER = lazy_regex(r"[\p{L}\p{N}]")
_SIGN = lazy_regex(r"\S")
_LINE = lazy_regex(r"[^\n]*\n?")
# `Reply: ` and `**Highlighted LLM Response:** ` before a copy on the same line.
_LABEL = lazy_regex(r"[\s*_#>{\"'“`]*+\p{L}[^\n:：]{0,60}[:：][\s*_\"'“`]*+")
_FENCE = r"\s*(?:`{3,}|~{3,})\s*\w*\s*"
# A line that a copy may follow: `Here is the answer:`, a heading, a fence.
_LEAD = lazy_regex(rf".*[:：][\s*_\"'“`]*|\s*#{{1,6}}\s.*|\s*\*\*[^*]+\*\*\s*|{_FENCE}")
_FENCE_LINE = lazy_regex(_FENCE)
# What may stand behind a copy without tags, and what in a line before it is more than announcing.
_BEHIND = lazy_regex(r"[\s`~*_#\"'“”‘’.।-]*")
_ODD = lazy_regex(r"[^\p{L}\p{M}\p{N}\p{P}\s`~<>=|]|\?")
_WORD = lazy_regex(r"[\p{L}\p{M}']+")
# Words that announce a copy and say nothing about it, as `the unsupported part:` does.
_NOUN = lazy_regex("answer|reply|response|copy|output|result|text|উত্তর|উত্তরটি")
_BESIDE = lazy_regex(
    "here|is|here's|the|a|an|of|your|below|sure|okay|final|exact|verbatim|copied|tagged|marked"
    "|highlighted|annotated|checked|llm|model|model's|with|tags|hal|এখানে|নিচে|ট্যাগসহ|হলো|হল"
)
_MOST_STARTS = 50  # lines at which a copy may begin


class _Tagged(NamedTuple):
    """A reply with its tags taken out.

    Attributes:
        text: The reply without tags.
        tags: Where in it each tag stood, and whether it was an opening one, in order.
    """

    text: str
    tags: Sequence[tuple[int, bool]]


class _Region(NamedTuple):
    """Where in a reply the copy may be.

    Attributes:
        start, end: Code points of the reply without tags.
        is_led: Whether what stands before it announces it and says nothing else.
    """

    start: int
    end: int
    is_led: bool


def read_marks(reply: Reply, answer: str) -> tuple[Span, ...]:
    """Read which stretches of an answer a reply marks.

    The reply is a copy of the answer with tags, or a JSON list of quotes. What stands around a copy
    does not matter if it has tags; one without tags, which says that all is supported, may only be
    announced, and has no signs that the answer has not. Of several copies the last tagged one
    counts, for drafts come first. JSON without tags is a list of quotes before it is a copy, but
    for the very answer.

    Args:
        reply: What the model answered.
        answer: The raw answer.

    Returns:
        The spans, sorted and disjoint; none if the reply says that there are none.

    Raises:
        UnalignedError: If the reply does not say; the message is a short reason.
    """
    if reason := no_text(reply):
        raise UnalignedError(reason)
    if reply.finish == "length":
        raise UnalignedError(CUT_OFF)
    text = _ECHO.sub("", answer_text(reply.text))
    wanted = Comparable.of(answer)
    if not text:
        raise UnalignedError(EMPTY)
    whole = None if TAG.search(text) else only_json(text)
    if whole and Comparable.of(text).text != wanted.text:
        with suppress(UnalignedError):  # below is told why
            return _read_json(whole, wanted)
    try:
        return _read_copy(_without_tags(text), wanted)
    except UnalignedError as error:
        reason = str(error)
    if reason != UNBALANCED and (found := json_in(text)):
        return _read_json(found, wanted)
    raise UnalignedError(REFUSED if reason == UNPARSED and refuses(fold(text)) else reason)


def _read_json(found: Json, answer: Comparable) -> tuple[Span, ...]:
    """Read the marks of a tagged copy inside an object, else of a list of quotes."""
    if isinstance(found.value, Mapping):
        for inner in found.value.values():
            if isinstance(inner, str) and (TAG.search(inner) or _is_copy(found.value)):
                return _read_copy(_without_tags(inner), answer)
    quotes = [TAG.sub("", quote) for quote in quotes_of(found.value)]
    if not quotes and found.has_remarks:
        raise UnalignedError(REMARKS)
    return locate(quotes, answer)


def _is_copy(value: Mapping[str, object]) -> bool:
    """Whether an object says of its one text that it is the copy; `text` may be a quote, too."""
    names = [name.lower() for name in value]
    return len(names) == 1 and names != ["text"] and _NOUN.fullmatch(names[0]) is not None


def _without_tags(text: str) -> _Tagged:
    parts: list[str] = []
    tags: list[tuple[int, bool]] = []
    length = behind = 0
    for tag in TAG.finditer(text):
        parts.append(text[behind : tag.start()])
        length += tag.start() - behind
        behind = tag.end()
        tags.append((length, not tag["close"]))
    return _Tagged("".join([*parts, text[behind:]]), tags)


def _read_copy(reply: _Tagged, answer: Comparable) -> tuple[Span, ...]:
    """Read the marks of the copy that a reply holds.

    Raises:
        UnalignedError: If it holds none, or its tags are unbalanced.
    """
    whole = Comparable.of(reply.text)
    regions = [(_tags_in(reply, region), region) for region in _regions(reply.text, whole, answer)]
    reason = CHANGED if reply.tags or regions else UNPARSED
    for tags, region in sorted(regions, key=lambda each: (bool(each[0]), each[1]), reverse=True):
        marks = _paired(tags)
        try:
            spans = align(whole.part(region.start, region.end), marks or (), answer)
        except UnalignedError as error:
            reason = str(error)
            continue
        if marks is None:
            raise UnalignedError(UNBALANCED)
        has_remarks = not (region.is_led and _BEHIND.fullmatch(reply.text, region.end))
        if not marks and (reply.tags or has_remarks):
            raise UnalignedError(REMARKS)
        return spans
    raise UnalignedError(reason)


def _tags_in(reply: _Tagged, region: _Region) -> list[tuple[int, bool]]:
    """List the tags of a region; at its edges those that look into it."""
    return [
        (at, opens)
        for at, opens in reply.tags
        if region.start < at < region.end
        or (at == region.start and opens)
        or (at == region.end and not opens)
    ]


def _paired(tags: Sequence[tuple[int, bool]]) -> list[Place] | None:
    """Pair opening with closing tags; None if they do not alternate."""
    if len(tags) % 2 or any(opens != (i % 2 == 0) for i, (_, opens) in enumerate(tags)):
        return None
    places = [at for at, _ in tags]
    return list(zip(places[::2], places[1::2], strict=True))


def _regions(text: str, whole: Comparable, answer: Comparable) -> Iterator[_Region]:
    """List where whole lines have about as many letters as the answer, the nearest two a start."""
    said = _LETTER if answer.letters else _SIGN
    ends = [line.end() for line in _LINE.finditer(text) if said.search(line[0])]
    counts = [bisect_left(whole.starts, end) for end in ends]
    most = answer.most_changed
    for start, is_led in _starts(text):
        wanted = bisect_left(whole.starts, start) + len(answer.letters)
        first, last = bisect_left(counts, wanted - most), bisect_right(counts, wanted + most)
        near = sorted((abs(counts[i] - wanted), ends[i]) for i in range(first, last))
        for _, end in near[:2]:
            if end > start:
                yield _Region(start, len(text) - len(text[end:].lstrip()), is_led)


def _starts(text: str) -> Iterator[tuple[int, bool]]:
    """List where a copy may begin, and whether what is before it says nothing else."""
    found = behind = 0
    is_led = may_begin = True
    for line in _LINE.finditer(text):
        content = line[0].rstrip()
        if not content:
            may_begin = True
            continue
        if may_begin:
            yield behind, is_led
            label = _LABEL.match(content)
            if label:
                yield line.start() + label.end(), is_led and _announces(label[0])
            found += 1
            if found == _MOST_STARTS:
                return
        behind = line.end()
        may_begin = _LEAD.fullmatch(content) is not None
        is_led = is_led and may_begin and _announces(content)


def _announces(text: str) -> bool:
    words = [word.lower() for word in _WORD.findall(text)]
    others = [word for word in words if not _NOUN.fullmatch(word)]
    is_neutral = len(others) < len(words) and all(map(_BESIDE.fullmatch, others))
    is_neutral = is_neutral and not _ODD.search(text)
    return is_neutral or _FENCE_LINE.fullmatch(text) is not None
