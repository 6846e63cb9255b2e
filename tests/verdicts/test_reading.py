"""A reply becomes a label, or unknown with the reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from banglahallueval.models.types import Finish, Reply
from banglahallueval.prompts import Style
from banglahallueval.text.yes_no import NO, ROMANISED_NO, ROMANISED_YES, YES, fold
from banglahallueval.verdicts import (
    CONTEXT_TRUNCATED,
    CUT_OFF,
    EMPTY,
    FILTERED,
    REFUSED,
    UNFINISHED_THINKING,
    UNPARSED,
    read_verdict,
)
from tests.verdicts import replies
from tests.work import lines_run

STYLES: tuple[Style, ...] = ("standard", "json", "cot")
SHORT = (
    replies.PROMISED
    + replies.DRESSED
    + replies.PLACED
    + replies.THINKING
    + replies.DOUBTFUL
    + replies.REFUSALS
)


def said(text: str, style: Style = "standard", finish: Finish = "stop") -> str:
    """The label, or the reason why there is none."""
    verdict = read_verdict(Reply(text, finish), style)
    assert (verdict.label == "unknown") == bool(verdict.reason)
    assert verdict.raw == text
    return verdict.reason or verdict.label


@pytest.mark.parametrize(("text", "right"), SHORT)
def test_short_replies_read_right(text: str, right: str) -> None:
    """Single-word and JSON prompts read every known reply shape as its author meant it."""
    assert {style: said(text, style) for style in ("standard", "json")} == {
        "standard": right,
        "json": right,
    }


@pytest.mark.parametrize(("text", "right"), replies.DRESSED + replies.THINKING)
def test_clear_replies_read_right_after_chain_of_thought(text: str, right: str) -> None:
    """A chain-of-thought reply that is nothing but a verdict reads as in the other styles."""
    assert said(text, "cot") == right


@pytest.mark.parametrize(("text", "right"), replies.COT)
def test_chain_of_thought_takes_the_last_line(text: str, right: str) -> None:
    """A chain-of-thought reply is read at the last line that carries a verdict."""
    assert said(text, "cot") == right


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("filtered", FILTERED),
        ("refused", REFUSED),
        ("context truncated", CONTEXT_TRUNCATED),
    ],
)
@pytest.mark.parametrize("text", ["yes", "", '{"is_hallucinated": "No"}'])
def test_a_withheld_reply_gives_no_label(
    text: str, finish: Finish, reason: str, style: Style
) -> None:
    """What a filter left over, or a reply to half a prompt, is no verdict whatever it says."""
    assert said(text, style, finish) == reason


@pytest.mark.parametrize(
    ("text", "style", "right"),
    [
        ("yes", "standard", "yes"),
        ("No", "standard", "no"),
        ("না", "standard", "no"),
        ("Yes, the answer names a", "standard", "yes"),
        ("The answer is", "standard", CUT_OFF),
        ("The answer is no", "standard", CUT_OFF),  # `not sure` or `no longer` may have followed
        ('{"is_hallucinated": "Yes"', "json", "yes"),
        ('{"is_hallucinated": "No', "json", CUT_OFF),
        ('{"is_hallucinated":', "json", CUT_OFF),
        ("", "standard", CUT_OFF),
        ("Step 1: It names a date.\nNo, it is", "cot", CUT_OFF),
        ("Are these claims supported?\nNo.\nThe next claim", "cot", CUT_OFF),
        ("It fits.\nFinal answer: no\n\nTo explain, the", "cot", "no"),
        ('It fits.\n{"is_hallucinated": "No"}\n\nThe', "cot", "no"),
        ("<think>It says no", "standard", UNFINISHED_THINKING),
        ("I'm sorry, but I can't assist with", "standard", REFUSED),
    ],
)
def test_a_cut_reply_counts_only_if_its_verdict_stands(text: str, style: Style, right: str) -> None:
    """A reply stopped by its budget gives a label only where nothing could still turn it."""
    assert said(text, style, "length") == right


def test_budget_spent_on_separate_thinking_is_unfinished_thinking() -> None:
    """A server that delivers thinking apart and runs out of tokens in it gave no answer."""
    reply = Reply("", "length", thinking="The date is wrong, so yes")
    assert read_verdict(reply, "standard").reason == UNFINISHED_THINKING


def test_separate_thinking_is_never_read() -> None:
    """A verdict in thinking that the server delivers apart is not the answer."""
    assert read_verdict(Reply("", thinking="yes"), "standard").reason == EMPTY
    assert read_verdict(Reply("no", thinking="yes"), "standard").label == "no"


# Every text below shows each of the words that a yes could rest on.
YES_WORDS = ("yes", "yep", "yeah", "yup", "true", "hallucinated", "hallucination")
YES_SIGNS = ("হ্য", "হঁ্য", "হাঁ", "হ্যালুসিনে")
PIECES = st.sampled_from(
    [
        *("yes", "no", "Yes.", "No,", "হ্যাঁ", "না", "নাম", "none", "not", "true", "false", "or"),
        *(
            "and",
            "answer",
            "Answer:",
            "final",
            "is",
            "hallucinated",
            "hallucination",
            "?",
            "/",
            "=",
        ),
        *("{", "}", '"', "'", ":", "\n", "\n\n", " ", "  ", "**", "(", ")", "Step 2:", "Step 3:"),
        *("<think>", "</think>", "<|channel|>final", "[THINK]", "\\boxed{", "<answer>", "</b>"),
        *("\u200b", "\u200c", "sorry", "I can't", "maybe", "১", "3.", "।", "is_hallucinated", "।।"),
    ]
)
ANY_TEXT = st.one_of(
    st.text(),
    st.lists(PIECES, max_size=12).map("".join),
    st.lists(PIECES, max_size=12).map(" ".join),
)
MIXED = st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=10).map("".join)


@given(
    text=st.one_of(ANY_TEXT, MIXED),
    style=st.sampled_from(STYLES),
    finish=st.sampled_from(["stop", "length", "filtered"]),
)
@example("\ud800", "standard", "stop")
@example("İ̇ yes", "cot", "length")
def test_reading_never_raises_and_never_invents(text: str, style: Style, finish: Finish) -> None:
    """Any text gives a verdict, and yes only where a word for it stands."""
    verdict = read_verdict(Reply(text, finish), style)
    if verdict.label == "yes":
        assert any(word in fold(text) for word in YES_WORDS + YES_SIGNS)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60), st.sampled_from(STYLES))
def test_no_yes_without_a_word_for_it(text: str, style: Style) -> None:
    """ASCII text without such a word is never hallucinated."""
    if not any(word in text.lower() for word in YES_WORDS):
        assert read_verdict(Reply(text), style).label != "yes"


@given(
    st.text(alphabet="abcdefghijklmnopqrtuvwxyzনজকমািী ,.\n", max_size=60), st.sampled_from(STYLES)
)
def test_no_label_without_a_whole_word(text: str, style: Style) -> None:
    """Text that holds none of the words whole has no verdict, whatever is inside its words."""
    words = set(text.replace(",", " ").replace(".", " ").split())
    if words.isdisjoint(YES + NO + ROMANISED_YES + ROMANISED_NO) and "hallucinat" not in text:
        assert read_verdict(Reply(text), style).label == "unknown"


WRAPPERS = st.sampled_from(
    [
        *("{}", "**{}**", '"{}"', "“{}”", "`{}`", "({})", "[{}]", "*{}*", "__{}__", "<b>{}</b>"),
        *("\n\n{}\n", "  {}  ", "\u200b{}\ufeff", "> {}", "- {}", "{}.", "{}।", "{}!", "{}</s>"),
        *("<think>yes or no? no. yes.</think>{}", "```\n{}\n```", "\\boxed{{{}}}"),
        *("Answer: {}", "The answer is {}", "Final answer (yes or no): {}", "<answer>{}</answer>"),
    ]
)
CLEAR = st.sampled_from(
    [("yes", "yes"), ("No", "no"), ("YES", "yes"), ("হ্যাঁ", "yes"), ("না", "no"), ("nope", "no")]
)


@given(CLEAR, WRAPPERS, st.sampled_from(["{}", "**{}**", "<think>no</think>\n{}", " {}\n"]))
def test_dress_leaves_a_clear_verdict(clear: tuple[str, str], inner: str, outer: str) -> None:
    """Markup, space, thinking and labels around a clear verdict do not change it."""
    text, label = clear
    dressed = outer.format(inner.format(text))
    for style in STYLES:
        assert read_verdict(Reply(dressed), style).label == label, dressed


@given(ANY_TEXT, st.sampled_from(STYLES))
def test_reading_a_label_gives_the_label(text: str, style: Style) -> None:
    """A label read from its own text is itself, and unknown stays unknown."""
    label = read_verdict(Reply(text), style).label
    assert read_verdict(Reply(label), style).label == label


@given(ANY_TEXT, st.sampled_from(STYLES))
def test_unclosed_thinking_is_no_verdict(text: str, style: Style) -> None:
    """Whatever comes before it, thinking that does not end gives no label."""
    verdict = read_verdict(Reply(text + "<think>yes\nyes"), style)
    assert verdict.reason == UNFINISHED_THINKING


ENDLESS: dict[str, Callable[[int], str]] = {
    "marks": lambda n: "answer " + "*" * n,
    "brackets": lambda n: "<" * n,
    "lines": lambda n: "\n" * n,
    "tags": lambda n: "<think>" * (n // 7),
    "options": lambda n: "(yes = " * (n // 7),
}


@pytest.mark.parametrize("shape", ENDLESS)
def test_degenerate_replies_do_not_stall(shape: str) -> None:
    """A model that repeats itself to the end of its budget cannot stop a run at one row.

    At this length a pattern that backtracks over the whole reply would take hours.
    """
    for style in STYLES:
        assert said(ENDLESS[shape](200_000), style) in {UNPARSED, UNFINISHED_THINKING, EMPTY}


@pytest.mark.parametrize("shape", ENDLESS)
def test_work_grows_with_a_reply_not_with_its_square(shape: str) -> None:
    """A reply four times as long takes four times the work."""

    def read(length: int) -> None:
        for style in STYLES:
            said(ENDLESS[shape](length), style)

    read(1_000)  # fills the caches
    work = lines_run(lambda: read(2_000))
    assert lines_run(lambda: read(8_000)) < 5 * work
