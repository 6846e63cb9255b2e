"""Words behind a yes or no that leave nothing of it: refusals, doubt, a greeting.

All texts are folded ones, without marks of emphasis.
"""

from __future__ import annotations

from typing import Final

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import any_of, one_word_of, whole_word_of

_DOUBT = lazy_regex(
    r"(?<!\p{L})(?:not (?:sure|certain)|unsure|uncertain|maybe|perhaps|possibly|no idea"
    r"|(?:do not|don't) know|i (?:can't|cannot|can not|couldn't) "
    r"(?:tell|say|determine|know|be (?:sure|certain)))(?!\p{L})"
    rf"|{any_of('জানি না', 'নিশ্চিত ন', 'হয়তো', 'jani na', 'nishchit n', 'hoyto')}"
)
_LIMIT = lazy_regex(whole_word_of("but however except although though কিন্তু তবে kintu tobe"))
_GREETING = lazy_regex(
    r"\W*+(?:i (?:can|will|would|shall|understand|am ready)|i'(?:ll|d|m ready)|please provide)"
    r"(?!\p{L})"
    rf"|\W*+{whole_word_of('আমি ami')}[^।\n]{{0,80}}"
    + any_of("পারি", "পারব", "করব", "প্রস্তুত", "parbo", "korbo")
)

_JUDGE: Final = "determine tell say verify decide judge know confirm"
_SEE: Final = "find see detect identify spot notice call"
_JUDGING = rf"(?:\w+ly )?{one_word_of(f'{_JUDGE} {_SEE} be')}"
_REFUSAL = lazy_regex(
    r"(?:^|[.!,\n])\W*+(?:(?:i'm |i am |we're )?(?:so |very |really )?(?:sorry|apologi[sz]e)"
    r"|i apologi[sz]e|my apologies)(?!\p{L})"
    r"|(?<!\p{L})as an (?:ai|llm)(?!\p{L})"
    rf"|(?<!\p{{L}})i(?:'m| am) (?:unable|not able|not allowed|not comfortable)(?! to {_JUDGING})"
    rf"|(?<!\p{{L}})i (?:can't|cannot|can not|won't|will not|must decline|decline|refuse)"
    rf"(?!\p{{L}})(?! {_JUDGING})"
    rf"|{any_of('দুঃখিত', 'ক্ষমা করবেন', 'সাহায্য করতে পারব না', 'সাহায্য করতে পারছি না')}"
    r"|dukkhito"
)

_ACT = rf"(?:\w+ly )?{one_word_of(f'{_JUDGE} evaluate assess answer help assist check conclude')}"
_EVIDENCE = "(?:information|info|context|evidence|data|details|proof)"
# What a `no` goes on with that answers the request and not the question.
_DECLINED = lazy_regex(
    # I cannot verify that; I don't have access; I'd rather not
    rf"(?<!\p{{L}})i(?:'m| am)? (?:can't|cannot|can not|could not|couldn't|won't|will not|do not"
    rf"|don't|unable to|not able to)(?: \w+ly)? "
    rf"(?:{_ACT}|do|comply|provide|make (?:that|this|a)|have (?:\w+ ){{0,2}}(?:access|{_EVIDENCE}))"
    r"(?!\p{L})"
    r"|(?<!\p{L})i(?:'d rather not| would rather not| prefer not| need (?:more|the|additional))"
    rf"|(?:impossible|not possible|can(?:no|')t|cannot) (?:to |be )?{_ACT}|something i can "
    # not enough information; no context given; it is unclear
    rf"|(?:not|n't|without) (?:\w+ )?(?:enough|sufficient|adequate) (?:\w+ )?{_EVIDENCE}"
    rf"|(?<!\p{{L}})insufficient {_EVIDENCE}|{_EVIDENCE} (?:is|was|are) (?:missing|insufficient)"
    r"|(?:no|without(?: any| the)?) (?:context|passage|document)(?: \w+)?(?: given| provided|\W*+$)"
    r"|(?<!\p{L})unclear(?!\p{L})|violates (?:\w+ ){0,2}(?:policy|policies|guidelines|terms)"
    r"|"
    + one_word_of("যথেষ্ট পর্যাপ্ত jothesto")
    + r" [\p{L}\p{M}]{2,12} "
    + any_of("নেই", "না", "ছাড়া", "nei", "nai", "na")
    + rf"|{any_of('তথ্য অপর্যাপ্ত', 'তথ্য যথেষ্ট নয়', 'তথ্য পর্যাপ্ত নয়', 'কাছে তথ্য নেই')}"
    + "|"
    + one_word_of("বলতে করতে নিতে দিতে হতে bolte korte dite nite")
    + " "
    + any_of("পার", "অক্ষম", "অপারগ", "সক্ষম ন", "রাজি ন", "চাই না", "par", "chai na")
    + "|"
    + any_of("বলা", "বিচার করা", "যাচাই করা", "নির্ধারণ করা", "নিশ্চিত করা", "মূল্যায়ন করা", "bola", "kora")
    + " "
    + any_of(*("যায় না", "যাচ্ছে না", "সম্ভব ন", "সম্ভব না", "সম্ভব হচ্ছে না", "কঠিন", "jay na", "jacche na"))
)


def doubts(rest: str) -> bool:
    """Whether what follows a verdict takes its certainty away."""
    return bool(_DOUBT.search(rest[:80]))


def greets(rest: str) -> bool:
    """Whether what follows `yes` accepts the task and judges nothing: `Yes, I can do that`."""
    return bool(_GREETING.match(rest))


def limits(rest: str) -> bool:
    """Whether what follows `no error` leaves room for one elsewhere."""
    return bool(_LIMIT.search(rest))


def refuses(text: str) -> bool:
    """Whether a reply declines to judge."""
    return bool(_REFUSAL.search(text[:400]))


def declines(rest: str) -> bool:
    """Whether what follows `no` declines to judge, so that the no was said to the request."""
    return refuses(rest) or bool(_DECLINED.search(rest[:200]))
