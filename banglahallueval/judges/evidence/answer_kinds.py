"""Which words of a context are of one kind with others, or of that asked for: what lists can tell.

For what an explanation names, and for nothing that is weighed: a place that is no place, or a date
in answer to "where", would mislead whoever reads it. What no list knows is of no kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal
from unicodedata import normalize

import regex

from banglahallueval.judges.evidence.answer_location import AnswerLocation
from banglahallueval.judges.evidence.derived_numbers import unit_of
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex
from banglahallueval.judges.evidence.lexicon import WordSet
from banglahallueval.judges.evidence.questions import Question
from banglahallueval.judges.evidence.thesaurus import exclude
from banglahallueval.judges.evidence.token_types import Token, is_number, is_year
from banglahallueval.judges.evidence.word_analysis import CLOCK, Word

Kind = Literal["time", "number", "person", "place"]

_WORDS_AROUND = 2  # an answer's further words before and after the one that is found
_PERSON_ASKED = WordSet(
    """ব্যক্তি লেখক কবি বিজ্ঞানী রাজা নেতা শিল্পী পরিচালক অভিনেতা খেলোয়াড় প্রতিষ্ঠাতা bekti lekhok
    kobi biggani neta shilpi porichalok obhineta khelowar protishthata"""
)
_TITLE = WordSet(
    """শ্রী শ্রীমতী জনাব রাজা মহারাজা সম্রাট সুলতান নবাব জেনারেল কর্নেল মেজর ক্যাপ্টেন লেফটেন্যান্ট ডক্টর
    স্যার লর্ড অধ্যাপক পণ্ডিত মাওলানা হযরত ইমাম shri raja maharaja sultan nawab general colonel
    captain lieutenant sir lord professor maulana hazrat hojrot imam"""
)
_PERSON = _TITLE | WordSet(
    """শেখ মোহাম্মদ মুহাম্মদ আব্দুল আবদুল সৈয়দ কাজী মীর খান আহমেদ আহমদ হোসেন রহমান চৌধুরী মিয়া বেগম
    খাতুন আলী উদ্দিন দাস সেন বসু মুখোপাধ্যায় চট্টোপাধ্যায় বন্দ্যোপাধ্যায় গঙ্গোপাধ্যায় মুখার্জি চ্যাটার্জি
    ব্যানার্জি ঠাকুর চক্রবর্তী গুপ্ত মজুমদার সিং সিংহ শর্মা কুমার চন্দ্র জর্জ জন উইলিয়াম চার্লস জেমস
    রবার্ট হেনরি ডেভিড মাইকেল টমাস
    sheikh shekh mohammad muhammad mohammed abdul syed soiyod kazi mir khan ahmed hossain hossen
    rahman chowdhury choudhury begum khatun ali uddin das sen bosu bose mukherjee chatterjee
    banerjee mukhopadhyay chattopadhyay bandyopadhyay thakur tagore chakraborty gupta majumdar
    singh sharma kumar chandra george john william charles james robert henry david michael
    thomas"""
)
# What stands before a relative's name, and is none of it.
_RELATIVE = WordSet(
    """বাবা পিতা মা মাতা স্বামী স্ত্রী ভাই বোন পুত্র কন্যা baba pita ma mata swami shami stri bhai bon
    putro konna father mother husband wife"""
)
_PLACE_NOUN = WordSet(
    """দেশ জেলা উপজেলা শহর গ্রাম নগর নগরী রাজ্য প্রদেশ রাজধানী মহাদেশ দ্বীপ নদী সাগর মহাসাগর হ্রদ
    পর্বত পাহাড় বন্দর থানা মহকুমা পৌরসভা desh jela zila upojela shohor sohor gram nogor rajjo
    prodesh rajdhani mohadesh dwip nodi sagor mohasagor hrod pahar bondor thana city country
    district town village river island"""
)
_PLACE = WordSet(
    """ভারত পাকিস্তান নেপাল ভুটান শ্রীলঙ্কা মিয়ানমার চীন জাপান কোরিয়া রাশিয়া আমেরিকা যুক্তরাষ্ট্র
    যুক্তরাজ্য ব্রিটেন ফ্রান্স জার্মানি ইতালি স্পেন পর্তুগাল গ্রিস মিশর তুরস্ক ইরান ইরাক সিরিয়া আরব ব্রাজিল
    কানাডা অস্ট্রেলিয়া আফ্রিকা ইউরোপ এশিয়া ঢাকা কলকাতা দিল্লি মুম্বাই মুম্বই মাদ্রাজ চেন্নাই সিলেট
    রাজশাহী খুলনা বরিশাল কুমিল্লা কুষ্টিয়া যশোর পাবনা বগুড়া লন্ডন প্যারিস নিউইয়র্ক রোম মস্কো বার্লিন বঙ্গ
    বাংলা বিহার আসাম ত্রিপুরা কেরল পাঞ্জাব গুজরাত মহারাষ্ট্র
    india bharat nepal bhutan japan korea russia america britain france germany italy spain greece
    egypt turkey iran iraq syria brazil canada australia africa europe asia dhaka kolkata calcutta
    delhi mumbai bombay madras chennai sylhet rajshahi khulna barisal comilla kushtia jessore
    london paris rome moscow berlin bihar assam tripura kerala punjab gujarat"""
)
_PLACE_ENDING = regex.compile(
    normalize("NFC", "[\\p{L}\\p{M}]{3,}(?:পুর|গঞ্জ|নগর|গ্রাম|স্তান|ল্যান্ড|দেশ)")
    + r"|[a-z]{3,}(?:pur|ganj|gonj|nagar|nogor|stan|land|desh)"
)
_CASE_ENDING = regex.compile(normalize("NFC", "(?:এর|ের|র|কে|তে|য়|ে|er|r|ke|te|y|e)$"))
_RELATIVES = frozenset({"#father", "#mother", "#wife", "#husband"})
_ASKED_BY_WORD: Mapping[str, Kind] = {
    "when": "time", "how_many": "number", "who": "person", "where": "place",
}  # fmt: skip


def asked_kind(question: Question) -> Kind | None:
    """Tell the kind of answer a question asks for; None where nothing establishes it."""
    if question.kind != "what":
        return _ASKED_BY_WORD[question.kind]
    beside = [token.word for token, distance in question.content if distance == 0]
    if question.asks_name and question.relations & _RELATIVES:
        return "person"
    if any(_listed(word, _PERSON_ASKED) for word in beside):
        return "person"
    return "place" if any(_listed(word, _PLACE_NOUN) for word in beside) else None


def named_answer(location: AnswerLocation, own: Collection[int]) -> str:
    """Quote the likeliest answer of the context that is of the kind asked for.

    Args:
        location: Where in the context the answer may stand.
        own: The tokens of the context that the given answer has.

    Returns:
        The answer's words; empty where none is known to be of that kind, or the likeliest is the
        given answer's own.
    """
    kind = asked_kind(location.question)
    if kind is None:
        return ""
    is_of_kind = _TESTS[kind]
    found = [at for at in location.candidates if is_of_kind(location, at)]
    best = max(found, key=location.scores.__getitem__, default=None)
    if best is None:
        return ""
    first, last = _around(location, best, kind)
    if not set(range(first, last + 1)).isdisjoint(own):
        return ""
    tokens = location.evidence.tokens[first : last + 1]
    if all(_listed(token.word, _TITLE) for token in tokens):
        return ""
    return location.evidence.text[tokens[0].start : tokens[-1].end]


def are_alike(evidence: EvidenceIndex, one: int, other: int) -> bool:
    """Tell whether two tokens of an evidence text are of one kind, so that one can be the other.

    Numbers of one unit, months, places, persons' names, opposites, or words with a capital.
    """
    tokens = evidence.tokens
    first, second = tokens[one], tokens[other]
    if first.value is not None:
        units = {unit_of(tokens, at) for at in (one, other)} - {""}
        return is_year(first) or len(units) < 2 or _are_days(tokens, one, other)
    if first.word.month or second.word.month:
        return bool(first.word.month and second.word.month)
    if exclude(first.word.concepts, second.word.concepts):
        return True
    if _listed(second.word, _TITLE):
        return False
    return any(
        all(is_of_kind(evidence, at) for at in (one, other))
        for is_of_kind in (_names_place, _names_person, _is_capitalised)
    )


def is_asked_for(location: AnswerLocation, at: int) -> bool:
    """Tell whether a token is of the kind asked for, or stands beside the relation asked for."""
    kind = asked_kind(location.question)
    return location.relation.get(at, 0.0) > 0 or bool(kind and _TESTS[kind](location, at))


def _are_days(tokens: Sequence[Token], one: int, other: int) -> bool:
    """Whether a month's name follows both numbers."""
    return all(at + 1 < len(tokens) and tokens[at + 1].word.month for at in (one, other))


def _is_capitalised(evidence: EvidenceIndex, at: int) -> bool:
    """Whether a word has a capital that is not a sentence's first."""
    tokens = evidence.tokens
    is_first = not at or tokens[at - 1].sentence != tokens[at].sentence
    return not is_first and evidence.text[tokens[at].start].isupper()


def _names_person(evidence: EvidenceIndex, at: int) -> bool:
    return _listed(evidence.tokens[at].word, _PERSON)


def _around(location: AnswerLocation, best: int, kind: Kind) -> tuple[int, int]:
    """Return the first and last token that could be one answer with a token."""
    first = last = best
    while first > best - _WORDS_AROUND and _continues(location, first - 1, first, kind):
        first -= 1
    while last < best + _WORDS_AROUND and _continues(location, last, last + 1, kind):
        last += 1
    if kind == "number" and last == best and _counts(location, best):
        last += 1
    return first, last


def _continues(location: AnswerLocation, left: int, right: int, kind: Kind) -> bool:
    """Whether two neighbours can be of one answer: both of the kind, with no more than a comma."""
    tokens, text = location.evidence.tokens, location.evidence.text
    if left < 0 or right >= len(tokens) or kind == "number":
        return False
    gap = text[tokens[left].end : tokens[right].start].strip(" ")
    if tokens[left].sentence != tokens[right].sentence or gap not in ("", ","):
        return False
    if kind == "time":
        return all(is_number(tokens[at]) or tokens[at].word.month for at in (left, right))
    if kind == "person":
        pair = [tokens[at] for at in (left, right)]
        is_one_case = len({text[token.start].isupper() for token in pair}) == 1
        return not gap and is_one_case and all(_is_name_like(token) for token in pair)
    return not gap and all(_is_place(location, at) for at in (left, right))


def _counts(location: AnswerLocation, at: int) -> bool:
    tokens, text = location.evidence.tokens, location.evidence.text
    return at + 1 < len(tokens) and not text[tokens[at].end : tokens[at + 1].start].strip(" -")


def _is_time(location: AnswerLocation, at: int) -> bool:
    token = location.evidence.tokens[at]
    return is_year(token) or token.word.month > 0 or token.word is CLOCK


def _is_count(location: AnswerLocation, at: int) -> bool:
    token = location.evidence.tokens[at]
    if location.question.unit is not None:
        return at in location.unit_counts.values()
    return is_number(token) and not is_year(token)


def _is_person(location: AnswerLocation, at: int) -> bool:
    return _is_name_like(location.evidence.tokens[at]) and any(
        _listed(location.evidence.tokens[near].word, _PERSON)
        for near in (at - 1, at, at + 1)
        if near == at or _continues(location, min(at, near), max(at, near), "person")
    )


def _is_place(location: AnswerLocation, at: int) -> bool:
    return _names_place(location.evidence, at)


def _names_place(evidence: EvidenceIndex, at: int) -> bool:
    tokens, text = evidence.tokens, evidence.text
    word = tokens[at].word
    if tokens[at].value is not None or word.month or word.is_stopword:
        return False
    if _listed(word, _PLACE_NOUN):  # says which kind of place the name before it has
        return at > 0 and not text[tokens[at - 1].end : tokens[at].start].strip(" ")
    if _listed(word, _PLACE) or any(map(_PLACE_ENDING.fullmatch, (word.text, _bare(word)))):
        return True
    return (
        at + 1 < len(tokens)
        and word.case == "bare"
        and _listed(tokens[at + 1].word, _PLACE_NOUN)
        and not text[tokens[at].end : tokens[at + 1].start].strip(" ")
    )


def _is_name_like(token: Token) -> bool:
    word = token.word
    is_other = word.is_stopword or word.month or word.is_unit or word.negates
    return token.value is None and not (is_other or _listed(word, _RELATIVE))


def _listed(word: Word, names: WordSet) -> bool:
    return word.text in names or _bare(word) in names


def _bare(word: Word) -> str:
    """Take the ending of a case off."""
    return _CASE_ENDING.sub("", word.text)


_TESTS: Mapping[Kind, Callable[[AnswerLocation, int], bool]] = {
    "time": _is_time, "number": _is_count, "person": _is_person, "place": _is_place,
}  # fmt: skip
