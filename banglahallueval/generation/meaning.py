"""Whether two outputs for one source say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from banglahallueval.tasks import TASKS, Item
from banglahallueval.text import phonetic
from banglahallueval.text.normalise import words_for_matching
from banglahallueval.text.number_words import read_number_words

# Words that make a sentence of an answer and say nothing of their own.
_COPULAS = frozenset(
    phonetic.fold(word).key
    for word in (
        *("হল", "হলো", "হয়", "হয়েছে", "হয়েছিল", "হন", "ছিল", "ছিলেন", "আছে", "আছেন"),
        *("এটি", "এটা", "সেটি", "তিনি", "নাম", "উত্তর"),
    )
)
_SHORTEST_KEY = 3  # letters; romanised words with shorter keys are often others


def same_as_gold(item: Item, text: str) -> bool:
    """Whether an output is gold again, or a paraphrase of it in the question's words."""
    return say_the_same(item, text, item.output)


def say_the_same(item: Item, one: str, other: str) -> bool:
    """Whether two outputs say the same, as far as words alone tell.

    The same words do, whatever their punctuation, digits and Unicode form; in summaries in any
    order. Two answers do, too, that differ by words of the question, copulas, endings, the order of
    words, numbers in words or digits and, in romanised Bangla, spelling.

    Args:
        item: Their source.
        one: An output.
        other: Another.
    """
    ours, theirs = words_for_matching(one), words_for_matching(other)
    if ours == theirs:
        return True
    task = TASKS[item.task]
    if task.is_chain:
        return False
    if not task.has_answers:
        return Counter(ours) == Counter(theirs)
    asked = words_for_matching(item.question)
    answer = _without(theirs, asked)
    if answer:
        ours, theirs = _without(ours, asked), answer
    else:  # the question offers the answer, as in "tea or coffee?"
        ours = _without(ours, _without(asked, theirs))
    ours, theirs = _telling(ours), _telling(theirs)
    return len(ours) == len(theirs) and _match(item, ours, theirs)


def _without(words: Sequence[str], dropped: Sequence[str]) -> list[str]:
    return [word for word in words if not any(_same_stem(word, other) for other in dropped)]


def _telling(words: Sequence[str]) -> list[str]:
    """Drop copulas, unless nothing else is there, and write numbers with digits."""
    left = [word for word in words if phonetic.fold(word).key not in _COPULAS] or list(words)
    numbers = [read_number_words(word) for word in left]
    return [
        word if number is None or number.denominator > 1 else str(number.numerator)
        for word, number in zip(left, numbers, strict=True)
    ]


def _match(item: Item, ours: Sequence[str], theirs: Sequence[str]) -> bool:
    left = list(theirs)
    for word in ours:
        at = next((i for i, each in enumerate(left) if _same_word(item, word, each)), None)
        if at is None:
            return False
        del left[at]
    return True


def _same_word(item: Item, one: str, other: str) -> bool:
    if _inflected(one, other):
        return True
    if not TASKS[item.task].is_romanised or not (one.isalpha() and other.isalpha()):
        return False
    key = phonetic.fold(one).key
    return len(key) >= _SHORTEST_KEY and key == phonetic.fold(other).key


def _same_stem(one: str, other: str) -> bool:
    """Whether two words are one with other endings, as নদীর and নদীটির are."""
    stems = set(phonetic.fold(one).stems) & set(phonetic.fold(other).stems)
    return one == other or any(len(stem) >= _SHORTEST_KEY for stem in stems)


def _inflected(one: str, other: str) -> bool:
    """Whether two words differ by no more than an ending, as ১১০ and ১১০টি do."""
    short, long = sorted((one, other), key=len)
    if not long.startswith(short) or long[len(short) : len(short) + 1].isdecimal():
        return False
    return len(long) - len(short) <= min(3, len(short))
