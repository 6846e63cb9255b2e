"""Tests of finding, reading and checking calculations in Bangla solutions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from banglahallueval.judges.arithmetic import Step, check_chain


def only(chain: str) -> Step:
    (step,) = check_chain(chain).steps
    return step


@pytest.mark.parametrize(
    "chain",
    [
        "মোট ১২ + ৭ = ১৯টি আম",
        "12 + 7 = 19",
        "১২ + 7 = ১৯",
        "৯ x ৬ = ৫৪",
        "৯ × ৬ = ৫৪",
        "৯*৬=৫৪",
        "৮৪ ÷ ৪ = ২১",
        "৮৪ / ৪ = ২১",
        "২০ − ৫ = ১৫",
        "২০ – ৫ = ১৫",
        r"৯ \times ৬ = ৫৪",
        "(৩ + ৪) × ২ = ১৪",
        "[২ + (৩ + ৪)] × ২ = ১৮",
        "২(৩ + ৪) = ১৪",
        "৩ + ৪ × ২ = ১১",
        "২^৫ = ৩২",
        "½ + ¼ = ০.৭৫",
        ".৫ + .২৫ = .৭৫",
        "1,234,567 + 3 = 1,234,570",
        "১২,৩৪,৫৬৭ + ৩ = ১২,৩৪,৫৭০",
        "৳১৫০ + ৳২০ = ৳১৭০",
        "$১৫ x ২ = $৩০",
        "১৫০ টাকা + ২০ টাকা = ১৭০ টাকা",
        "৪০ কেজি / ৮ কেজি/বস্তা = ৫ বস্তা",
        "শনিবার ১০ + রবিবার ১২ + সোমবার ৩ = ২৫",
        "১৪০ এর ৪০% = ৫৬",
        "৪০% of ১৪০ = ৫৬",
        "৪০ শতাংশ x ১৪০ = ৫৬",
        "২৫% + ৫০% = ৭৫%",
        "৩ / ৪ = ৭৫%",
        "২০০ - ২০% = ১৬০",
        "৩/৪ + ১/৪ = ১",
        "৬০/৩/৪ = ৮০",
        "৩ + ৪ = ৭ × ২ = ১৪",
        "২ × ৩ + ৪ = ৬ + ৪ = ১০",
        "১০ / ৩ = ৩.৩৩",
        "১০ / ৩ ≈ ৩",
        "৭ / ২ = ৪",
        "৫০ / ৮ = ৬টি করে, বাকি ২টি",
        "৪০ / ৮ = ৮টি ঘরে ৫টি করে চেয়ার",
        "২ ঘন্টা + ১ ঘন্টা = ১৮০ মিনিট",
        "৮ x ৩ = ২৪টি = ২ ডজন",
        "- ৫ + ৩ = ৮",
        "তাপমাত্রা -৫ + ৩ = -২",
        "<<৯*৬=৫৪>>",
        "৯ x ৬ = <<৯*৬=৫৪>>৫৪টি",
        "৳<<১২৮/২=৬৪>>৬৪",
        "১ + ৩/৪ = <<১+৩/৪=৭/৪>>৭/৪ অংশ",
        "<<৪০/৮=৫>>৮টি ঘরে ৫টি করে",
    ],
)
def test_correct_calculations_pass_in_any_notation(chain: str) -> None:
    """A true equation is read, and no fault is found in it."""
    report = check_chain(chain)
    assert report.steps
    assert report.faults == ()


@pytest.mark.parametrize(
    ("chain", "value"),
    [
        ("মোট ১২ + ৭ = ২০টি আম", 19),
        ("৯ x ৬ = ৫৬", 54),
        ("(৩ + ৪) × ২ = ১৫", 14),
        ("২(৩ + ৪) = ১৫", 14),
        ("১২,৩৪,৫৬৭ + ৩ = ১২,৩৪,৫৭১", 1234570),
        ("১৪০ এর ৪০% = ৫৭", 56),
        ("১০ / ৩ = ৩.৩৪", Fraction(10, 3)),
        ("১০ / ৪ = ৪", Fraction(5, 2)),
        ("৫০ / ৮ = ৫টি করে, বাকি ১০টি", Fraction(25, 4)),
        ("২ ঘন্টা + ১ ঘন্টা = ১৭০ মিনিট", 3),
        ("৩ + ৪ = ২ + ৬", 7),
        ("<<৯*৬=৫৬>>৫৬", 54),
        ("৯ x ৬ = <<৯*৬=৫৪>>৫৫টি", 54),
        ("মোট ৫৪ = ৫৪ = ৯ x ৭", 54),
    ],
)
def test_wrong_calculations_are_proven(chain: str, value: Fraction | int) -> None:
    """The first wrong step is proven and gives the exact value."""
    step = check_chain(chain).first_proven
    assert step is not None
    assert step.value == value


@pytest.mark.parametrize(
    "chain",
    [
        "ক + ৬ = ৪০",
        "দিন ৩ = ২ + ৫",
        "১ কেজি = ১০০০ গ্রাম",
        "বয়সের ৩ গুণ + ৫ = ৩৫",
        "দামের ১/২ + ৫ = ৩৫",
        "√৯ + ৩ = ৬",
        "৮:০০ - ১:১৫ = ৬:৪৫",
        "আয় + ৩০ + ২০ = ৯০",
        "৩ + ৪ = ক",
        "কমে।২৫*৮ = ২",
        "২০-২৫ জন",
        "৫/০ = ৩",
        "৯^৯৯ = ৩",
        "12345678901234567890123456789012345 + 1 = 3",
        "<<৪৫+৩০+ ব্যয় হবে। ৫+১০=৯০>>৯০",
    ],
)
def test_unreadable_equations_are_not_faults(chain: str) -> None:
    """Unknowns, operations in words, clock times, names and broken annotations are no faults."""
    assert check_chain(chain).faults == ()


def test_a_wrong_annotation_is_reported_once() -> None:
    """The text before and after a wrong annotation repeats its fault and adds none."""
    report = check_chain("তাই ৯ x ৬ = <<৯*৬=৫৬>>৫৬টি। পরে ৫৬ + ৪ = <<৫৬+৪=৬০>>৬০টি।")
    assert [fault.stated for fault in report.faults] == ["৫৬"]


def test_step_offsets_are_code_points() -> None:
    """Offsets are code points of the raw chain, for both codings of য়."""
    for word in ("হ\u09df", "হ\u09af\u09bc"):
        chain = f"দাম {word} ৩ + ৪ = ৮ টাকা"
        step = only(chain)
        assert chain[step.start : step.end] == "৩ + ৪ = ৮"
        assert (step.expression, step.stated, step.ok) == ("৩ + ৪", "৮", False)


def test_a_misprint_in_the_middle_proves_nothing() -> None:
    """In a = b = c a wrong b is a fault without proof if a equals c."""
    report = check_chain("৪০ + ৪০/২ = ৪০ + ২৫ = ৬০")
    assert report.faults
    assert report.first_proven is None


def test_final_lines_are_not_read() -> None:
    """A `####` line changes nothing, whatever it says."""
    chain = "৩ + ৪ = <<৩+৪=৭>>৭টি"
    assert check_chain(f"{chain}\n#### ৯ = ৩ + ৪").steps == check_chain(chain).steps
