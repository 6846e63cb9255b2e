"""What a reply says: that the caption matches, that it does not, or nothing that can be read."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import (
    CONTENT,
    LETTER,
    NO,
    ROMANISED_NO,
    ROMANISED_YES,
    YES,
    any_of,
    fold,
    one_word_of,
    whole_word_of,
)
from banglahallueval.verdicts import CONTRADICTS, CUT_OFF, EMPTY, REFUSED, UNPARSED, no_text
from banglahallueval.verdicts.reading import read
from banglahallueval.verdicts.statements import Statement, statements
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.verdicts.withholding import withholds
from banglahallueval.vision.discriminative.statements import (
    CONTRAST,
    NOT_BEHIND,
    Polarity,
    says,
    says_in_field,
)
from banglahallueval.vision.unseen import NO_PICTURE, saw_no_picture

# Behind the verdict these take a part of it back, and so does any contrast.
_IN_PART = lazy_regex(
    whole_word_of("partially partly almost nearly আংশিক আংশিকভাবে")
    + f"|(?<!{LETTER}){fold('ছাড়া')}(?!{LETTER})"
)
_FAULT = (
    r"(?:errors?|mistakes?|faults?|hallucinat(?:ions?|ory \p{L}+)|mismatch(?:es)?"
    r"|discrepanc(?:y|ies)|inaccurac(?:y|ies)|inconsistenc(?:y|ies)|contradictions?|problems?|issues?)(?!\p{L})"
)
# `No errors.` finds nothing wrong; its `no` is no answer.
_NO_FAULT = lazy_regex(
    r"\W*+(?:(?:there (?:is|are)|i (?:see|find|found|detect|notice)) )?no (?:\p{L}{1,20} ){0,2}?"
    rf"{_FAULT}(?: (?:is|are|was|were))?(?: (?:found|detected|present|seen|here))?"
    r"(?: (?:in|of|between|with) [^.,:;!?\n]{1,60})?(?=\s*+(?:$|[.,:;!?\n–-]))"
    rf"|\W*+(?:{one_word_of('ক্যাপশনে ক্যাপশনটিতে বর্ণনায় এতে এখানে captione ete')} )?"
    rf"{one_word_of('কোনো কোন kono')} "
    rf"{one_word_of('ভুল ত্রুটি অমিল অসঙ্গতি অসংগতি সমস্যা হ্যালুসিনেশন bhul vul omil truti shomossa')} "
    rf"{one_word_of('নেই নাই nei nai')}(?!{LETTER})"
)
_DENIED = lazy_regex(rf"\W*+{NOT_BEHIND}")
# What the script's prompt asks for, word for word: return "yes".
_ECHOED = lazy_regex(rf"\W*+return\W++(?:(?P<yes>{any_of(*YES)})|(?P<no>{any_of(*NO)}))\W*+")
_SHORT: Final = 12  # code points of an answer to a question that a reply itself puts
_ROMANISED_WORD = lazy_regex(
    rf"\W*+(?:(?P<yes>{any_of(*ROMANISED_YES)})|(?P<no>{any_of(*ROMANISED_NO)}))(?!{LETTER})"
)
# Politeness, which says yes by itself, and lets a `na` behind it be no other word.
_POLITE = lazy_regex(rf"\W*+{one_word_of('জি জী ji jee jii')}(?!{LETTER})(?:\W*+sir(?!\p{{L}}))?+")


class Answer(NamedTuple):
    """What a reply says of a caption.

    Attributes:
        label: `yes` that the caption matches the picture, `no` that it does not, or `unknown`; of a
            question for the type, the type.
        reason: Why it is unknown; empty otherwise.
        conflicts: Whether the reply takes a part of its answer back, as `Yes, but …` does. Its
            leading word counts.
    """

    label: str
    reason: str = ""
    conflicts: bool = False


def read_answer(reply: Reply, *, is_cot: bool, is_bangla: bool = False) -> Answer:
    """Read whether a reply says that the caption matches, never making an answer up.

    Yes and no count as in verdicts of labelling: at the reply's first words, where one is
    announced, or in the last line of an argument. Else a sentence may say it: `The caption matches
    the image.`

    Args:
        reply: What the model answered; thinking inside its text is left out.
        is_cot: Whether it was asked to reason first.
        is_bangla: Whether it was asked in Bangla, so that a bare `ha` or `na` is an answer.
    """
    withheld = no_text(reply)
    if withheld:
        return Answer("unknown", withheld)
    visible, ended = own_turn(fold(reply.text))
    if visible is None:  # cannot be: its thinking would not end
        return Answer("unknown", EMPTY)
    if saw_no_picture(visible):
        return Answer("unknown", NO_PICTURE)
    cut = reply.finish == "length" and not ended
    if not cut and (field := says_in_field(visible.strip())):
        return Answer(field)
    if not cut and (nothing := _NO_FAULT.match(visible)):
        return _nothing_wrong(visible, nothing.end(), is_cot=is_cot)
    found = read(reply.text, "cot" if is_cot else "standard", cut=cut, yes_means="correct")
    if found.label:
        rest = visible[found.end :]
        label: Literal["yes", "no"] = "yes" if found.label == "no" else "no"
        if _DENIED.match(rest) or _stated(_joined(statements(rest))) not in ("", label):
            return Answer("unknown", CONTRADICTS)
        return Answer(label, conflicts=_takes_back(rest))
    if found.reason in (CONTRADICTS, REFUSED):
        return Answer("unknown", found.reason)
    return _in_words(visible, cut=cut, is_cot=is_cot, is_bangla=is_bangla)


def _in_words(visible: str, *, cut: bool, is_cot: bool, is_bangla: bool) -> Answer:
    """Read a reply that has neither yes nor no where one would count."""
    if echoed := _ECHOED.fullmatch(visible):
        return Answer("yes" if echoed["yes"] else "no")
    sentences = _joined(statements(visible))
    if not sentences:
        missing = UNPARSED if CONTENT.search(visible) else EMPTY
        return Answer("unknown", CUT_OFF if cut else missing)
    if cut:
        sentences = [] if is_cot else sentences[:-1]  # what was cut may have said otherwise
    stated = _stated(sentences)
    romanised = _romanised(visible, is_bangla=is_bangla or stated != "")
    if stated and romanised and stated != romanised:
        return Answer("unknown", CONTRADICTS)
    label = stated or romanised
    if not label:
        withheld = any(map(withholds, sentences))
        return Answer("unknown", CUT_OFF if cut else REFUSED if withheld else UNPARSED)
    return Answer(label, conflicts=_takes_back(visible))


def _nothing_wrong(visible: str, end: int, *, is_cot: bool) -> Answer:
    """Read a reply that begins with `no errors`, unless it argues or says otherwise behind it."""
    rest = visible[end:]
    further = read(rest, "cot" if is_cot else "standard", yes_means="correct").label
    if further == "yes" or _stated(_joined(statements(rest))) == "no":
        return Answer("unknown", CONTRADICTS)
    return Answer("yes", conflicts=_takes_back(rest))


def _takes_back(rest: str) -> bool:
    return CONTRAST.search(rest) is not None or _IN_PART.search(rest) is not None


def _joined(sentences: list[Statement]) -> list[str]:
    """List the texts of statements, a question together with the answer to it."""
    texts: list[str] = []
    for each in sentences:
        text = each.text.strip()
        if texts and texts[-1].endswith("?") and len(text) <= _SHORT:
            text = f"{texts.pop()} {text}"
        texts.append(text)
    return texts


def _stated(sentences: list[str]) -> Polarity:
    """Read the sentences that say outright whether the caption matches; empty if they differ."""
    said = {says(each, leading=True) for each in sentences} - {""}
    return said.pop() if len(said) == 1 else ""


def _romanised(visible: str, *, is_bangla: bool) -> Polarity:
    """Read a `haan` or `na` with which a reply begins; elsewhere they are other words."""
    polite = _POLITE.match(visible)
    start = polite.end() if polite else 0
    found = _ROMANISED_WORD.match(visible, start) if is_bangla or polite else None
    if found is None and polite is None:
        return ""
    rest = visible[found.end() if found else start :]
    if regex.match(r"\s*+(?:$|[.,;:!।\n–-])", rest) is None:
        return ""
    return "no" if found and found["no"] else "yes"
