"""Sentences that say more than yes or no: that it is hallucinated, doubt, refusals.

All texts are folded ones.
"""

from __future__ import annotations

from typing import Literal

import regex

from banglahallueval.text.yes_no import any_of, fold, one_word_of


def _words(*words: str) -> str:
    """A pattern for one of the words, whole."""
    return rf"(?<![\p{{L}}\p{{M}}]){any_of(*words)}(?![\p{{L}}\p{{M}}])"


_ENGLISH = r"hallucinat(?:ed|ions?)(?!\p{L})"
_MENTIONED = regex.compile(_ENGLISH)
_NEGATION = regex.compile(
    rf"{_words('not', 'no', 'non', 'never', 'neither', 'nor', 'without', 'none', 'free')}|n't"
)
_DENIED = regex.compile(
    r"(?:(?<!\p{L})(?:not|no|non|without|free (?:of|from))|n't)[\s-]+(?:\w+\s+){0,2}?" + _ENGLISH
)
_STATED = regex.compile(
    r"(?:^|:)\W*hallucinated\W*$|(?:(?<!\p{L})(?:is|are|was|contains?|has)|'s)\s+"
    rf"(?:an?\s+|clearly\s+|indeed\s+|definitely\s+)*{_ENGLISH}"
)
# With one of these in the sentence, what it says of hallucination may not be its verdict.
_OPEN = regex.compile(
    r"\?|(?<!\p{L})"
    + one_word_of(
        "if whether may might could would maybe possibly perhaps likely probably unclear unsure "
        "sure cannot can't unless partially partly think seem seems appear appears nothing mean "
        "means said says false wrong hardly"
    )
    + r"(?!\p{L})"
)

_BANGLA_STEM = fold("হ্যালুসিনে")
_BANGLA = rf"{_BANGLA_STEM}[\p{{L}}\p{{M}}]*"
_DENIED_BANGLA = regex.compile(rf"{_BANGLA}\s+{any_of('নয়', 'নেই', 'না')}\s*(?:[।.,;!]|$)")
_STATED_BANGLA = regex.compile(
    _words("এটি", "এটা", "উত্তরটি", "সারাংশটি", "এই উত্তর", "এই সারাংশ")
    + rf"\s+(?:{fold('একটি')}\s+)?{_BANGLA}\s*(?:[।.!]|$)"
    rf"|{_BANGLA}\s+{any_of('আছে', 'রয়েছে')}\s*(?:[।.!]|$)|^\W*{fold('হ্যালুসিনেটেড')}\W*$"
)
_OPEN_BANGLA = regex.compile(
    r"\?|" + _words("কিনা", "কি না", "যদি", "হয়তো", "সম্ভবত", "মনে হয়", "হতে পারে")
)
_NEGATION_BANGLA = regex.compile(_words("নয়", "নেই", "না", "নি"))

_DOUBT = regex.compile(
    r"(?<!\p{L})(?:not (?:sure|certain)|unsure|uncertain|maybe|perhaps|possibly"
    r"|(?:do not|don't) know|i (?:can't|cannot|can not|couldn't) "
    r"(?:tell|say|determine|know|be (?:sure|certain)))(?!\p{L})"
    rf"|{any_of('জানি না', 'নিশ্চিত ন', 'হয়তো')}"
)
_GREETING = regex.compile(
    r"\W*(?:i (?:can|will|would|shall|understand|am ready)|i'(?:ll|d|m ready)|please provide)"
    r"(?!\p{L})"
    rf"|\W*{_words('আমি')}[^।\n]*{any_of('পারি', 'পারব', 'করব', 'প্রস্তুত')}"
)
_JUDGING = r"(?:\w+ly )?" + one_word_of(
    "determine tell say verify decide judge know confirm be find"
)
_REFUSAL = regex.compile(
    r"(?:^|[.!,\n])\W*(?:(?:i'm |i am |we're )?(?:so |very |really )?(?:sorry|apologi[sz]e)"
    r"|i apologi[sz]e|my apologies)(?!\p{L})"
    r"|(?<!\p{L})as an ai(?!\p{L})"
    rf"|(?<!\p{{L}})i(?:'m| am) (?:unable|not able|not allowed|not comfortable)(?! to {_JUDGING})"
    rf"|(?<!\p{{L}})i (?:can't|cannot|can not|won't|will not|must decline|decline)"
    rf"(?!\p{{L}})(?! {_JUDGING})"
    rf"|{any_of('দুঃখিত', 'ক্ষমা করবেন', 'সাহায্য করতে পারব না', 'সাহায্য করতে পারছি না')}"
)


def mentions_hallucination(text: str) -> bool:
    """Whether the word is there in any form, in English or Bangla."""
    return "hallucinat" in text or _BANGLA_STEM in text


def says_of_hallucination(text: str) -> Literal["yes", "no", ""]:
    """What a line says in so many words, `it is (not) hallucinated`; empty if it leaves it open."""
    if not mentions_hallucination(text):
        return ""
    if len(_MENTIONED.findall(text)) == 1 and not _OPEN.search(text):
        negations = len(_NEGATION.findall(text))
        if negations == 1 and _DENIED.search(text):
            return "no"
        if not negations and _STATED.search(text):
            return "yes"
    elif not _OPEN_BANGLA.search(text):
        if _DENIED_BANGLA.search(text):
            return "no"
        if _STATED_BANGLA.search(text) and not _NEGATION_BANGLA.search(text):
            return "yes"
    return ""


def doubts(rest: str) -> bool:
    """Whether what follows a verdict takes its certainty away."""
    return bool(_DOUBT.search(rest[:80]))


def greets(rest: str) -> bool:
    """Whether what follows `yes` accepts the task and judges nothing: `Yes, I can do that`."""
    return bool(_GREETING.match(rest))


def refuses(text: str) -> bool:
    """Whether a reply declines to judge."""
    return bool(_REFUSAL.search(text[:400]))
