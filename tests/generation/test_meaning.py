"""Two outputs that say the same are told, and only those."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.generation.checks import Candidate, Failure, worth
from banglahallueval.generation.meaning import same_as_gold, say_the_same
from banglahallueval.tasks import Item, TaskName

CONTEXT = "রবি ও মধু কলকাতায় জন্মান।"


def item(gold: str, question: str = "কে জন্মান?", task: TaskName = "qa") -> Item:
    return Item(task, question, CONTEXT, gold)


@pytest.mark.parametrize(
    ("question", "gold", "text"),
    [
        ("কে জন্মান?", "রবি ও মধু", "মধু ও রবি"),
        ("কয়টি ঘর?", "৫", "পাঁচটি"),
        ("কয়টি ঘর?", "৫", "পাঁচটি ঘর ছিল।"),
        ("নদীর নাম কী?", "যমুনা", "নদীটির নাম হলো যমুনা।"),
        ("নদীর নাম কী?", "নদীটির নাম হলো যমুনা।", "যমুনা"),
        ("চা না কফি?", "চা", "চা।"),
    ],
)
def test_a_paraphrase_of_gold_is_the_same(question: str, gold: str, text: str) -> None:
    """Order, copulas, number words and the question's words with other endings do not matter."""
    assert same_as_gold(item(gold, question), text)


@pytest.mark.parametrize(
    ("question", "gold", "text"),
    [
        ("কে জন্মান?", "রবি ও মধু", "রবি"),
        ("কয়টি ঘর?", "৫", "ছয়টি"),
        ("নদীর নাম কী?", "যমুনা", "নদীটির নাম হলো পদ্মা।"),
        ("চা না কফি?", "চা", "কফি"),
        ("চা না কফি?", "চা", "চা নয়, কফি"),
    ],
)
def test_another_answer_is_not_the_same(question: str, gold: str, text: str) -> None:
    """Also where all its words are the question's."""
    assert not same_as_gold(item(gold, question), text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Podmar kache", "Padmar kachhe", True),
        ("Rofikul Islam", "Sofikul Islam", False),
        ("1951 sale", "1915 sale", False),
    ],
)
def test_spelling_of_romanised_words_does_not_matter(one: str, other: str, *, same: bool) -> None:
    """One word in two spellings is one word; another name or number is another."""
    assert say_the_same(item("", "Kothay?", "codemix"), one, other) is same


@given(
    st.lists(st.sampled_from(["নদী", "পাহাড়", "সাগর", "৫", "১২", "বন"]), min_size=1, max_size=6),
    st.integers(),
)
def test_summaries_are_compared_whatever_their_order(words: list[str], seed: int) -> None:
    """The same words in another order are the same; one more word is not."""
    summary = item(" ".join(words), "", "summarization")
    mixed = random.Random(seed).sample(words, len(words))
    assert same_as_gold(summary, " । ".join(mixed))
    assert not same_as_gold(summary, " ".join([*mixed, "মাঠ"]))


FORM = [Failure(name, "") for name in ("too long", "closing mark", "marker", "cut off")]


@given(st.lists(st.sampled_from(FORM), max_size=4), st.lists(st.sampled_from(FORM), max_size=4))
def test_what_spoils_the_label_outranks_every_fault_of_form(
    few: list[Failure], many: list[Failure]
) -> None:
    """Whatever else fails: right answers last, then repeated ones, then the others."""
    text = Candidate("খুলনায়")
    repeated = [Failure("same as a sibling", ""), *few]
    for name in ("same as gold", "supported by the context", "final answer unchanged", "no slip"):
        spoilt = [Failure(name, ""), *few]
        assert worth(text, many) < worth(text, repeated) < worth(text, spoilt)
    assert worth(text, many) < worth(Candidate(""), [Failure("empty", "")])
