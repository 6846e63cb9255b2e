"""An output that abstains claims nothing, and so is no hallucination."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from banglahallueval.judges.abstained import ABSTAINED
from banglahallueval.judges.hybrid import HybridJudge, settled_label
from banglahallueval.judges.offline import OfflineJudge, judge_offline
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict

QUESTION, CONTEXT = "সেতুটি কবে চালু হয়?", "সেতুটি ২০০৫ সালের ২১ মে চালু হয়।"
ITEMS: dict[str, Callable[[str], Item]] = {
    "qa": lambda output: Item("qa", QUESTION, CONTEXT, output),
    "codemix": lambda output: Item(
        "codemix", "setu kobe chalu hoy?", "2005 sale chalu hoy.", output
    ),
    "summarization": lambda output: Item("summarization", "", CONTEXT, output),
    "reasoning": lambda output: Item("reasoning", "মোট কত?", "", output),
}
OUTPUTS = ["আমি জানি না।", "jani na", "IDK", "**I'm not sure.**", "অনুচ্ছেদে এ বিষয়ে উল্লেখ নেই।"]


@pytest.mark.parametrize("make", ITEMS.values(), ids=ITEMS)
@pytest.mark.parametrize("output", OUTPUTS)
async def test_an_abstention_is_no(make: Callable[[str], Item], output: str) -> None:
    """Every offline judge says no, and why."""
    verdict = await OfflineJudge(explain=True).judge(make(output))
    assert (verdict.label, verdict.p_hallucinated, verdict.findings) == ("no", 0.0, ())
    assert verdict.details["explanation"] == ABSTAINED.raw


@pytest.mark.parametrize("output", ["জানি না, তবে ১৯৭১ সালে", "Not sure, maybe 1971", "১৯৭১", "না"])
def test_a_hedged_answer_is_judged_as_an_answer(output: str) -> None:
    """What commits to anything goes through the checks."""
    assert judge_offline(ITEMS["qa"](output)) != ABSTAINED


def test_a_final_answer_commits_a_chain() -> None:
    """A chain that abstains and still gives a final answer is checked."""
    item = Item("reasoning", "মোট কত?", "", "জানি না", final_answer="৪২")
    assert judge_offline(item) != ABSTAINED


@pytest.mark.parametrize("output", ["", "  "])
def test_a_blank_output_is_unknown(output: str) -> None:
    """Nothing said is not the same as abstaining."""
    assert judge_offline(ITEMS["qa"](output)).label == "unknown"


async def test_the_hybrid_asks_no_model_about_it() -> None:
    """An abstention is settled offline."""

    class NeverAsked:
        name = "never"
        columns: tuple[str, ...] = ()

        async def judge(self, item: Item, again: int = 0) -> Verdict:
            raise AssertionError("asked")

        def record(self) -> dict[str, object]:
            return {}

    verdict = await HybridJudge(judge_offline, NeverAsked()).judge(ITEMS["qa"]("জানি না"))
    assert (verdict.label, verdict.details["decided_by"]) == ("no", "offline")
    assert verdict.details["offline_reason"] == ABSTAINED.raw


def test_a_mere_no_settles_nothing() -> None:
    """That nothing was found does not clear an output."""
    assert settled_label(Verdict("no", p_hallucinated=0.0, raw="nothing found")) is None
