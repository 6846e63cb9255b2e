"""Tests of judging a reasoning item."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from banglahallueval.io.tables import read_frame
from banglahallueval.judges.arithmetic import check_chain, judge_item
from banglahallueval.tasks import Item, split_final_answer

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))


def item(chain: str, problem: str = "মোট কত?") -> Item:
    return Item("reasoning", problem, "", chain)


def test_a_wrong_step_is_explained_with_its_exact_value() -> None:
    """The explanation gives the calculation, its exact value and what the chain states."""
    verdict = judge_item(item("আম ৩ + ৪ = ৭টি। পরে ৭ x ৬ = ৪৪টি।"))
    assert verdict.label == "yes"
    assert verdict.raw == "৭ x ৬ = 42, not ৪৪"
    (finding,) = verdict.findings
    assert finding.proven
    assert finding.field == "output"


def test_endless_decimals_are_explained_as_fractions() -> None:
    """A value without a finite decimal is written as a fraction with its approximate value."""
    assert judge_item(item("১০ / ৩ = ৪.৫")).raw == "১০ / ৩ = 10/3 (about 3.33), not ৪.৫"
    assert judge_item(item("৫ / ২ = ৪.৫")).raw == "৫ / ২ = 2.5, not ৪.৫"


@pytest.mark.parametrize(
    ("chain", "problem", "raw"),
    [
        (
            "৪ × ৫ = ২০। ২০ + ৩ = ২৩। উত্তর: ৪৩",
            "মোট কত?",
            "'৪৩' is not what the last calculation came to",
        ),
        (
            "দাম ৩ × ১৬ = ৪৮ টাকা।",
            "প্রতিটি ১৫ টাকা দরে ৩টি কলমের দাম কত টাকা?",
            "the calculation uses 16, where the problem has 15",
        ),
        ("৩ + ৪ = ৭", "মোট কত?", "1 calculation checked, none wrong"),
        ("৩ + ৪ = ৭, ৭ + ১ = ৮", "মোট কত?", "2 calculations checked, none wrong"),
    ],
)
def test_an_explanation_is_a_sentence(chain: str, problem: str, raw: str) -> None:
    assert judge_item(item(chain, problem)).raw == raw


@pytest.mark.parametrize("chain", ["", "   ", "\n\n"])
def test_a_blank_chain_is_unknown(chain: str) -> None:
    """A blank chain gets no label."""
    verdict = judge_item(item(chain))
    assert (verdict.label, verdict.reason) == ("unknown", "blank input")


def test_a_faultless_chain_is_no_with_moderate_probability() -> None:
    """A chain of true equations is no, with a probability that leaves room for wrong reasoning."""
    verdict = judge_item(item("৩ + ৪ = ৭"))
    assert verdict.label == "no"
    assert verdict.p_hallucinated is not None
    assert 0.1 < verdict.p_hallucinated < 0.5
    assert verdict.findings == ()


@pytest.mark.parametrize(
    "chain",
    [
        "দোকানে সাধারণত ১টি ফ্রি দেয়, তাই ৪ + ১ = ৫টি।",
        "তাই ছাড়টি পুরো দামের উপর ধরা যায়: ৪০ / ২ = ২০।",
        "তাই ছাড়টি পুরো দামের উপর ধরা যা\u09df: ৪০ / ২ = ২০।",
        "ধরে নেওয়া যায় সে ১টি খেয়েছে, ৫ - ১ = ৪।",
    ],
)
def test_an_announced_assumption_is_a_note(chain: str) -> None:
    """An assumption beyond the problem is told in the explanation, and changes no label."""
    verdict = judge_item(item(chain))
    assert (verdict.label, verdict.findings) == ("no", ())
    assert "assumes" in verdict.raw


@pytest.mark.parametrize(
    ("chain", "problem"),
    [
        ("ধরা যাক আমের সংখ্যা ক। ৩ + ৪ = ৭।", "মোট কত?"),
        ("আমরা ধরে নেব সংখ্যাটি ক। ৩ + ৪ = ৭।", "মোট কত?"),
        ("সাধারণত সে ৩টি নেয়, তাই ৩ + ৪ = ৭।", "সে সাধারণত ৩টি নেয়। মোট কত?"),
        ("৩ বার মাছ ধরলে ৩ x ৪ = ১২টি।", "সে মাছ ধরতে গিয়ে ৪টি পায়। ৩ বারে কত?"),
        ("সে ৫ দিন ধরে কাজ করে, ৫ x ৩ = ১৫।", "মোট কত?"),
    ],
)
def test_naming_an_unknown_or_repeating_the_problem_is_no_assumption(
    chain: str, problem: str
) -> None:
    """Defining a variable and repeating words of the problem raise no suspicion."""
    assert judge_item(item(chain, problem)).label == "no"


def test_half_a_person_is_a_suspicion() -> None:
    """A fraction is doubtful if the problem asks how many, unless it asks for a mean."""
    chain = "১১ / ২ = ৫.৫"
    assert judge_item(item(chain, "কতজন ছাত্র আছে?")).label == "yes"
    assert judge_item(item(chain, "গড়ে কতজন ছাত্র আছে?")).label == "no"
    assert judge_item(item(chain, "কত টাকা আছে?")).label == "no"


def test_a_negative_result_is_a_suspicion() -> None:
    """A number of things below zero is doubtful, but no proof."""
    assert judge_item(item("৩ - ৮ = -৫")).label == "no"  # a temperature, a debt
    verdict = judge_item(item("৩ - ৮ = -৫ টাকা"))
    assert verdict.label == "yes"
    assert not verdict.findings[0].proven


def test_long_expressions_are_cut_in_the_explanation() -> None:
    """An explanation is one short line."""
    raw = judge_item(item(" + ".join(["১"] * 500) + " = ৩")).raw
    assert len(raw) < 160
    assert "\n" not in raw


@pytest.mark.skipif(not DATA.exists(), reason="the published rows are not here")
def test_published_rows() -> None:
    """Of the published first halves ≥ 96 % of slips are proven, and ≤ 0.5 % of gold chains."""
    gold = read_frame(DATA / "reasoning_main.csv")["answer"]
    alarms = [check_chain(split_final_answer(chain)[0]).first_proven for chain in gold]
    assert sum(step is not None for step in alarms) <= 0.005 * len(alarms)
    rows = read_frame(DATA / "reasoning_candidates.csv")
    slips = rows[rows["hallucination_type"] == "arithmetic_slip"]["hallucinated_chain"]
    found = [check_chain(chain).first_proven for chain in slips]
    assert sum(step is not None for step in found) >= 0.96 * len(found)
