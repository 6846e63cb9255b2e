"""The reading of replies that exports carry agrees with the project's own."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.harnesses.replies import (
    bhs_of,
    detection_rate,
    false_alarm_rate,
    label_at,
    label_of,
    p_hallucinated,
    unknown_rate,
)
from banglahallueval.models.types import Reply
from banglahallueval.prompts import Style
from banglahallueval.scoring.bhs import bhs
from banglahallueval.verdicts import read_verdict
from tests.verdicts.replies import DRESSED, PROMISED
from tests.verdicts.test_wild import rows

TRICKY = [reply for reply, _ in (*PROMISED, *DRESSED)]
WILD = [(style, reply) for style, _, reply in rows()]

STYLES: tuple[Style, ...] = ("standard", "json", "cot")
WORDS = (
    "yes",
    "no",
    " না",
    " হ্যাঁ",
    "\n",
    ".",
    " not ",
    "Final answer: ",
    "<think>",
    "</think>",
    "**",
)


def ours(reply: str, style: Style) -> str:
    return read_verdict(Reply(reply), style).label


@pytest.mark.parametrize("style", ["standard", "json"])
def test_short_replies_get_our_label_or_none(style: Style) -> None:
    """What the strict reading labels, ours labels alike."""
    read = [*TRICKY, *(reply for of, reply in WILD if of == style)]
    labels = {reply: label_of(reply, style) for reply in read}
    assert {
        reply for reply, label in labels.items() if label not in ("unknown", ours(reply, style))
    } == set()
    assert {"yes", "no"} <= set(labels.values())


def test_no_chain_of_thought_gets_the_opposite_label() -> None:
    """They differ where ours finds that the argument contradicts the last line."""
    pairs = [
        (label_of(reply, "cot"), ours(reply, "cot")) for style, reply in WILD if style == "cot"
    ]
    pairs += [(label_of(reply, "cot"), ours(reply, "cot")) for reply in TRICKY]
    assert not {("yes", "no"), ("no", "yes")} & set(pairs)
    assert label_of("The answer is incorrect.\nno", "cot") == "no"
    assert ours("The answer is incorrect.\nno", "cot") == "unknown"


@pytest.mark.parametrize("reply", ["yes", "No.", "হ্যাঁ", "না।", "**Yes**", "<think>no</think>\nyes"])
def test_what_the_fixed_prompts_ask_for_is_read(reply: str) -> None:
    """One word in the usual dress has its label in both readings."""
    assert label_of(reply, "standard") == ours(reply, "standard") != "unknown"


@pytest.mark.parametrize(
    ("reply", "style"),
    [
        ('{"is_hallucinated": "Yes"}', "json"),
        ('```json\n{"is_hallucinated": "No"}\n```', "json"),
        ("It is in the passage.\nFinal answer: no", "cot"),
        ('Step 1: wrong.\n{"is_hallucinated": "Yes"}', "cot"),
    ],
)
def test_objects_and_last_lines_are_read(reply: str, style: Style) -> None:
    """The forms that the JSON and chain-of-thought prompts ask for."""
    assert label_of(reply, style) == ours(reply, style) != "unknown"


@settings(max_examples=60)
@given(st.lists(st.sampled_from(WORDS), max_size=8).map("".join), st.sampled_from(STYLES))
def test_no_text_gets_the_opposite_label(reply: str, style: Style) -> None:
    """Whatever words of verdicts stand beside one another."""
    assert {label_of(reply, style), ours(reply, style)} != {"yes", "no"}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["main", "candidates"]), st.sampled_from(["yes", "no", "unknown"])
        ),
        min_size=1,
    )
)
def test_bhs_is_that_of_scores(labels: list[tuple[str, str]]) -> None:
    """The same formula; without one of the tracks there is none."""
    value = bhs_of(labels)
    if {track for track, _ in labels} == {"main", "candidates"}:
        assert value == pytest.approx(bhs(false_alarm_rate(labels), detection_rate(labels)))
    else:
        assert math.isnan(value)
    assert 0 <= unknown_rate(labels) <= 1


def test_probabilities_are_summed_over_spellings() -> None:
    """By hand: (0.3 + 0.1) / (0.3 + 0.1 + 0.1)."""
    yes, no = [math.log(0.3), math.log(0.1)], [math.log(0.1), -math.inf]
    assert p_hallucinated(yes, no) == pytest.approx(0.8)


def test_no_label_without_a_side_that_is_likelier() -> None:
    """Equal odds, and none at all, are unknown; tiny ones are not lost to rounding."""
    assert label_at(p_hallucinated([-1.0], [-1.0])) == "unknown"
    assert label_at(p_hallucinated([-math.inf], [-math.inf])) == "unknown"
    assert label_at(p_hallucinated([-2000.0], [-2001.0])) == "yes"
