"""Tests of reading calculations in LaTeX, Markdown, arrows, units and scale words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.arithmetic import check_chain, judge_item
from banglahallueval.judges.arithmetic.notation import plain
from banglahallueval.tasks import Item
from tests.work import lines_run

BANGLA = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
Writer = Callable[[int, int, int], str]
NOTATIONS: dict[str, Writer] = {
    "inline": lambda a, b, c: rf"\({a} \times {b} = {c}\)",
    "display": lambda a, b, c: rf"\[ {a} \cdot {b} = {c} \]",
    "dollars": lambda a, b, c: rf"${a} \times {b} = {c}$ টাকা",
    "boxed": lambda a, b, c: rf"{a} × {b} = \boxed{{{c}}}",
    "text": lambda a, b, c: rf"\({a}\text{{ টাকা}} \times {b} = {c}\text{{ টাকা}}\)",
    "fraction": lambda a, b, c: rf"\frac{{{c}}}{{{b}}} = {a}",
    "division": lambda a, b, c: rf"\({c} \div {b} = {a}\)",
    "aligned": lambda a, b, c: rf"\begin{{aligned}} x &= {a} \times {b} \\ &= {c} \end{{aligned}}",
    "square": lambda a, b, c: rf"\({a}\text{{ m}} \times {b}\text{{ m}} = {c}\text{{ m}}^2\)",
    "bold": lambda a, b, c: f"{a} × {b} = **{c}** টাকা",
    "star": lambda a, b, c: f"- {a} × {b} = *{c}*",
    "code": lambda a, b, c: f"`{a} × {b} = {c}`",
    "label": lambda a, b, c: f"1. **মোট** – {a} × {b} = **{c}**",
    "table": lambda a, b, c: f"| ধাপ | ফল |\n|---|---|\n| {a} × {b} | {c} |",
    "reversed": lambda a, b, c: f"{c} = {a} × {b} টাকা লেগেছে",
    "both ways": lambda a, b, c: f"{a} × {b} = {b} × {a} = {c}",
    "arrow": lambda a, b, c: f"{a} × {b} → {c} টাকা",
    "long arrow": lambda a, b, c: f"{a} × {b} => {c}",
    "word": lambda a, b, c: f"{a} × {b} সমান {c}",
    "rounded": lambda a, b, c: f"{a} × {b} ≈ {c}",
    "broken": lambda a, b, c: f"{a} ×\n{b}\n= {c}",
    "check": lambda a, b, c: f"যাচাই: {a} × {b} = {c} ✓",
    "listed": lambda a, b, c: f"• {a} × {b} = {c} ও {a} + 0 = {a}",
    "hedged": lambda a, b, c: f"{a} × {b} = সম্ভবত {c}",
    "unit": lambda a, b, c: f"I = {a} × {b} = {c} A",
}


@pytest.mark.parametrize("notation", NOTATIONS)
@given(a=st.integers(11, 99), b=st.integers(11, 99), bangla=st.booleans())
def test_every_notation_is_read_to_its_value(notation: str, a: int, b: int, bangla: bool) -> None:
    """A right calculation has no fault in any notation, a wrong one is proven in all of them."""
    for result, is_right in ((a * b, True), (a * b + 3 * b, False)):
        chain = NOTATIONS[notation](a, b, result)
        report = check_chain(chain.translate(BANGLA) if bangla else chain)
        assert report.steps
        assert (report.faults == ()) is is_right
        assert (report.first_proven is None) is is_right


def verdict(chain: str, problem: str = "মোট কত?") -> str:
    return judge_item(Item("reasoning", problem, "", chain)).label


@pytest.mark.parametrize(
    "chain",
    [
        "৫০০ × ২৪০০ = ১২ লাখ টাকা",
        "১০ × ১০০ = ১ হাজার",
        "১৪ হাজার ১৭৫ - ১৭৫ = ১৪ হাজার",
        "১ লাখ ২০ হাজার × ২ = ২ লাখ ৪০ হাজার টাকা",
        "৪.৫ − ৩ = ১.৫ লাখ",
        "৩০ মিনিট + ৪৫ মিনিট = ১ ঘণ্টা ১৫ মিনিট",
        "৩০ মিনিট × ২ = ১ ঘণ্টা",
        "১ মিটার ৪০ সেমি + ৬০ সেমি = ২ মিটার",
        "২ কেজি - ৫০০ গ্রাম = ১৫০০ গ্রাম",
        "২ ডজন + ১২ = ৩ ডজন",
        "2.5 × 1.2 × 0.8 = 2.4 m³ = 2400 L",
        "২ ÷ ৩ = ০.৬৬৬...",
        r"\frac{2}{3} = 0.\overline{6}",
        "৫ - ৮ = -৩",
        "৩০ মিনিট / ৩৬০ মিনিট = ৮.৩৩৩...%",
        "(৳৩০/ব্যাগ - ৳৪/ব্যাগ) * ৫ ব্যাগ = ৳২৬/ব্যাগ * ৫ ব্যাগ = ৳১৩০",
        "৫ ব্যাগ * ৪ কয়েন প্রতি ব্যাগ = ২০ কয়েন = ২০ *৳ ০.৫ = ৳১০",
        "আমরা জানি ১০=১ক+২*(৭-ক)\n১০=১ক+১৪-২ক\n-৪=-১ক বা ক=৪",
        "$12 \\times 5 = 60$",
        r"\frac{12}{5} = 2.4",
        r"2\frac{1}{2} \times 4 = 10",
        r"12{,}000 \times 2 = 24{,}000",
        "3² × 8 = 72 W",
        "৮০ টাকার ২৫% = ২০",
        "৩টি খাতা - ৩ × ৪০ = ১২০",
        "**মোট:** ৫ × ৪ = **২০**\n- ৩ + ৪ = ৭",
        "5.12 × 6.25 = 3.2 × 10^1",
        "৫ + ৩ = ৮ → ৮ × ২ = ১৬",
        "৫ বছর পর ৪৫ ÷ ১৫ = ৩",
        "১ বছর = ৩৬৫ দিন",
        "1 GB = 1024 MB",
        "900 MB = 7200 Mb",
        "১ ফুট = ৩০ সেমি",
    ],
)
def test_right_chains_are_no(chain: str) -> None:
    """Scale words, units, recurring decimals and markup make no right calculation wrong."""
    assert verdict(chain) == "no"


@pytest.mark.parametrize(
    "chain",
    [
        r"\(12 \times 5 = 70\)",
        r"\[ 12 \times 5 = 70 \]",
        "১২ × ৫ = **৭০** টাকা",
        "৭০ = ১২ × ৫",
        r"১২ × ৫ = \boxed{70}",
        "১২ × ৫ = ৬০ টাকা। তাই উত্তর ৭০ টাকা।",
        "৫০০ × ২৪০০ = ১৩ লাখ টাকা",
        "৩০ মিনিট + ৪৫ মিনিট = ১ ঘণ্টা ২৫ মিনিট",
        "2.5 × 1.2 × 0.8 = 2.4 m³ = 240 L",
        "৩ × ৫ = ১৫। যাচাই: ১৫ ÷ ৫ = ৪ ✓",
        "২.৫ ঘণ্টা = ১ ঘণ্টা ৩০ মিনিট",
        "900 MB = 900 Mb",
        "২ কেজি + ৩ কেজি = ৫ মিটার",
    ],
)
def test_wrong_chains_are_yes(chain: str) -> None:
    """A wrong result, conversion, conclusion or closing check is found."""
    assert verdict(chain) == "yes"


@pytest.mark.parametrize(
    "chain",
    [
        r"5 + \log 100 = 7",
        r"\sqrt{9} + 3 = 6",
        "<<৩৯.৫=৪০>>৪০",
        "৪টা ৩০ মিনিট + ২ ঘণ্টা = ৬টা ৩০ মিনিট",
        "৩/৪ কেজির দাম হবে ৬০ টাকা",
        "দিন ৩ = ২ + ৫",
        "(২/৫)*৫০০(সেমি)³ = ২০০(সেমি)³",
        "৫ কেজি = ৫ × ৬০ টাকা = ৩০০ টাকা",
        "১০০ ডলার + ২০ ডলার = ১৪০০০ টাকা",
        "২ কেজি + ৩ কেজি = ৫ মিটার",
    ],
)
def test_what_may_be_meant_otherwise_is_not_proven(chain: str) -> None:
    """Functions, clock times, names, exchange rates and unknowns prove nothing."""
    assert check_chain(chain).first_proven is None


def test_a_chain_without_calculations_is_unknown() -> None:
    """A chain that calculates nothing is `unknown: nothing to check`, without a probability."""
    found = judge_item(Item("reasoning", "কত?", "", "বাকি টাকা ছেলে পেল, তাই মেয়ের চেয়ে কম।"))
    assert (found.label, found.reason) == ("unknown", "nothing to check")
    assert found.p_hallucinated is None


def test_a_conclusion_in_another_unit_or_rounded_agrees() -> None:
    """A conclusion may round the last result, or give it in another unit."""
    assert verdict("৩১৬৮ ÷ ৫০ = ৬৩.৩৬। তাই ৬৪ ব্যাগ লাগবে।") == "no"
    assert verdict("৪.৫ − ৩ = ১.৫ লাখ। মানে ১ লাখ ৫০ হাজার টাকা।") == "no"
    assert verdict("৪.৫ − ৩ = ১.৫ লাখ। মানে ১ লাখ ৫ হাজার টাকা।") == "yes"


def test_numbers_beside_a_result_are_no_conclusion() -> None:
    """The rest of the last result's sentence, and what is only compared, conclude nothing."""
    assert verdict("১৪ - ২ = ১২ জন ৩টি বিষয় পছন্দ করে না") == "no"
    assert verdict("৬০ / ২ = ৩০টি, যা ৫০টির কম") == "no"
    assert verdict("১৪ - ২ = ১২ জন, তাই উত্তর ১৩ জন") == "yes"


@pytest.mark.parametrize("notation", NOTATIONS)
def test_findings_in_markup_are_places_of_the_raw_chain(notation: str) -> None:
    """Offsets are code points of the chain as given, whatever its markup."""
    chain = f"দাম: {NOTATIONS[notation](12, 15, 181)}"
    for step in check_chain(chain).steps:
        assert chain[step.start : step.end].startswith(step.expression)
        assert chain[step.start : step.end].endswith(step.stated)


@given(st.text(r"\frac{}()[]|*_`$&=≈→⇢১২3+×÷-/^% টিশলাখ" + "\n", max_size=80))
def test_any_markup_keeps_its_places(text: str) -> None:
    """No markup raises, and every character of the plain text stands for a place of the raw one."""
    written = plain(text)
    if written.at is not None:
        assert len(written.at) == len(written.text)
        assert all(0 <= at < len(text) for at in written.at)
    check_chain(text)


@pytest.mark.parametrize(
    "piece", [r"\frac{1}{", "**", "| 1 + 2 ", "১ লাখ ", "\n= 1 ", "১ ঘণ্টা ", "{"]
)
def test_markup_is_read_in_linear_time(piece: str) -> None:
    """A chain four times as long takes four times the work."""
    check_chain(piece * 250)  # fills the caches
    work = lines_run(lambda: check_chain(piece * 500))
    assert lines_run(lambda: check_chain(piece * 2000)) < 5 * work
