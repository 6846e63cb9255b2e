"""Where in a reply its verdict stands. A doubtful reply has none."""

from __future__ import annotations

from typing import Literal, NamedTuple

import regex

from banglahallueval.prompts import Style
from banglahallueval.text.markup import without_options, without_tags, without_thinking
from banglahallueval.text.yes_no import (
    END,
    FALSE,
    LETTER,
    NO,
    NOT_LETTERS,
    NOT_LETTERS_IN_LINE,
    START,
    TRUE,
    YES,
    any_of,
    fold,
    one_word_of,
)
from banglahallueval.verdicts.phrases import (
    doubts,
    greets,
    mentions_hallucination,
    refuses,
    says_of_hallucination,
)
from banglahallueval.verdicts.types import CUT_OFF, EMPTY, REFUSED, UNFINISHED_THINKING, UNPARSED


class Reading(NamedTuple):
    """What a text says.

    Attributes:
        label: `yes`, `no`, or empty where there is no verdict.
        reason: Why there is none.
        start, end: Where the verdict's word stands in the folded text; 0, 0 without such a word.
        boolean: Whether `true` and `false` would have been verdicts there, too.
    """

    label: Literal["yes", "no", ""]
    reason: str = ""
    start: int = 0
    end: int = 0
    boolean: bool = False


# `No evidence supports it` says yes if anything. Before these words, no is an answer.
_AFTER_NO = one_word_of(
    "it its it's the this that that's these they there because since as i we my all every "
    "everything not hallucinated hallucination hallucinations "
    "এটি এটা এই উত্তরটি সারাংশটি কারণ প্রদত্ত হ্যালুসিনেশন হ্যালুসিনেটেড"
)
_NOT_ASKED = r"(?![\"'*)\s]*\?)"
_YES = rf"{any_of(*YES)}{END}{_NOT_ASKED}"
_NO = (
    rf"{any_of(*NO)}{END}{_NOT_ASKED}(?![^\S\n]*[.#:]?[^\S\n]*\p{{N}})"
    rf"(?![^\S\n]+(?!{_AFTER_NO}(?!{LETTER}))[\p{{L}}\p{{M}}])"
)
_WORD = rf"(?:(?P<yes>{_YES})|(?P<no>{_NO}))"
_WORD_OR_BOOLEAN = (
    rf"(?:(?P<yes>{_YES}|{TRUE}{END}{_NOT_ASKED})|(?P<no>{_NO}|{FALSE}{END}{_NOT_ASKED}))"
)

_LEAD = one_word_of(
    "the my a final answer verdict label decision judgment judgement conclusion evaluation "
    "assessment result response output is would be so therefore thus hence i say definitely "
    "clearly certainly absolutely obviously ok okay sure well now assistant judge evaluator ai "
    "উত্তর উত্তরটি চূড়ান্ত আমার সিদ্ধান্ত রায় ফলাফল মতে হলো হল হচ্ছে জি জ্বি জী"
)
_FIRST = regex.compile(
    rf"{NOT_LETTERS}(?:\p{{N}}{{1,2}}[.)]\s+{NOT_LETTERS})?"
    rf"(?:{_LEAD}(?!{LETTER})[^\p{{L}}\p{{M}}\p{{N}}.?!।]*+){{0,8}}{START}{_WORD}"
)
_BARE = regex.compile(
    rf"^{NOT_LETTERS_IN_LINE}(?:\p{{N}}{{1,2}}[.)]{NOT_LETTERS_IN_LINE})?{_WORD}"
    rf"{NOT_LETTERS_IN_LINE}$",
    regex.MULTILINE,
)
_ALONE = regex.compile(rf"{START}{_WORD}")
_LINK = one_word_of("and but or nor then এবং ও আর কিন্তু বা")
_MORE = regex.compile(
    rf"(?:{NOT_LETTERS_IN_LINE}(?:{_LINK}{NOT_LETTERS_IN_LINE})?{START}"
    rf"(?P<word>{any_of(*YES, *NO)}){END})+[^\S\n]*(?=$|[^\s\p{{L}}\p{{M}}\p{{N}}])",
    regex.MULTILINE,
)

_MARKUP = r"[\"'`*_\s)\]}\\]*+"
_SIGN = r"(?:[:=?।ঃ–—→]|->?)"
_AFTER_LABEL = (
    rf"(?![\p{{L}}\p{{N}}])(?:[ _]now)?+{_MARKUP}(?:\([^()\n]{{0,100}}\){_MARKUP})?+"
    rf"(?:{any_of('is', 'would be', 'should be', 'হলো', 'হল', 'হচ্ছে')}(?=[\W_]){_MARKUP}{_SIGN}?+"
    rf"|{_SIGN}){NOT_LETTERS}"
)
_HALLUCINATED = regex.compile(
    rf"(?<![\p{{L}}\p{{M}}\p{{N}}_-])(?<!(?:not|no|non)\s)(?:(?:is|has|contains)[_ ]?)?+"
    r"(?:hallucinat(?:ed|ions?)(?:[_ ](?:chain|detected|status))?+"
    rf"|{any_of('হ্যালুসিনেশন', 'হ্যালুসিনেটেড')})"
    rf"{_AFTER_LABEL}{START}{_WORD_OR_BOOLEAN}"
)
_LABELS = fold(
    "answer verdict label decision judgment judgement conclusion result response output evaluation "
    "assessment boxed উত্তর রায় সিদ্ধান্ত ফলাফল"
).split()
_OF_ANOTHER = one_word_of(
    "model model's correct right given provided candidate generated student's reference gold "
    "expected wrong proposed true actual hallucinated মডেলের সঠিক"
)
_LABELLED = regex.compile(
    rf"{any_of(*_LABELS)}(?<![\p{{L}}\p{{M}}\p{{N}}]{any_of(*_LABELS)})"
    rf"(?<!{_OF_ANOTHER}[\s_]{any_of(*_LABELS)}){_AFTER_LABEL}{START}{_WORD}"
)
# By which a reply takes its first words back.
_CORRECTED = regex.compile(
    rf"{any_of('wait', 'actually', 'correction', 'i mean', 'on second thought', 'scratch that')}"
    rf"{NOT_LETTERS}{START}{_WORD}"
)
_STEP = regex.compile(rf"{NOT_LETTERS}(?:step|{fold('ধাপ')})\s*(\p{{Nd}}+){NOT_LETTERS_IN_LINE}")


def read(text: str, style: Style, *, cut: bool = False) -> Reading:
    """Find the verdict of a reply.

    Args:
        text: The whole reply.
        style: `cot` takes the last line that carries a verdict; else the first words or what
            follows a label count, and nothing else in the reply may say otherwise.
        cut: Whether the reply was stopped by its token budget.
    """
    folded = without_thinking(fold(text))
    if folded is None:
        return Reading("", UNFINISHED_THINKING)
    answer = folded.strip()
    found = _last_line(answer, cut=cut) if style == "cot" else _first_words(_cleaned(answer))
    # `no` at the cut may have been about to become `not sure`; a reply of one word may not.
    at_cut = cut and found.end == len(answer) and found.start
    if found.label and not at_cut:
        if not found.end:
            return found
        before = len(folded) - len(folded.lstrip())
        return found._replace(start=found.start + before, end=found.end + before)
    if refuses(answer):
        return Reading("", REFUSED)
    if cut:
        return Reading("", CUT_OFF)
    return Reading("", UNPARSED if without_tags(answer).strip() else EMPTY)


def _cleaned(text: str) -> str:
    return without_options(without_tags(text))


def _of(match: regex.Match[str], *, boolean: bool = False) -> Reading:
    label: Literal["yes", "no"] = "yes" if match["yes"] else "no"
    return Reading(label, "", *match.span(label), boolean)


def _marked(text: str) -> list[Reading]:
    """The verdicts after a label; a label that names hallucination overrules the others."""
    if mentions_hallucination(text):
        named = [_of(found, boolean=True) for found in _HALLUCINATED.finditer(text)]
        if named:
            return named
    if any(label in text for label in _LABELS):
        return [_of(found) for found in _LABELLED.finditer(text)]
    return []


def _start(text: str) -> tuple[Reading | None, bool]:
    """The verdict in a text's first words, and whether those words take it back."""
    found = _FIRST.match(text)
    if not found:
        return None, False
    reading = _of(found)
    line_end = text.find("\n", reading.end)
    rest = text[reading.end : line_end if line_end >= 0 else len(text)]
    more = _MORE.match(rest)
    others = {"yes" if word in YES else "no" for word in more.captures("word")} if more else set()
    said = says_of_hallucination(rest)
    taken_back = (
        bool(others - {reading.label})
        or bool(said and said != reading.label)
        or any(_of(each).label != reading.label for each in _CORRECTED.finditer(text, reading.end))
        or doubts(rest)
        or refuses(rest)
        or (reading.label == "yes" and greets(rest))
    )
    return reading, taken_back


def _first_words(text: str) -> Reading:
    marked = _marked(text)
    found = marked + [_of(match) for match in _BARE.finditer(text)]
    in_object = marked and marked[0].boolean and text.lstrip().startswith("{")
    if not in_object:
        first, taken_back = _start(text)
        if taken_back:
            return Reading("")
        if first:
            found.append(first)
    if not found:
        line = text.lstrip().partition("\n")[0]
        return Reading(says_of_hallucination(line))
    return _agreed(found)


def _agreed(found: list[Reading]) -> Reading:
    """The earliest of several readings, if all say the same."""
    if len({reading.label for reading in found}) > 1:
        return Reading("")
    return min(found, key=lambda reading: reading.start)


def _last_line(text: str, *, cut: bool) -> Reading:
    """The verdict of the last line that carries one.

    Only the very last line may carry it within a sentence. Lines above the last step's heading
    belong to the argument. In a reply that was cut, only what a label announces is the verdict.
    """
    end = len(text)
    hints: set[str] = set()
    said: Literal["yes", "no", ""] = ""
    last = True
    while end >= 0:
        start = text.rfind("\n", 0, end) + 1
        line = _cleaned(text[start:end])
        end = start - 1
        if not line.strip(" \t`*_-=#>}]|"):
            continue
        step = _STEP.match(line)
        found = _marked(line)
        if not cut:
            found += [_of(match) for match in _BARE.finditer(line)]
        if last and not cut:
            # Step 3 of the fixed prompts is the verdict; the steps before it are not.
            skip = step.end() if step and int(step[1]) > 2 else 0
            first, taken_back = _start(line[skip:])
            if taken_back:
                return Reading("")
            if first and (skip or not step):
                found.append(first._replace(start=first.start + skip, end=first.end + skip))
            hints = {_of(match).label for match in _ALONE.finditer(line)}
            said = says_of_hallucination(line) if skip or not step else ""
            hints |= {said} if said else set()
            if len(hints) > 1:
                return Reading("")
        last = False
        if found:
            reading = _agreed(found)
            if hints - {reading.label}:
                return Reading("")
            return reading._replace(start=reading.start + start, end=reading.end + start)
        if step:
            break
    return Reading(said)
