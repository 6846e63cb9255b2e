"""What sentences say of hallucination in so many words.

All texts are folded ones, without marks of emphasis.
"""

from __future__ import annotations

from typing import Final

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import LETTER, Polarity, any_of, fold, whole_word_of

_STEM: Final = fold("হ্যালুসিনে")
_MENTIONED = lazy_regex(
    rf"(?<!{LETTER})(?:hallucinat(?:ed|ions?)(?!\p{{L}})|{_STEM}[\p{{L}}\p{{M}}]*+)"
)
_ADJECTIVES: Final = frozenset(("hallucinated", fold("হ্যালুসিনেটেড")))
_CLAUSE_END = lazy_regex(
    rf"[,;()–—।]++|\s-\s|(?<!{LETTER})(?:because|since|but|as(?!\s(?:an?\s)?(?:not\s|non-)?hallucinat)|and(?=\s(?:is|are|it|this|the|contains)\s)|"
    + any_of("কারণ", "যেহেতু", "karon")
    + rf")(?!{LETTER})"
)
_CLASSIFY: Final = "(?:classify|label|call|consider|judge|rate|mark|say)"
# With one of these in the sentence, what it says of hallucination may not be its verdict.
_OPEN = lazy_regex(
    r"\?|"
    + whole_word_of(
        "if whether may might could maybe possibly perhaps likely probably unclear unsure "
        "sure cannot can't unless partially partly think seem seems appear appears nothing mean "
        "means said says false wrong hardly first second third part parts some "
        "otherwise else assuming suppose "
        "কিনা যদি হয়তো সম্ভবত হলে হতো কিছু অংশ jodi hole hoyto"
    )
    + f"|{any_of('কি না', 'মনে হয়', 'হতে পারে', 'ki na', 'mone hoy')}"
    + rf"|(?<!\p{{L}})would(?!\p{{L}})(?! (?:not )?{_CLASSIFY})"
)
_NOT = lazy_regex(whole_word_of("not no non never neither nor without none free absent") + "|n't")
_NOT_BANGLA = (
    rf"(?:{whole_word_of('নয় নেই না নি নন noy noi na nei ni nai')}"
    rf"|[\p{{L}}\p{{M}}]{{1,20}}{fold('নি')}(?!{LETTER}))"
)
_SAYS_NOT = lazy_regex(_NOT_BANGLA)
_NOT_BEFORE = lazy_regex(
    rf"(?:(?<!{LETTER})(?:not|no|non|without|free (?:of|from))|n't)[\s-]++"
    rf"(?:{_CLASSIFY}\s++(?:\w++\s++){{0,4}}|(?:\w++\s++){{0,2}})$"
)
_NOT_AFTER = lazy_regex(
    rf"(?:\s++[\p{{L}}\p{{M}}]++){{0,2}}?\s++{_NOT_BANGLA}|-free(?!\p{{L}})"
    r"|\s++(?:is|are|was|were) (?:not|absent)(?!\p{L})"
)
_IS_BEFORE = lazy_regex(
    r"(?:(?<!\p{L})(?:is|are|was|be|been|contains?|includes?|has|as)|'s)\s++"
    r"(?:(?:an?|some|considered|indeed|\p{L}{2,20}ly)\s++){0,3}$"
)
_SUBJECT_BEFORE = lazy_regex(
    whole_word_of("এটি এটা উত্তরটি উত্তরটা উত্তর সারাংশটি সারাংশ eta eti uttorti uttorta uttor")
    + rf"\s++(?:{any_of('একটি', 'একটা', 'ekta', 'ekti')}\s++)?$"
)
_LABEL_BEFORE = lazy_regex(r"(?:verdict|label|answer|decision|conclusion|result)\W*+:\W*+$")
_NOTHING_BEFORE = lazy_regex(r"(?:.*:)?\W*+")
_NOTHING_AFTER = lazy_regex(r"\W*+")
_THERE_IS_AFTER = lazy_regex(
    rf"\s++(?:{any_of('আছে', 'রয়েছে', 'হয়েছে', 'ঘটেছে', 'ache', 'achhe')}"
    r"|(?:(?:is|are|was|were) )?(?:present|detected|found))\W*+"
)
_OR_NOT = lazy_regex(rf"(?<!\p{{L}})or not(?!\p{{L}})|{any_of('কি না', 'কি নয়', 'কিনা', 'ki na')}")


def mentions_hallucination(text: str) -> bool:
    """Whether the word is there in any form, in English or Bangla."""
    return "hallucinat" in text or _STEM in text


def asks_of_hallucination(question: str) -> bool:
    """Whether yes to a question says that it is hallucinated."""
    if not mentions_hallucination(question):
        return False
    question = _OR_NOT.sub(" ", question)
    return not _NOT.search(question) and not _SAYS_NOT.search(question)


def says_of_hallucination(text: str) -> Polarity:
    """Read what a sentence says outright, `it is (not) hallucinated`; empty if left open."""
    if not mentions_hallucination(text) or _OPEN.search(text):
        return ""
    clauses = (clause for clause in _CLAUSE_END.split(text) if mentions_hallucination(clause))
    said = {_of_clause(clause) for clause in clauses}
    return said.pop() if len(said) == 1 else ""


def _of_clause(clause: str) -> Polarity:
    mentions = list(_MENTIONED.finditer(clause))
    if len(mentions) != 1:
        return ""
    before, after = clause[: mentions[0].start()], clause[mentions[0].end() :]
    negations = len(_NOT.findall(clause)) + len(_SAYS_NOT.findall(after))
    if negations:
        denied = negations == 1 and (_NOT_BEFORE.search(before) or _NOT_AFTER.match(after))
        return "no" if denied else ""
    if _IS_BEFORE.search(before) or _THERE_IS_AFTER.fullmatch(after):
        return "yes"
    if not _NOTHING_AFTER.fullmatch(after):
        return ""
    # A noun says it of a subject or after a label; an adjective says it alone.
    stated = _SUBJECT_BEFORE.search(before) or _LABEL_BEFORE.search(before)
    adjective = mentions[0][0] in _ADJECTIVES and _NOTHING_BEFORE.fullmatch(before)
    return "yes" if stated or adjective else ""
