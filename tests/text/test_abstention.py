"""A text abstains if it says that its writer does not know, and nothing else."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.text import abstention
from banglahallueval.text.abstention import abstains, refuses
from banglahallueval.text.word_grammar import Grammar

TABLE = Path(__file__).with_name("abstention.tsv")


def rows() -> Iterator[tuple[bool, str]]:
    """The rows of the table, with line breaks and hard spaces put back."""
    for line in TABLE.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("# "):
            right, _, text = line.partition("\t")
            yield right == "yes", text.replace("⏎", "\n").replace("⍽", "\u00a0")


ROWS = list(rows())
ABSTAINING = [text for right, text in ROWS if right]
ANSWERS = [
    "ঢাকা",
    "Dhaka",
    "১৯৭১",
    "B",
    "Rabindranath Tagore",
    "maybe Dhaka",
    "সম্ভবত ঢাকা",
    "it is Dhaka",
]
VARIANTS: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "among lines": "\n\n{}\n".format,
    "lines of Windows": lambda text: text.replace("\n", "\r\n"),
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "wide spaces": lambda text: text.replace(" ", "  "),
    "typographic marks": lambda text: text.replace("'", "’"),
    "invisible marks": lambda text: text.replace(" ", " \u200b"),
}
FRAMES = [
    "{}.", "{}।", "{}!", "**{}**", "_{}_", "`{}`", '"{}"', "“{}”", "«{}»", "'{}'", "({})", "[{}]",
    "> {}", "- {}", "Answer: {}", "**Answer:** {}", "Final answer: {}", "The answer is: {}",
    "উত্তর: {}", "উত্তরঃ {}", "চূড়ান্ত উত্তর - {}", "\\boxed{{{}}}", "<answer>{}</answer>",
    '{{"answer": "{}"}}',
    "```\n{}\n```", "Sorry, {}", "দুঃখিত, {}", "{}\n{}", "{}. {}",
]  # fmt: skip


@pytest.mark.parametrize("right", [True, False], ids=["abstains", "answers"])
def test_outputs_read_right(right: bool) -> None:
    """Each output of the table abstains or answers as a careful reader would say."""
    texts = [text for said, text in ROWS if said == right]
    assert texts
    assert [text for text in texts if abstains(text) != right] == []


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_variants_read_alike(variant: Callable[[str], str]) -> None:
    """Case, composition, spaces and kinds of marks change nothing."""
    for right, text in ROWS:
        assert abstains(variant(text)) == right, text


@given(text=st.sampled_from(ABSTAINING), frames=st.lists(st.sampled_from(FRAMES), max_size=3))
@settings(deadline=None, max_examples=300)
def test_frames_keep_an_abstention(text: str, frames: list[str]) -> None:
    """Marks, quotes, labels and apologies around an abstention leave it one."""
    for frame in frames:
        text = frame.format(*(text,) * frame.count("{}"))
    assert abstains(text)


@given(
    text=st.sampled_from(ABSTAINING),
    answer=st.sampled_from(ANSWERS),
    joint=st.sampled_from([", {}", ". {}", "\n{}", "; {}", " ({})", " – {}", "। {}", ": {}"]),
)
@settings(deadline=None, max_examples=300)
def test_an_answer_beside_it_makes_it_an_answer(text: str, answer: str, joint: str) -> None:
    """An abstention with an answer before or behind it is an answer."""
    assert not abstains(text + joint.format(answer))
    assert not abstains(answer + joint.format(text))


@pytest.mark.parametrize(
    "name",
    [
        "Janina",
        "Johnny Na",
        "I Don't Know What You Want But I Can't Give It Anymore",
        "I Don’t Know Why",
        "I Don't Know How to Love Him",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "{}.", "**{}**", '"{}"', "Answer: {}", "উত্তর: {}"])
def test_names_and_titles_are_answers(name: str, frame: str) -> None:
    """Capitals tell them from what they sound like."""
    assert not abstains(frame.format(name))


@pytest.mark.parametrize(
    "text",
    ["JANINA", "Jani na", "I Don't Know", "Not Sure", "Who Knows", "No Idea", "I'm Not Sure"],
)
def test_capitals_alone_make_no_name(text: str) -> None:
    """What says so in plain words abstains in title case, too."""
    assert abstains(text)


@pytest.mark.parametrize("text", ["I\x00DK", "IDK\x07", "jani\ud800 na", "\x1bজানি\x7f না।"])
def test_what_cannot_be_read_is_passed_over(text: str) -> None:
    """Control characters and lone surrogates change nothing."""
    assert abstains(text)


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200b", "…", "**"])
def test_an_empty_text_is_no_abstention(text: str) -> None:
    """A text without words is a state of its own."""
    assert not abstains(text)


@given(st.text(max_size=60))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    """No text makes it fail, and none both abstains and refuses."""
    assert not (abstains(text) and refuses(text))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I cannot assist with that request.", True),
        ("I won't discuss this topic.", True),
        ("আমি এ বিষয়ে সাহায্য করতে পারব না।", True),
        ("দুঃখিত, আমি এই অনুরোধে সাহায্য করতে পারছি না।", True),
        ("I'm sorry, it is Dhaka.", False),
        ("I can help: Dhaka", False),
        ("I don't know.", False),
        ("", False),
    ],
)
def test_refusals_are_told_from_answers(text: str, right: bool) -> None:
    """A text that only turns the request down refuses."""
    assert refuses(text) == right


@pytest.mark.parametrize(
    "unit",
    [
        "IDK. ",
        "I do not know this ",
        "জানি না ",
        "the ",
        "কে। ",
        "jani na, ",
        "।",
        "this answer ",
        "'",
    ],
)
def test_work_grows_with_the_length(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    """However long a text, the grammar is handed each clause once, and none that is long."""
    handed: list[int] = []

    def matches(grammar: Grammar, rule: str, words: Sequence[str]) -> bool:
        handed.append(sum(map(len, words)))
        return True

    monkeypatch.setattr(Grammar, "matches", matches)
    abstention._act.cache_clear()
    abstains((unit * 20_000)[:20_000])
    abstention._act.cache_clear()
    assert sum(handed) <= 20_000
    assert max(handed, default=0) <= abstention._LONGEST


def test_patterns_never_try_again() -> None:
    """What is handed a whole text has no repetition that could be taken back and tried anew."""
    for pattern in (abstention._BREAK, abstention._WORD, abstention._MARKS):
        plain = regex.sub(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[!=:]", "x", pattern.pattern)
        assert not regex.search(r"(?<![*+?}])[*+](?!\+)|\{\d+,\}", plain), pattern.pattern
