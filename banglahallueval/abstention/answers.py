"""A reply becomes an answer, an abstention, or no reply with the reason."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

import regex

from banglahallueval.abstention.exact import same_answer
from banglahallueval.models.types import Reply
from banglahallueval.text.abstention import abstains, refuses
from banglahallueval.text.answer_frames import readable
from banglahallueval.text.bangla import answer_text
from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.json_reply import text_of, whole_objects
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import CONTENT, fold, offset_in_raw
from banglahallueval.verdicts import CUT_OFF, EMPTY, REFUSED, UNFINISHED_THINKING, no_text
from banglahallueval.verdicts.turns import own_turn

_NUMBER: Final = r"[0-9০-৯]++(?:[.,][0-9০-৯]++)?"
_MARKS: Final = r"[*_\"']{0,4}"
_CONFIDENCE = lazy_regex(
    r"(?<![\p{L}\p{M}\p{N}]-?)[(\[{]?[*_\"'#>-]{0,4} ?(?:(?:my|your|the|আমার) )?"
    r"(?:confidence(?: (?:level|score))?|আত্মবিশ্বাস|নিশ্চয়তা|আস্থা)(?:র মাত্রা)?"
    rf"{_MARKS}\s{{0,3}}[:=ঃ–-]{_MARKS}\s{{0,3}}(?P<said>(?:[0-9০-৯]++|[^\n)\]}}]){{0,60}})[)\]}}]?",
    regex.IGNORECASE,
)
_VALUE = lazy_regex(
    rf"\W{{0,4}}?(?P<sign>[-−–])?(?P<value>{_NUMBER})\s?(?:(?P<percent>%|percent|শতাংশ|ভাগ)"
    rf"|(?:/|out of)\s?(?P<of>{_NUMBER}))?(?P<rest>.*)",
    regex.IGNORECASE | regex.DOTALL,
)
_HAS_VALUE = lazy_regex(
    r"\p{N}|(?:nan|inf|infinity|n/a|none|null|unknown)(?!\p{L})|high|low|medium|certain|sure"
    r"|উচ্চ|কম|বেশি|মধ্যম|অজানা",
    regex.IGNORECASE,
)
# `Paris (90%)`, `Paris, 90% confident`, or a last line of its own.
_SURE: Final = rf"(?:about |~ ?)?(?P<said>{_NUMBER}\s?(?:%|percent|শতাংশ|ভাগ))"
_HOW: Final = " (?:confident|confidence|certain|certainty|sure|নিশ্চিত|আত্মবিশ্বাসী|আত্মবিশ্বাস)"
_AT_END = lazy_regex(
    rf"(?<=\S)\s*+(?:[(\[]\s?(?:i am |i'm )?{_SURE}(?:{_HOW})?\s?[)\]]"
    rf"|(?<=\n)[*_]{{0,3}}(?:i am |i'm |আমি )?{_SURE}(?:{_HOW})?[*_]{{0,3}}"
    rf"|(?<=[,;–—]\s){_SURE}{_HOW})[.।]?$",
    regex.IGNORECASE,
)
_LINE_START: Final = r"(?:^|(?<=\n))[^\S\n]{0,8}[*_#>`]{0,6} ?"
# What is announced as the answer, where anything stands before it.
_FINAL = lazy_regex(
    rf"{_LINE_START}(?:(?:(?:the|my|so|therefore|thus),? ?){{0,3}}(?:(?:final|correct|short) )?"
    r"answer(?: is)?|(?:(?:আমার|চূড়ান্ত|সঠিক) ){0,2}উত্তর(?: হলো| হল)?)"
    rf"{_MARKS}\s?[:ঃ]{_MARKS}",
    regex.IGNORECASE,
)
_OBJECT = lazy_regex(r"\s*(?:```(?:json)?\s*)?\{")
_LONGEST_OBJECT: Final = 4000  # code points
_BOXED = lazy_regex(r"\\boxed\s?\{((?:[^{}]|\{[^{}]*\})*)\}")
_EXPLANATION = lazy_regex(
    rf"\n{_LINE_START}(?:explanation|reasoning|reason|note|rationale|ব্যাখ্যা|কারণ|যুক্তি)"
    rf"{_MARKS}\s?[:ঃ]",
    regex.IGNORECASE,
)


class Answer(NamedTuple):
    """What a reply says.

    Attributes:
        pred: The final answer in the model's words, without thinking and confidence; empty where
            the reply holds none.
        outcome: `abstained` or `no reply`; None for an answer, which is to be judged.
        reason: Why there is no reply; empty otherwise.
        confidence: The model's own probability that it is right, in [0, 1]; None where it gives
            none, or one out of range.
    """

    pred: str
    outcome: Literal["abstained", "no reply"] | None = None
    reason: str = ""
    confidence: float | None = None


def read_answer(reply: Reply, *, confidence: bool, named: Collection[str] = ()) -> Answer:
    """Read the final answer of a reply.

    A reply that was cut is none even if it begins with an answer: what was cut may have taken it
    back, and a model that keeps to the prompt is not cut.

    Args:
        reply: The model's reply.
        confidence: Whether a line with a confidence was asked for, and is read.
        named: Answers that may be given in words that abstain otherwise, such as the option
            `Cannot be determined` and the gold answer `Unknown`.
    """
    reason = no_text(reply) or (CUT_OFF if reply.finish == "length" else "")
    if reason:
        return Answer("", "no reply", reason)
    text = _own_words(readable(reply.text))
    if text is None:
        return Answer("", "no reply", UNFINISHED_THINKING)
    said = None
    if confidence:
        text, said = _without_confidence(text)
    pred = _final(text)
    if not CONTENT.search(pred):
        return Answer("", "no reply", EMPTY)
    if abstains(pred) and not any(same_answer(pred, each) for each in named):
        return Answer(pred, "abstained", confidence=said)
    if refuses(pred):
        return Answer(pred, "no reply", REFUSED)
    return Answer(pred, confidence=said)


def _own_words(text: str) -> str | None:
    """Return what the model itself says, raw, without thinking; None if that does not end."""
    visible, _ = own_turn(fold(text))
    if visible is None:
        return None
    inner = visible.strip()
    if not inner:
        return ""
    begin = len(visible) - len(visible.lstrip())
    first = offset_in_raw(text, begin)
    last = offset_in_raw(text, begin + len(inner) - 1) + 1
    return answer_text(text[first:last])


def _without_confidence(text: str) -> tuple[str, float | None]:
    """Take the confidence out of a reply; the last one counts."""
    found = [each for each in _CONFIDENCE.finditer(text) if _HAS_VALUE.search(each["said"])]
    if not found:
        late = _AT_END.search(text)
        if not late or not CONTENT.search(text[: late.start()]):
            return text, None
        return text[: late.start()].rstrip(" \t,;–—"), _probability(late["said"])
    value = _probability(found[-1]["said"])
    for each in reversed(found):
        text = text[: each.start()] + text[each.end() :]
    return text.strip(" \t\r\n,;|"), value


def _probability(said: str) -> float | None:
    """Read 85%, ৮৫%, 0.85, 85 and 8/10; without a mark, numbers to 1 are shares."""
    found = _VALUE.fullmatch(said.translate(TO_ASCII))
    if not found or found["sign"]:
        return None
    value = float(found["value"].replace(",", "."))
    if found["of"]:
        whole = float(found["of"].replace(",", "."))
        value = value / whole if whole else -1
    elif found["percent"] or value > 1:
        value /= 100
    return value if 0 <= value <= 1 else None


def _final(text: str) -> str:
    """Find the final answer: the value of an object, what a label or a box gives, or all."""
    if len(text) <= _LONGEST_OBJECT and _OBJECT.match(text):
        found = next(whole_objects(text), None)
        for key in ("final_answer", "answer", "উত্তর"):
            if isinstance(found, dict) and key in found:
                return text_of(found[key]).strip()
    boxed = _BOXED.findall(text)
    if boxed:
        return str(boxed[-1]).strip()
    labels = list(_FINAL.finditer(text))
    for label in reversed(labels):
        if CONTENT.search(text, label.end()):
            text = text[label.end() :]
            break
    else:
        text = text[: labels[-1].start()] if labels else text
    head = _EXPLANATION.split(text, maxsplit=1)[0]
    return (head if head.strip() else text).strip()
