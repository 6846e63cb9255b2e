"""Sentences that find a fault or none without calling the output right or wrong.

They name the fault, `there is an error in step 2`, or put it right, `the context says 1952, not
1971`. Texts are folded ones.
"""

from __future__ import annotations

from typing import Final

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import LETTER, Polarity, any_of, fold, one_word_of

SOURCES: Final = (
    "(?:context|passage|document|text|article|source|question|problem|excerpt|evidence)s?"
)
_OUTPUTS = (
    "(?:answer|summary|response|reply|reasoning chain|reasoning|chain|solution|output|calculations?"
    "|arithmetic|logic|steps?)"
)
_FAULTS = (
    "(?:errors?|mistakes?|contradictions?|inconsistenc(?:y|ies)|discrepanc(?:y|ies)"
    "|inaccurac(?:y|ies)|hallucinations?|fabrications?)"
)
_THERE = r"\W*+(?:(?:so|and|therefore|thus|hence),?\s++)?(?:there\s++(?:is|are|was|were)\s++)"
_IN_OUTPUT = (
    rf"(?:\s++(?:(?:is|are|was|were)\s++)?(?:found|detected|present|made))?+"
    rf"(?:\s++in\s++(?:(?:the|this|its)\s++)?(?:whole |entire |given |model's ){{0,2}}{_OUTPUTS})"
)
_IN_BANGLA = (
    rf"(?:{one_word_of('উত্তরে উত্তরটিতে সারাংশে সারাংশটিতে সমাধানে যুক্তিতে ধাপে ধাপগুলোতে হিসাবে')}\s++)?"
)
_NO_FAULT = lazy_regex(
    rf"{_THERE}?+no\s++{_FAULTS}(?:{_IN_OUTPUT}|\s++(?:found|detected|present))?+\W*+"
    rf"|\W*+{_IN_BANGLA}{any_of('কোনো', 'কোন')}\s++{one_word_of('ভুল ত্রুটি অসঙ্গতি অসংগতি')}\s++"
    rf"{any_of('নেই', 'পাওয়া যায়নি', 'পাইনি')}\W*+"
)
_A_FAULT = lazy_regex(
    rf"{_THERE}(?:an?|one|some|several|two|three)\s++"
    rf"(?:(?:factual|arithmetic|logical|calculation|clear|serious|small|minor)\s++){{0,2}}{_FAULTS}"
    rf"(?:{_IN_OUTPUT}|\W*+$)"
    rf"|\W*+{_IN_BANGLA}{any_of('একটি', 'একটা')}\s++{any_of('ভুল', 'ত্রুটি')}\s++"
    + any_of("আছে", "রয়েছে")
)

# A part of the output. A fault in it is one of the whole; that it is right says nothing.
_PART = (
    rf"\W*+(?:(?:the|its)\s++)?(?:"
    rf"(?:step|claim|line|sentence|statement|{any_of('ধাপ', 'দাবি')})\s++"
    rf"\p{{N}}{{1,3}}(?:'s)?(?!{LETTER})"
    r"(?:\s++(?:calculation|arithmetic|result|claim|sum|total))?"
    r"|(?:date|year|name|place|location|city|country|number|figure|amount|total|sum|calculation"
    r"|arithmetic|claim|detail|last step|final step)(?!\p{L})"
    rf"|{one_word_of('তারিখ তারিখটি সাল সালটি নাম নামটি জায়গাটি স্থানটি সংখ্যাটি')}(?!{LETTER}))"
)
_NAMES_PART = lazy_regex(_PART)
_PART_WRONG = lazy_regex(
    rf"{_PART}\s++(?:(?:is|are|was|were)\s++(?:(?:also|clearly|simply|just)\s++)?"
    + one_word_of(
        "wrong incorrect inaccurate mistaken false invented fabricated unsupported hallucinated "
        "erroneous"
    )
    + r"|(?:is|was)\s++(?:not\s++(?:correct|right|supported)|made up)"
    rf"|{one_word_of('ভুল মনগড়া বানানো')}\W*+$)(?!{LETTER})(?!\s++(?:in|by)\s++the\s++{SOURCES})"
)

_LEAD = (
    r"\W*+(?:(?:because|since|as|actually|in fact|indeed|reason|explanation|কারণ)(?!\p{L})\W*+)?"
    r"(?:the\s++|this\s++|its\s++)?(?:given |provided |source )?"
)
# What stands where the wrong word was: not `not wrong`, `not only`.
_OTHER = (
    r"(?!(?:only|just|merely|even|that|because|necessarily|explicitly|directly|wrong|false)"
    rf"(?!{LETTER})|(?:an?\s++)?(?:hallucinat|invent|fabricat|contradict|error|mistake|incorrect))"
    r"[^\s,;:()।]{1,40}(?:\s++(?!as\s)[^\s,;:()।]{1,40}){0,5}?"
)
_AS_CLAIMED = (
    rf"(?:,?\s++(?:as\s++(?:(?:the|its)\s++)?(?:model's\s++)?(?:(?:{_OUTPUTS}|model|it)\s++)?"
    r"(?:claim|state|say|suggest|assert|give)(?:s|ed|n)?|as\s++(?:said|given))(?:\s++\p{L}{1,12})?)?\W*+$"
)
_NOT = rf"[,;–—-]?\s*+(?:and\s++)?(?:not|instead of|rather than)\s++{_OTHER}{_AS_CLAIMED}"
_FACT_BANGLA = rf"{any_of('সঠিক')}\s++{any_of('উত্তর', 'উত্তরটি', 'তথ্য', 'সাল')}"
_NOT_BANGLA = (
    rf"[,;–—]\s*+(?!{one_word_of('ভুল মনগড়া বানানো মিথ্যা সেটি এটি তা')}(?!{LETTER})|{fold('হ্যালুসিনে')})"
    rf"[^\s,;।]{{1,40}}(?:\s++[^\s,;।]{{1,40}}){{0,2}}?\s++{any_of('নয়', 'না')}\W*+$"
)
_RIGHT_ANSWER = (
    rf"(?:correct|right|actual|true)\s++(?:{_OUTPUTS}|value|result|year|date|name|place|total)"
)
_CORRECTED = lazy_regex(
    rf"{_LEAD}(?:{SOURCES}\s++(?:\p{{L}}{{2,20}}ly\s++)?"
    r"(?:says?|states?|gives?|names?|mentions?|reads?)"
    rf"|{_RIGHT_ANSWER}\s++(?:is|was|should be|would be))(?!\p{{L}})[^,;:।]{{1,120}}?{_NOT}"
    rf"|{_LEAD}(?:{_RIGHT_ANSWER}|answer|value|result|total|sum)\s++should\s++(?:be|have\s++been)\s"
    rf"|{_LEAD}{_FACT_BANGLA}\s++{any_of('হবে', 'হতো', 'হওয়া উচিত')}(?!{LETTER})[^,;]*+$"
    rf"|{_LEAD}(?:{_FACT_BANGLA}"
    rf"|{any_of('প্রসঙ্গে', 'অনুচ্ছেদে', 'নথিতে', 'পাঠে', 'প্রসঙ্গ অনুযায়ী', 'প্রসঙ্গ অনুসারে')})\s"
    rf"[^,;।]{{1,120}}{_NOT_BANGLA}"
)
# 5*3 is 15, not 18: the output gives the second number, unless it is said to give the first.
_NUMBER = r"[^,;:।\p{L}\p{N}]{0,4}(?:\p{L}{1,12}\s++){0,2}\p{N}"
_COUNTED = r"(?:including|counting|only|just|even|more|less|exactly)(?!\p{L})"
_RECKONED = lazy_regex(
    rf"(?!.{{0,60}}(?<!\p{{L}})(?:{_OUTPUTS}|model|it)(?!\p{{L}})|.{{0,60}}{fold('উত্তর')})"
    rf"\W*+[^,;:।]{{1,80}}?(?:(?<!\p{{L}})(?:is|are|was|were|equals|makes|gives)(?!\p{{L}})|="
    rf"|{one_word_of('হলো হল হয় হবে সমান')})"
    rf"{_NUMBER}[^,;:।]{{0,40}}(?:,\s*+(?:and\s++)?not(?!\s++{_COUNTED}){_NUMBER}[^,;:।]{{0,40}}\W*+$"
    rf"|,\s*+\p{{N}}[^\s,;]{{0,20}}\s++{any_of('নয়', 'না')}\W*+$)"
)

_TELLS = lazy_regex(
    # but `not 1971 as the answer says`
    r"(?<!\p{L})(?<!(?<!,)\sas\s(?:the|its)\s(?:model's\s)?)"
    rf"(?:{_OUTPUTS}|model)(?:\s++(?:also|too|itself|correctly))?\s++"
    r"(?:says|states|gives|names|mentions|has)(?!\p{L})"
    rf"|(?:so does|as does|like|matches)\s++(?:the|its)\s++(?:model's\s++)?(?:{_OUTPUTS}|model)"
    rf"|{one_word_of('উত্তরেও উত্তরটিতেও সারাংশেও')}(?!{LETTER})"
)

_FAITHFUL = lazy_regex(
    r"\W*+(?:(?:so|therefore|thus|hence|overall|in conclusion|finally)\W++)?"
    rf"(?:(?:the|this)\s++(?:model's\s++|generated\s++|given\s++)?{_OUTPUTS}\s++is\s++"
    r"|(?:(?:final|my)\s++)?(?:verdict|label|decision|judge?ment|conclusion)(?:\s++is\s++|[^\w:]{0,4}:)\W*+)"
    r"(?:\p{L}{2,20}ly\s++)?(?:(?P<not>not\s++(?:\p{L}{2,20}ly\s++)?|un)?)faithful"
    rf"(?:\s++to\s++(?:the\s++)?(?:given\s++|provided\s++|source\s++)?{SOURCES})?[^\p{{L}}\p{{N}}?]*+"
    rf"|\W*+{one_word_of('উত্তরটি সারাংশটি এটি')}\s++"
    rf"(?:{any_of('প্রসঙ্গের', 'অনুচ্ছেদের', 'নথির')}\s++{any_of('প্রতি')}\s++)?"
    rf"{any_of('বিশ্বস্ত')}(?:\s++(?P<not>{any_of('নয়', 'না')}))?[^\p{{L}}\p{{N}}?]*+"
)


def corrects(text: str) -> bool:
    """Whether a statement puts right what the output says: `the context says X, not Y`."""
    return _CORRECTED.match(text) is not None or _RECKONED.match(text) is not None


def tells_output(text: str) -> bool:
    """Whether a statement tells what the output says, which a correction may then agree with."""
    return _TELLS.search(text) is not None


def names_part(text: str) -> bool:
    """Whether a statement begins with a part of the output: `step 2`, `the date`."""
    return _NAMES_PART.match(text) is not None


def of_faults(clause: str) -> Polarity:
    """Read `there are no errors` as no, `there is one` and `the date is wrong` as yes."""
    if _NO_FAULT.fullmatch(clause):
        return "no"
    return "yes" if _A_FAULT.match(clause) or _PART_WRONG.match(clause) else ""


def says_of_faithfulness(text: str) -> Polarity:
    """Read a sentence that says outright whether the output is faithful: the other of the two."""
    found = _FAITHFUL.fullmatch(text)
    if not found:
        return ""
    return "yes" if found["not"] else "no"
