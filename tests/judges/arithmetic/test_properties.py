"""Properties that hold for every equation and every text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.judges.arithmetic import check_chain, judge_item
from banglahallueval.judges.arithmetic.evaluation import evaluate
from banglahallueval.judges.arithmetic.tokens import tokenise
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict
from tests.work import lines_run

BANGLA = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
SIGNS = {"+": ["+"], "-": ["-", "−", "–"], "*": ["*", "x", "×", "X"], "/": ["/", "÷"]}
ALPHABET = "০১৫৯0279+-−*x×/÷=≈%^()[]{}<>.,:;।৳$#\n  কখগxtটিজনএরশতাংশবাকি\"'“”য়\u09df\u200d½"


@st.composite
def equations(draw: st.DrawFn) -> tuple[str, Fraction, str]:
    """Draw an expression in some notation, with its exact value and its form in plain signs."""
    numbers = draw(st.lists(st.integers(1, 99999), min_size=2, max_size=5))
    plain = written = ""
    for i, value in enumerate(numbers):
        if i:
            sign = draw(st.sampled_from(list(SIGNS)))
            blank = draw(st.sampled_from(["", " "]))
            plain += sign
            written += blank + draw(st.sampled_from(SIGNS[sign])) + blank
        plain += str(value)
        digits = draw(st.sampled_from([str(value), f"{value:,}"]))
        unit = draw(st.sampled_from(["", "টি", " টাকা", " কেজি"]))
        written += draw(st.sampled_from(["", "৳"])) + digits.translate(BANGLA) + unit
    if draw(st.booleans()):
        plain, written = f"({plain})", f"({written})"
    return written, Fraction(evaluate(tokenise(plain)[0])), plain


def rounded(value: Fraction, places: int) -> str:
    scaled = round(value * 10**places)
    digits = f"{abs(scaled):0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return ("-" if scaled < 0 else "") + text


def cut_off(value: Fraction, places: int) -> str:
    scaled = Fraction(int(value * 10**places), 10**places)
    return rounded(scaled, places)


@given(equations(), st.integers(0, 4), st.booleans())
def test_true_equations_are_accepted(
    equation: tuple[str, Fraction, str], places: int, in_note: bool
) -> None:
    """A true equation, rounded at any place, is never a fault, in the text or annotated."""
    written, value, plain = equation
    result = rounded(value, places).translate(BANGLA)
    chain = f"তাহলে {written} = {result}"
    if in_note:
        chain = f"তাহলে {written} = <<{plain}={result}>>{result}"
    report = check_chain(chain)
    assert report.steps
    assert report.faults == ()


@given(equations(), st.integers(0, 4), st.sampled_from([-7, -3, -1, 1, 2, 9]), st.booleans())
def test_wrong_results_are_found(
    equation: tuple[str, Fraction, str], places: int, off: int, in_note: bool
) -> None:
    """A result off by whole units of its last place is a fault, with the exact value given."""
    written, value, plain = equation
    result = rounded(value + Fraction(off, 10**places), places).translate(BANGLA)
    chain = f"তাহলে <<{plain}={result}>>" if in_note else f"তাহলে {written} = {result}"
    # Of several divisions the last may be meant as one fraction, which allows a second value.
    if plain.count("/") > 1:
        return
    # A decimal may be cut off instead of rounded.
    stated = value + Fraction(off, 10**places)
    if places > 1 and rounded(stated, places) == cut_off(value, places):
        return
    step = check_chain(chain).first_proven
    assert step is not None
    assert step.value == value


@settings(max_examples=400)
@given(st.text(ALPHABET, max_size=120))
def test_offsets_of_any_text_are_valid(chain: str) -> None:
    """No text raises, and every step and finding lies inside the chain at its own text."""
    for step in check_chain(chain).steps:
        assert 0 <= step.start < step.end <= len(chain)
        assert chain[step.start : step.end].startswith(step.expression)
        assert chain[step.start : step.end].endswith(step.stated)
    for finding in judge_item(Item("reasoning", "কতটি?", "", chain)).findings:
        assert chain[finding.start : finding.end].strip()


@given(st.text(max_size=60))
def test_any_unicode_is_judged(chain: str) -> None:
    """Text in any script is judged without an error."""
    judge_item(Item("reasoning", chain, "", chain, chain))


@given(equations(), st.integers(-2, 2), st.text("০১২৩ =+#", max_size=12))
def test_final_lines_do_not_matter(
    equation: tuple[str, Fraction, str], off: int, final: str
) -> None:
    """Adding a `####` line leaves the whole verdict unchanged."""
    written, value, _ = equation
    chain = f"{written} = {rounded(value + off, 0)}"
    bare = judge_item(Item("reasoning", "কত?", "", chain))
    assert judge_item(Item("reasoning", "কত?", "", f"{chain}\n#### {final}")) == bare


@given(equations(), st.integers(-2, 2))
def test_annotations_do_not_matter(equation: tuple[str, Fraction, str], off: int) -> None:
    """An annotation that repeats the text's equation changes neither label nor probability."""
    written, value, plain = equation
    result = rounded(value + off, 0).translate(BANGLA)
    bare = judge_item(Item("reasoning", "কত?", "", f"{written} = {result}"))
    noted = judge_item(Item("reasoning", "কত?", "", f"{written} = <<{plain}={result}>>{result}"))
    assert (noted.label, noted.p_hallucinated) == (bare.label, bare.p_hallucinated)


@given(equations(), st.integers(-2, 2), st.integers(2, 99))
def test_the_question_before_the_chain_does_not_matter(
    equation: tuple[str, Fraction, str], off: int, count: int
) -> None:
    """Padding a chain with its own question changes neither label nor probability."""
    written, value, _ = equation
    question = f"রহিমের {count}টি আম ছিল, সাধারণত সে ৩টি খায়। কতটি রইল?"
    chain = f"{written} = {rounded(value + off, 0)}"
    bare = judge_item(Item("reasoning", question, "", chain))
    padded = judge_item(Item("reasoning", question, "", f"{question}\n{chain}"))
    assert (padded.label, padded.p_hallucinated) == (bare.label, bare.p_hallucinated)


LONG_CHAINS: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "(" * n + "৩+৪" + ")" * n + " = ৭",
    "sums": lambda n: "১+" * n + "১ = ৩",
    "powers": lambda n: "৯^" * n + "৯ = ১",
    "fractions": lambda n: "১/৭+১/" + "+১/".join(str(k) for k in range(11, n)) + " = ১",
    "digits": lambda n: "৯" * n + " + ১ = ২",
    "signs": lambda n: "=" * n,
    "openings": lambda n: "<<" * n,
    "annotations": lambda n: "<<৩+৪=" * n,
    "words": lambda n: "ক " * n + "= ৩",
    "results": lambda n: "৩ = " * n,
    "equations": lambda n: "৩ + ৪ = ৮ " * n,
}


def judge_chain(chain: str) -> Verdict:
    return judge_item(Item("reasoning", "কতটি?", "", chain))


@pytest.mark.parametrize("shape", LONG_CHAINS)
def test_nothing_hangs(shape: str) -> None:
    """Deep brackets, towers of powers, huge numbers and endless runs have a short verdict."""
    assert len(judge_chain(LONG_CHAINS[shape](50_000)).raw) < 500


@pytest.mark.parametrize("shape", LONG_CHAINS)
def test_work_grows_with_a_chain_not_with_its_square(shape: str) -> None:
    """A chain four times as long takes four times the work."""
    shorter, short, long = (LONG_CHAINS[shape](n) for n in (250, 500, 2000))
    judge_chain(shorter)  # fills the caches
    work = lines_run(lambda: judge_chain(short))
    assert lines_run(lambda: judge_chain(long)) < 5 * work
