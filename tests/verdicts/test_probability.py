"""The probability of yes against no is taken where the verdict is generated."""

from __future__ import annotations

from math import inf, log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.models.types import Reply, Token
from banglahallueval.verdicts import (
    CONTRADICTS,
    Probability,
    probability_at_verdict,
    probability_of,
    read_verdict,
)


def at(text: str, probabilities: dict[str, float]) -> Token:
    """A generated token with the probabilities at its place, its own among them."""
    return Token(text, tuple((key, log(p)) for key, p in probabilities.items()))


def sure(*texts: str) -> tuple[Token, ...]:
    """Tokens without alternatives."""
    return tuple(at(text, {text: 1.0}) for text in texts)


def reply(*tokens: Token, text: str | None = None) -> Reply:
    return Reply("".join(t.text for t in tokens) if text is None else text, tokens=tokens)


def test_spellings_are_summed() -> None:
    """All spellings of a label count for it, and the rest is left over."""
    first = at(
        "yes",
        {"yes": 0.3, "Yes": 0.1, " YES": 0.05, "▁yes": 0.05, '"yes': 0.05, "**yes": 0.05, "হ্যাঁ": 0.1}
        | {"no": 0.1, " No": 0.04, "না": 0.06, "The": 0.06, "not": 0.04},
    )
    found = probability_at_verdict(reply(first), "standard")
    assert found == pytest.approx(Probability(0.7 / 0.9, 0.1))
    verdict = read_verdict(reply(first), "standard")
    assert verdict.p_hallucinated == pytest.approx(0.7 / 0.9)
    assert verdict.leftover == pytest.approx(0.1)


def test_no_tokens_is_not_known() -> None:
    """Without probabilities p_hallucinated is absent, not 0."""
    verdict = read_verdict(Reply("yes"), "standard")
    assert verdict.p_hallucinated is None
    assert verdict.leftover is None


def test_an_unlisted_label_with_room_is_not_known() -> None:
    """Where the other label is not listed and could be likely, it is not taken as 0."""
    assert probability_of(at("yes", {"yes": 0.6, "The": 0.2})) is None
    assert probability_of(at("yes", {"yes": 0.6})) is None
    assert probability_of(at("The", {"The": 0.9, "It": 0.1})) is None


def test_an_unlisted_label_without_room_is_nothing() -> None:
    """Where the listed tokens leave the other label next to nothing, yes is nearly certain."""
    assert probability_of(at("yes", {"yes": 0.985, "Yes": 0.01})) == pytest.approx((1.0, 0.005))
    assert probability_of(at("no", {"no": 1.0})) == (0.0, 0.0)


def test_a_label_twice_under_one_token_counts_once() -> None:
    """A generated token that a provider lists twice is not counted twice."""
    doubled = Token("yes", (("yes", log(0.6)), ("yes", log(0.6)), ("no", log(0.4))))
    assert probability_of(doubled) == pytest.approx((0.6, 0.0))


@pytest.mark.parametrize("impossible", [0.01, 5.0, inf, nan])
@pytest.mark.parametrize("text", ["yes", "The"])
def test_impossible_log_probabilities_are_not_known(text: str, impossible: float) -> None:
    """What cannot be a log probability, wherever it is listed, makes p absent, not a number."""
    token = Token("yes", (("yes", log(0.6)), ("no", log(0.4)), (text, impossible)))
    assert probability_of(token) is None
    verdict = read_verdict(Reply("yes", tokens=(token,)), "standard")
    assert (verdict.label, verdict.p_hallucinated) == ("yes", None)


def test_rounding_above_certainty_is_no_fault() -> None:
    """A log probability a little above 0 is that of a sure token, and minus infinity none."""
    token = Token("yes", (("yes", 1e-4), ("no", -inf)))
    assert probability_of(token) == (1.0, 0.0)


def test_spoken_spellings_count_where_the_verdict_is_one() -> None:
    """`জ্বি` is a yes where the reply says it; elsewhere such a token may begin other words."""
    spoken = at("জ্বি", {"জ্বি": 0.7, "হ্যাঁ": 0.1, "নো": 0.1, "না": 0.1})
    assert probability_at_verdict(reply(spoken), "standard") == pytest.approx((0.8, 0.0))
    usual = at("না", {"না": 0.6, "হ্যাঁ": 0.2, "নো": 0.2})
    assert probability_at_verdict(reply(usual), "standard") == pytest.approx((0.25, 0.2))


def test_booleans_count_only_in_an_object() -> None:
    """`true` and `false` are labels after `is_hallucinated`, not as a plain reply."""
    value = at("true", {"true": 0.6, "false": 0.3, "yes": 0.1})
    inside = reply(*sure('{"', "is_hallucinated", '":', " "), value, *sure("}"))
    assert probability_at_verdict(inside, "json") == pytest.approx((0.7, 0.0))
    assert probability_of(at("true", {"true": 0.6, "false": 0.4})) is None


def test_the_verdict_is_found_after_the_quote() -> None:
    """In a JSON reply the value's token counts, not the first one."""
    decoy = at("{", {"{": 0.5, "no": 0.4, "yes": 0.1})
    value = at("Yes", {"Yes": 0.8, "No": 0.2})
    found = probability_at_verdict(
        reply(decoy, *sure('"is', "_hall", 'ucinated":', ' "'), value, *sure('"}')), "json"
    )
    assert found == pytest.approx((0.8, 0.0))


def test_the_verdict_is_found_after_thinking() -> None:
    """Words inside thinking are passed over."""
    decoy = at("no", {"no": 0.9, "yes": 0.1})
    verdict = at("yes", {"yes": 0.75, "no": 0.25})
    found = probability_at_verdict(
        reply(*sure("<think>"), decoy, *sure("</think>", "\n\n"), verdict), "standard"
    )
    assert found == pytest.approx((0.75, 0.0))


def test_the_verdict_is_found_at_the_last_line() -> None:
    """In a chain of thought the last line's token counts."""
    decoy = at("Yes", {"Yes": 0.9, "No": 0.1})
    verdict = at(" no", {" no": 0.6, " yes": 0.4})
    found = probability_at_verdict(
        reply(decoy, *sure(", a date", ".\n", "Final", " answer", ":"), verdict), "cot"
    )
    assert found == pytest.approx((0.4, 0.0))


def test_echoed_options_are_passed_over() -> None:
    """The options of the prompt, repeated, are not the verdict."""
    decoy = at("yes", {"yes": 0.9, "no": 0.1})
    verdict = at(" no", {" no": 0.7, " yes": 0.3})
    found = probability_at_verdict(reply(decoy, *sure("/", "no", ":"), verdict), "standard")
    assert found == pytest.approx((0.3, 0.0))


@pytest.mark.parametrize(
    ("first", "second"),
    [("\\xe0\\xa6", "\\xb9"), ("bytes:\\xe0\\xa6", "bytes:\\xb9"), ("<0xE0>", "<0xA6><0xB9>")],
)
def test_bangla_in_pieces_of_characters(first: str, second: str) -> None:
    """Pieces that both labels share decide nothing; the next piece does."""
    other = second[:-2] + "a8" if "\\x" in second else "<0xA6><0xA8>"
    pieces = (
        at(first, {first: 0.9, "yes": 0.1}),
        at(second, {second: 0.8, other: 0.15, "zz": 0.05}),
        *sure("্যাঁ"),
    )
    found = probability_at_verdict(reply(*pieces, text="হ্যাঁ"), "standard")
    assert found == pytest.approx((0.8 / 0.95, 0.05))


def test_bangla_in_letters() -> None:
    """A verdict spelled letter by letter counts beginnings of both labels alike."""
    first = at("হ", {"হ": 0.5, "ন": 0.3, "না": 0.1, "ত": 0.1})
    found = probability_at_verdict(reply(first, *sure("্", "যাঁ")), "standard")
    assert found == pytest.approx((0.5 / 0.9, 0.1))


def test_beginnings_do_not_count_beside_a_whole_word() -> None:
    """`ন` may begin নাম; beside a label in one token it is left over."""
    first = at("হ্যাঁ", {"হ্যাঁ": 0.5, "না": 0.3, "ন": 0.1, "হ": 0.1})
    assert probability_at_verdict(reply(first), "standard") == pytest.approx((0.625, 0.2))


def test_english_beginnings_never_count() -> None:
    """`N` may begin Not, None and N/A."""
    assert probability_of(
        at("yes", {"yes": 0.5, "N": 0.3, "no": 0.1, "Not": 0.1})
    ) == pytest.approx((0.5 / 0.6, 0.4))


def test_a_reply_without_a_verdict_is_looked_at_where_it_begins() -> None:
    """What the model might have said first can settle a forced answer; its label stays unknown."""
    first = at("The", {"The": 0.4, "yes": 0.35, "no": 0.15, "It": 0.1})
    talk = reply(first, *sure(" passage", " gives"))
    assert probability_at_verdict(talk, "standard") == pytest.approx((0.7, 0.5))
    verdict = read_verdict(talk, "standard")
    assert (verdict.label, verdict.p_hallucinated) == ("unknown", None)
    assert probability_at_verdict(talk, "cot") is None
    assert probability_at_verdict(reply(*sure("<think>"), first), "standard") is None


def test_an_invented_turn_is_passed_over() -> None:
    """The verdict's token is the reply's own, not one that the model writes for the next turn."""
    verdict = at("no", {"no": 0.8, "yes": 0.2})
    decoy = at("yes", {"yes": 0.9, "no": 0.1})
    for run_on in (
        ("<|im_end|>", "\n", "<|im_start|>", "assistant", "\n"),
        ("\n\n", "User", ":", " next", "\n", "Assistant", ": "),
        ("\n\n", "Question", ":", " next", "\n", "Answer", ": "),
    ):
        found = probability_at_verdict(reply(verdict, *sure(*run_on), decoy), "standard")
        assert found == pytest.approx((0.2, 0.0))


def test_the_last_announced_verdict_before_an_invented_turn_counts() -> None:
    """After a chain of thought, too, nothing behind the turn's end is looked at."""
    verdict = at(" no", {" no": 0.8, " yes": 0.2})
    decoy = at(" yes", {" yes": 0.9, " no": 0.1})
    tokens = (*sure("It fits", ".\n", "Final answer", ":"), verdict)
    more = (*sure("<|eot_id|>", "Final answer", ":"), decoy)
    assert probability_at_verdict(reply(*tokens, *more), "cot") == pytest.approx((0.2, 0.0))


def test_a_quoted_label_is_passed_over() -> None:
    """The verdict's token is not the one inside quotation marks."""
    decoy = at("yes", {"yes": 0.9, "no": 0.1})
    verdict = at(" No", {" No": 0.7, " Yes": 0.3})
    quoted = sure("It says", ' "Answer', ": ")
    found = probability_at_verdict(reply(*quoted, decoy, *sure('"', "."), verdict), "standard")
    assert found == pytest.approx((0.3, 0.0))


def test_romanised_words_are_spellings_where_they_are_verdicts() -> None:
    """`ha` and `na` count on both sides in romanised Bangla, and nowhere else."""
    first = at("na", {"na": 0.6, "ha": 0.2, "no": 0.1, "The": 0.1})
    romanised = reply(first, *sure(", ", "uttorti", " thik"))
    assert probability_at_verdict(romanised, "standard") == pytest.approx((0.2 / 0.9, 0.1))
    plain = at("no", {"no": 0.5, "yes": 0.3, "na": 0.2})
    assert probability_at_verdict(reply(plain), "standard") == pytest.approx((0.375, 0.2))


def test_a_reply_that_contradicts_itself_has_no_probability() -> None:
    """Its first word is not what it says, so its probability is nobody's."""
    first = at("Yes", {"Yes": 0.9, "No": 0.1})
    tokens = (first, *sure(",", " the", " answer", " is", " correct", "."))
    assert read_verdict(reply(*tokens), "standard").reason == CONTRADICTS
    assert probability_at_verdict(reply(*tokens), "standard") is None


def test_a_verdict_in_other_words_has_no_probability() -> None:
    """`none` is not what models are asked for; its neighbours say nothing of yes and no."""
    value = at(" none", {" none": 0.6, " no": 0.3, " yes": 0.1})
    tokens = (*sure("Hallucination", ":"), value)
    assert read_verdict(reply(*tokens), "standard").label == "no"
    assert probability_at_verdict(reply(*tokens), "standard") is None


def test_a_reply_without_a_verdict_begins_behind_its_template() -> None:
    """Tokens of the chat template are not the reply's first words."""
    first = at("The", {"The": 0.4, "yes": 0.35, "no": 0.15, "It": 0.1})
    talk = reply(*sure("<|im_start|>", "assistant", "\n"), first, *sure(" passage", " gives"))
    assert probability_at_verdict(talk, "standard") == pytest.approx((0.7, 0.5))


def test_tokens_of_another_text_are_not_used() -> None:
    """Tokens in which the verdict is not found give no probability."""
    lost = (at("\ufffd", {"\ufffd": 0.9, "no": 0.1}), *sure("\ufffd"))
    assert read_verdict(reply(*lost, text="হ্যাঁ"), "standard").p_hallucinated is None


@given(
    st.lists(
        st.tuples(
            st.text(max_size=4) | st.sampled_from(["yes", "no", "<0xE0>", "\\xa6", "না", "হ", "{"]),
            st.floats(max_value=0) | st.floats(allow_nan=True, allow_infinity=True),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["standard", "json", "cot"]),
)
def test_probabilities_never_raise_and_stay_in_range(
    top: list[tuple[str, float]], style: str
) -> None:
    """Whatever a provider sends, p and the leftover mass lie in 0 to 1 or are absent."""
    tokens = tuple(Token(text, tuple(top)) for text, _ in top)
    found = probability_at_verdict(reply(*tokens), style)  # type: ignore[arg-type]
    assert found is None or (0 <= found.p <= 1 and 0 <= found.leftover <= 1)
