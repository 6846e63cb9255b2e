"""Make multiple-choice questions unanswerable, without a trace on their surface.

The right option gives way to one that is wrong in another question of the same subject. It is like
the one it replaces in style, in length or magnitude, and in its rank among the others, so that
neither a repeated option nor the odd one out tells which questions these are.
"""

from __future__ import annotations

import random
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import regex

from banglahallueval.abstention.choices import LETTERS, replace_option, stem_of
from banglahallueval.abstention.options import Option, analyse, content_of, refers
from banglahallueval.abstention.types import Question
from banglahallueval.errors import UsageError
from banglahallueval.text.lazy_regex import lazy_regex

_LAST_SENTENCE = lazy_regex(r"(?:.*[.!?।]\s)?(?P<last>.+)", regex.S)
_LOUD = lazy_regex(r"\b(?:NOT|EXCEPT|LEAST|MOST|BEST|FALSE|INCORRECT|NEVER)\b")
# Asks for what is not so, or what is so to a higher degree than with the other options: without the
# right option, another one may be right.
_RELATIVE = lazy_regex(
    unicodedata.normalize(
        "NFC",
        r"\b(?:not|except|exception|incorrect(?:ly)?|false|untrue|never|cannot|neither|nor"
        r"|unlike(?:ly)?|without|other than|\w+n['’]t|most(?:ly)?|least|more|less|fewer|fewest"
        r"|better|best|worse|worst|larg(?:er|est)|bigg(?:er|est)|small(?:er|est)|great(?:er|est)"
        r"|high(?:er|est)|low(?:er|est)|long(?:er|est)|short(?:er|est)|old(?:er|est)|young(?:er|est)"
        r"|earl(?:ier|iest)|latest|fast(?:er|est)|slow(?:er|est)|clos(?:er|est)|near(?:er|est)"
        r"|strong(?:er|est)|weak(?:er|est)|heav(?:ier|iest)|light(?:er|est)|hott(?:er|est)"
        r"|cold(?:er|est)|deepest|first|last|primar(?:y|ily)|main(?:ly)?|major|usual(?:ly)?"
        r"|typical(?:ly)?|approximate(?:ly)?)\b"
        r"|(?<![\p{L}\p{M}])(?:নয়|নেই|না|নি|ছাড়া|ব্যতীত|বাদে|ভুল|মিথ্যা|অসত্য|সবচেয়ে|সর্বাধিক|সর্বোচ্চ"
        r"|সর্বনিম্ন|বেশি|কম|প্রথম|শেষ|প্রধান|প্রায়)(?![\p{L}\p{M}])",
    ),
    regex.I,
)
# Of the options that fit, one is drawn from the likest to the others of those nearest in length.
_NEAREST = 12
_LIKEST = 3
_MOST_FROM_ELSEWHERE = 1000  # options of other subjects that are looked at for one question
# How far an option may be from the one it replaces, in length or magnitude, where no other option
# bounds it.
_MOST_TIMES = 1.5
# Numbers this near each other may both be right.
_SAME_VALUE = 0.05


@dataclass(frozen=True, slots=True)
class Mixed:
    """Questions, some of which cannot be answered.

    Attributes:
        questions: All of them, in their order.
        wanted: Number of questions that were to be made unanswerable.
        made: Number that could be.
        unlike: Number of these that differ from the others by more than the missing answer.
    """

    questions: list[Question]
    wanted: int
    made: int
    unlike: int = 0

    def report(self, unlike: str) -> None:
        """Say so where fewer questions could be made unanswerable than were wanted, or as well.

        Args:
            unlike: What those do that differ from the others, as in "show another passage".

        Raises:
            UsageError: If none could be.
        """
        if self.wanted and not self.made:
            raise UsageError(
                f"--idk-frac: of {self.wanted} questions to be made unanswerable, none could be, "
                "for lack of something that fits and is no answer; take more questions"
            )
        if self.made < self.wanted:
            print(
                f"Note: of {self.wanted} questions to be made unanswerable, {self.made} could be; "
                "the others stay answerable, for lack of something that fits and is no answer"
            )
        if self.unlike:
            print(f"Note: of {self.made} unanswerable questions, {self.unlike} {unlike}")


def count_unanswerable(n: int, frac: float) -> int:
    """Compute how many of n questions are to be made unanswerable.

    Raises:
        UsageError: If the fraction lies outside [0, 1], or comes to no question and is not 0.
    """
    if not 0 <= frac <= 1:  # neither is nan
        raise UsageError(f"--idk-frac {frac:g}: a fraction lies in [0, 1]")
    if frac and not round(frac * n):
        raise UsageError(f"--idk-frac {frac:g} of {n} questions is none; raise it, or take more")
    return round(frac * n)


def make_unanswerable(
    questions: Sequence[Question],
    frac: float,
    seed: int,
    donors: Sequence[Question] | None = None,
) -> Mixed:
    """Take the right option from some multiple-choice questions, and put a wrong one in its place.

    Left as they are: questions without options, those that ask what is not so or what is most so,
    and those with options that refer to others ("all of the above") or exhaust what there is ("yes"
    and "no"). Whether the borrowed option is wrong is a matter of rules, not of knowledge: it
    shares no content word with the question and its right option, nor do their options with each
    other, and a number differs by more than 5%. Only where too few find one that is like theirs,
    others get one of another style, length or subject.

    Args:
        questions: The questions.
        frac: Fraction of them to make unanswerable, in [0, 1]; the number is rounded.
        seed: Equal seeds make equal choices.
        donors: Questions to borrow options from; None for the questions themselves.

    Raises:
        UsageError: As `count_unanswerable`.
    """
    wanted = count_unanswerable(len(questions), frac)
    mixed, made = list(questions), {"like": 0, "unlike": 0}
    if not wanted:
        return Mixed(mixed, wanted, 0)
    rng = random.Random(seed)
    pool = _Pool(questions if donors is None else donors)
    order = rng.sample(range(len(mixed)), len(mixed))
    for kind, borrow in (("like", pool.borrow), ("unlike", pool.borrow_unlike)):
        for place in order:
            if sum(made.values()) == wanted:
                break
            borrowed = borrow(mixed[place], rng)
            if borrowed is not None:
                gold_at = LETTERS.index(mixed[place].gold)
                changed = replace_option(mixed[place], gold_at, borrowed.text)
                mixed[place] = replace(changed, gold="", unknown_ok=True)
                made[kind] += 1
    return Mixed(mixed, wanted, sum(made.values()), made["unlike"])


def is_convertible(question: Question) -> bool:
    """Whether none of a question's options is right without the one that is."""
    options = question.options
    if len(options) < 2 or question.gold not in LETTERS[: len(options)] or not question.gold:
        return False
    if any(map(refers, options)) or len({analyse(each).normal for each in options}) < len(options):
        return False
    stem = unicodedata.normalize("NFC", stem_of(question))
    asked = _LAST_SENTENCE.fullmatch(stem)
    return not (_LOUD.search(stem) or (asked and _RELATIVE.search(asked["last"])))


class _Lent(NamedTuple):
    """A wrong option, with the content words of it and the options beside it."""

    option: Option
    content: frozenset[str]


class _Pool:
    """The wrong options of questions, by subject and kind."""

    def __init__(self, donors: Sequence[Question]) -> None:
        self._options: dict[tuple[str, str], list[_Lent]] = defaultdict(list)
        for question in filter(is_convertible, donors):
            options = [analyse(each) for each in question.options]
            content = frozenset[str]().union(*(each.content for each in options))
            asked = content_of(stem_of(question))
            gold = LETTERS.index(question.gold)
            for option in options[:gold] + options[gold + 1 :]:
                # One that echoes its own question would stand out in another.
                if option.value is not None or option.content.isdisjoint(asked):
                    self._options[question.subject, option.kind].append(_Lent(option, content))

    def borrow(self, question: Question, rng: random.Random) -> Option | None:
        """Draw an option that fits in the place of a question's gold; None where none does."""
        if not is_convertible(question):
            return None
        gold, others = _parted(question)
        rank = _rank(gold, others)
        alike = (
            lent
            for lent in self._options[question.subject, gold.kind]
            if _rank(lent.option, others) == rank and _is_near(lent.option, gold)
        )
        return _draw(_wrong(alike, question), gold, others, rng)

    def borrow_unlike(self, question: Question, rng: random.Random) -> Option | None:
        """Draw a wrong option that may be told from the others; None where there is none.

        One of the same subject is preferred. Numbers keep their unit, by which they are compared.
        """
        if not is_convertible(question):
            return None
        gold, others = _parted(question)
        near: list[_Lent] = []
        far: list[_Lent] = []
        for (subject, kind), options in self._options.items():
            if gold.value is None or kind == gold.kind:
                (near if subject == question.subject else far).extend(options)
        far.sort(key=lambda lent: (lent.option.text, sorted(lent.content)))
        for lent in (near, rng.sample(far, min(_MOST_FROM_ELSEWHERE, len(far)))):
            # Signs without words, such as formulas, may be one in two spellings.
            told = (each for each in lent if each.option.content or gold.value is not None)
            found = _draw(_wrong(told, question), gold, others, rng)
            if found is not None:
                return found
        return None


def _parted(question: Question) -> tuple[Option, list[Option]]:
    """Analyse a question's options: the right one, and the others."""
    others = [analyse(each) for each in question.options]
    return others.pop(LETTERS.index(question.gold)), others


def _wrong(lent: Iterable[_Lent], question: Question) -> Iterator[Option]:
    """Yield the options that are surely no answer to a question, and not there yet."""
    own = [analyse(each) for each in question.options]
    is_number = analyse(question.options[LETTERS.index(question.gold)]).value is not None
    contents = frozenset[str]().union(*(each.content for each in own))
    asked = content_of(stem_of(question)) | contents
    normals = {each.normal for each in own}
    for option, beside in lent:
        if option.normal in normals or (option.value is not None) != is_number:
            continue
        if any(_is_same_number(option, each) for each in own):
            continue
        # Questions whose options share words may ask for the same; those with numbers do.
        if is_number or (contents.isdisjoint(beside) and asked.isdisjoint(option.content)):
            yield option


def _draw(
    fits: Iterator[Option], gold: Option, others: Sequence[Option], rng: random.Random
) -> Option | None:
    """Draw one of the likest of those nearest in length; None where there are none."""
    near = sorted(fits, key=lambda each: (abs(len(each.text) - len(gold.text)), each.text))
    likest = sorted(near[:_NEAREST], key=lambda each: -_likeness(each, others))[:_LIKEST]
    return rng.choice(likest) if likest else None


def _rank(option: Option, others: Sequence[Option]) -> tuple[int, int]:
    """Tell where an option stands among others: a number's rank, whether a text is an extreme.

    Options that are numbers often ascend, and still have to.
    """
    if option.value is None:
        lengths = [len(each.text) for each in others]
        return len(option.text) > max(lengths), len(option.text) < min(lengths)
    values = [each.value for each in others if each.value is not None]
    return sum(each < option.value for each in values), sum(each > option.value for each in values)


def _likeness(option: Option, others: Sequence[Option]) -> float:
    """Compute how much of its letters in threes an option shares with the others, on average."""
    return sum(
        len(option.trigrams & each.trigrams) / len(option.trigrams | each.trigrams)
        for each in others
    ) / len(others)


def _is_near(option: Option, gold: Option) -> bool:
    if option.value is None or gold.value is None:
        low, high = sorted((len(option.text), len(gold.text)))
        return low * _MOST_TIMES >= high
    least, most = sorted((abs(option.value), abs(gold.value)))
    return least * _MOST_TIMES >= most and (option.value < 0) == (gold.value < 0)


def _is_same_number(option: Option, other: Option) -> bool:
    if option.value is None or other.value is None:
        return False
    return abs(option.value - other.value) <= _SAME_VALUE * max(abs(option.value), abs(other.value))
