"""Proofs are settled offline, everything else goes to the LLM judge."""

from __future__ import annotations

from typing import Any

from banglahallueval.judges.arithmetic import judge_item
from banglahallueval.judges.hybrid import HybridJudge
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Span, Verdict


class Counting:
    """A judge that gives one verdict and counts how often it is asked."""

    name = "counting"
    columns: tuple[str, ...] = ("mood",)

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.asked: list[int] = []

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        self.asked.append(again)
        return self.verdict

    def record(self) -> dict[str, Any]:
        return {"model": "counting"}


def item(chain: str) -> Item:
    return Item("reasoning", "কতটি?", "", chain)


async def test_a_proof_is_settled_without_asking() -> None:
    """A wrong calculation is yes, decided offline, and costs no request."""
    llm = Counting(Verdict("no"))
    verdict = await HybridJudge(judge_item, llm).judge(item("৭ + ৫ = ১৩"))
    assert verdict.label == "yes"
    assert verdict.details["decided_by"] == "offline"
    assert "12" in verdict.details["offline_reason"]
    assert llm.asked == []


async def test_what_is_not_proven_goes_to_the_model() -> None:
    """Without a proof the model's label, probability, reply and columns stand, asked as often."""
    llm = Counting(Verdict("unknown", "no verdict", 0.4, "hm", (), {"mood": "unsure"}))
    verdict = await HybridJudge(judge_item, llm).judge(item("৭ + ৫ = ১২"), again=2)
    assert (verdict.label, verdict.reason, verdict.raw) == ("unknown", "no verdict", "hm")
    assert verdict.p_hallucinated == 0.4
    assert verdict.details["decided_by"] == "llm"
    assert verdict.details["mood"] == "unsure"
    assert llm.asked == [2]


async def test_a_chain_without_calculations_goes_to_the_model() -> None:
    """Where the offline judge has nothing to check, the model's label stands."""
    llm = Counting(Verdict("yes"))
    verdict = await HybridJudge(judge_item, llm).judge(item("বাকি সব ছেলে পেল।"))
    assert (verdict.label, verdict.details["decided_by"]) == ("yes", "llm")
    assert llm.asked == [0]


async def test_a_suspicion_decides_nothing() -> None:
    """An offline yes without a proven finding leaves the label to the model and shows its place."""
    suspicion = Span(0, 3, "assumed", proven=False)
    offline = Verdict("yes", p_hallucinated=0.9, raw="assumes", findings=(suspicion,))
    llm = Counting(Verdict("no"))
    verdict = await HybridJudge(lambda _: offline, llm).judge(item("তাই"))
    assert verdict.label == "no"
    assert verdict.findings == (suspicion,)
    assert verdict.details["offline_reason"] == "assumes"


async def test_a_proof_overrules_the_offline_label() -> None:
    """A proven finding makes the label yes whatever label it comes with."""
    offline = Verdict("no", findings=(Span(0, 1, "wrong", proven=True),))
    verdict = await HybridJudge(lambda _: offline, Counting(Verdict("no"))).judge(item("তাই"))
    assert verdict.label == "yes"


def test_columns_and_record_name_both() -> None:
    """The output has both judges' columns, and the record has the LLM judge's record."""
    hybrid = HybridJudge(judge_item, Counting(Verdict("no")))
    assert hybrid.columns == ("decided_by", "offline_reason", "mood")
    assert hybrid.record() == {"offline_first": True, "llm": {"model": "counting"}}
