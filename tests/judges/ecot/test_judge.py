"""The E-CoT judge: verified claims, both verdicts, policies, one re-ask, no made-up label."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.judges.ecot.judge import NO_CLAIMS, NO_STATUS, NO_VERDICT, EcotJudge
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.ecot.policies import Counts, by_rule
from banglahallueval.models.client import Client
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import ModelError, Reply, Request
from banglahallueval.prompts import load
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict
from tests.fakes import FakeModel

QA = Item("qa", "রাজধানী কী?", "ঢাকা বাংলাদেশের রাজধানী। নদী বুড়িগঙ্গা।", "ঢাকা")
SUM = Item("summarization", "", "ঢাকা বাংলাদেশের রাজধানী।", "ঢাকা রাজধানী")
MATHS = Item("reasoning", "প্রতিটি ৬ টাকায় ৩টি কলম কত?", "", "৬*৩ = ১৮\n১৮ + ১ = ২০", "২০")


def reply(*claims: tuple[str, str, str], verdict: str = "no") -> Reply:
    listed = [dict(zip(("claim", "supported_by", "status"), c, strict=True)) for c in claims]
    return Reply(json.dumps({"claims": listed, "verdict": verdict}, ensure_ascii=False))


SUPPORTED = ("ঢাকা রাজধানী", "ঢাকা বাংলাদেশের রাজধানী", "supported")
INVENTED = ("রাজধানী ঢাকা", "রাজধানীর নাম ঢাকা", "supported")
MISSING = ("নদী পদ্মা", "", "missing")
AGAINST = ("নদী পদ্মা", "নদী বুড়িগঙ্গা", "contradicted")


async def ask(
    tmp_path: Path,
    item: Item,
    answers: list[Reply | ModelError] | Callable[[Request], Reply],
    options: EcotOptions | None = None,
    again: int = 0,
) -> tuple[Verdict, FakeModel]:
    model = FakeModel(answers)
    store = ReplyStore(tmp_path / "replies.sqlite")
    client = Client(model, store, max_retries=0)
    judge = EcotJudge(client, load(f"{item.task}.ecot", item.task), options)
    verdict = await judge.judge(item, again)
    store.close()
    return verdict, model


async def test_supported_claims_with_their_words_are_no(tmp_path: Path) -> None:
    """A claim whose citation stands in the evidence is support, with its offsets."""
    verdict, model = await ask(tmp_path, QA, [reply(SUPPORTED)])
    assert (verdict.label, verdict.reason) == ("no", "")
    details = verdict.details
    assert details["num_claims"] == details["num_supported"] == "1"
    assert (details["false_citations"], details["divergence"]) == ("0", "no")
    (claim,) = json.loads(details["claims_json"])
    (span,) = claim["spans"]
    assert QA.context[slice(*span)] == "ঢাকা বাংলাদেশের রাজধানী"
    assert claim["found_in"] == "context"
    assert model.requests[0].schema is not None


async def test_a_false_citation_is_not_support(tmp_path: Path) -> None:
    """Regression: words said to be copied that are nowhere in the evidence counted as support."""
    verdict, _ = await ask(tmp_path, QA, [reply(INVENTED)])
    assert verdict.label == "yes"
    details = verdict.details
    assert (details["verdict_model"], details["verdict_rule"]) == ("no", "yes")
    assert (details["num_missing"], details["false_citations"]) == ("1", "1")
    assert (details["divergence"], details["verdict_source"]) == ("yes", "rule")
    (claim,) = json.loads(details["claims_json"])
    assert (claim["said"], claim["status"], claim["spans"]) == ("supported", "missing", [])


async def test_support_without_any_citation_is_missing_but_no_false_citation(
    tmp_path: Path,
) -> None:
    """What is called supported and cites nothing is missing; nothing false was cited."""
    verdict, _ = await ask(tmp_path, QA, [reply(("ঢাকা", "", "supported"))])
    assert (verdict.details["num_missing"], verdict.details["false_citations"]) == ("1", "0")


async def test_contradictions_are_verified_and_counted_by_kind(tmp_path: Path) -> None:
    """Fault: words that are nowhere in the evidence counted as a contradiction."""
    invented = ("নদী পদ্মা", "নদী যমুনা", "contradicted")
    claims = [SUPPORTED, INVENTED, AGAINST, invented, ("৯", "", "contradicted"), MISSING]
    verdict, _ = await ask(tmp_path, QA, [reply(*claims, verdict="yes")])
    details = verdict.details
    assert [details[f"num_{name}"] for name in ("supported", "contradicted", "missing")] == [
        *("1", "2", "3")
    ]
    assert (details["false_citations"], details["false_contradictions"]) == ("1", "1")
    statuses = [claim["status"] for claim in json.loads(details["claims_json"])]
    assert statuses == [
        *("supported", "missing", "contradicted"),
        *("missing", "contradicted", "missing"),
    ]


async def test_a_false_contradiction_is_no_contradiction(tmp_path: Path) -> None:
    """Three claims that hold and one contradicted by invented words: 1 of 4 missing is no."""
    invented = ("নদী পদ্মা", "নদী যমুনা", "contradicted")
    verdict, _ = await ask(tmp_path, QA, [reply(SUPPORTED, SUPPORTED, SUPPORTED, invented)])
    assert verdict.label == "no"


@pytest.mark.parametrize(
    ("item", "policy", "label", "source"),
    [
        (QA, "published", "yes", "rule"),
        (SUM, "published", "no", "model"),
        (SUM, "rule", "yes", "rule"),
        (QA, "model", "no", "model"),
    ],
)
async def test_policies(tmp_path: Path, item: Item, policy: str, label: str, source: str) -> None:
    """As published the rule decides, in summarization the model; either may be chosen for all."""
    options = EcotOptions(policy=policy)  # type: ignore[arg-type]
    verdict, _ = await ask(tmp_path, item, [reply(SUPPORTED, AGAINST)], options)
    assert (verdict.label, verdict.details["verdict_source"]) == (label, source)


@pytest.mark.parametrize(
    ("counts", "share", "label"),
    [
        (Counts(9, 1, 0), 1.0, "yes"),
        (Counts(7, 0, 3), 0.3, "no"),
        (Counts(6, 0, 3), 0.3, "yes"),
        (Counts(0, 0, 3), 1.0, "no"),
        (Counts(0, 0, 0), 0.3, "unknown"),
        (Counts(9, 0, 0, unstated=1), 0.3, "unknown"),
        (Counts(0, 0, 9, unstated=1), 0.3, "yes"),
        (Counts(0, 1, 0, unstated=5, open_end=True), 0.3, "yes"),
        (Counts(0, 0, 5, open_end=True), 0.3, "unknown"),
        (Counts(5, 0, 0, open_end=True), 0.3, "unknown"),
    ],
)
def test_the_rule(counts: Counts, share: float, label: str) -> None:
    """Any contradiction, or more missing than the share; undecided where unread claims decide."""
    assert by_rule(counts, share) == label


async def test_what_cannot_be_read_is_asked_once_more(tmp_path: Path) -> None:
    """Plain prompting: prose is answered with one further request that asks for the object."""
    verdict, model = await ask(tmp_path, QA, [Reply("It seems right to me."), reply(SUPPORTED)])
    assert verdict.label == "no"
    first, second = (request.messages[0].text for request in model.requests)
    assert second.startswith(first)
    assert "one complete JSON object" in second


@pytest.mark.parametrize(
    ("answers", "reason", "asked"),
    [
        ([Reply("yes"), Reply("no")], "unparsed", 2),
        ([reply(), reply()], NO_CLAIMS, 2),
        ([Reply('{"claims": ["ঢাকা"], "verdict": "no"}')] * 2, NO_STATUS, 2),
        ([Reply('{"claims": [{"claim": "ঢ', "length")] * 2, "cut off", 2),
        ([Reply(""), Reply("")], "empty reply", 2),
        ([Reply("", "filtered")], "filtered", 1),
        ([Reply(reply(SUPPORTED).text, "context truncated")], "context truncated", 1),
        ([Reply("<think>well", "length")], "unfinished thinking", 1),
        ([ModelError("timeout", "late")], "no reply: timeout", 1),
    ],
)
async def test_no_label_is_made_up(
    tmp_path: Path, answers: list[Reply | ModelError], reason: str, asked: int
) -> None:
    """Whatever brings no verdict is unknown with its reason; what would repeat is asked once."""
    verdict, model = await ask(tmp_path, QA, answers)
    assert (verdict.label, verdict.reason) == ("unknown", reason)
    assert len(model.requests) == asked


@pytest.mark.parametrize(("claim", "label"), [(SUPPORTED, "unknown"), (AGAINST, "yes")])
async def test_a_cut_reply_decides_only_what_its_end_cannot_change(
    tmp_path: Path, claim: tuple[str, str, str], label: str
) -> None:
    """Supported claims before a cut are no verdict, a contradicted one is."""
    whole = reply(claim).text
    cut = Reply(whole[: whole.index("}") + 1] + ", ", "length")
    verdict, _ = await ask(tmp_path, QA, [cut, cut])
    assert (verdict.label, verdict.reason) == (label, "cut off" if label == "unknown" else "")


async def test_the_model_s_policy_needs_the_model_s_verdict(tmp_path: Path) -> None:
    """Where the model's verdict counts and it gave none, the rule does not stand in for it."""
    answer = Reply(json.dumps({"claims": [{"claim": "ঢাকা", "status": "missing"}]}))
    verdict, _ = await ask(tmp_path, SUM, [answer, answer])
    assert (verdict.label, verdict.reason) == ("unknown", NO_VERDICT)
    assert verdict.details["verdict_rule"] == "yes"


async def test_problem_evidence_is_the_checked_calculations(tmp_path: Path) -> None:
    """Reasoning: the judge sees what exact arithmetic found, and may cite it or the problem."""
    claims = [
        ("দাম ১৮", "৬*৩ = ১৮", "supported"),
        ("৩টি কলম", "৩টি কলম", "supported"),
        ("২০", "১৮ + ১ = ২০", "supported"),
    ]
    verdict, model = await ask(tmp_path, MATHS, [reply(*claims)])
    shown = model.requests[0].messages[0].content
    assert "right: ৬*৩ = ১৮" in shown
    assert "wrong: ১৮ + ১ = 19, not ২০" in shown
    found = [claim["found_in"] for claim in json.loads(verdict.details["claims_json"])]
    assert found == ["evidence", "question", None]


async def test_without_evidence_nothing_is_verified(tmp_path: Path) -> None:
    """With --evidence none there is no text to cite, so statuses stand and no citation is false."""
    none = EcotOptions(evidence="none")
    verdict, model = await ask(tmp_path, MATHS, [reply(("দাম ১৮", "", "supported"))], none)
    assert (verdict.label, verdict.details["false_citations"]) == ("no", "")
    assert "right:" not in model.requests[0].messages[0].content


async def test_gold_evidence_needs_a_solution(tmp_path: Path) -> None:
    """A row without its right solution is not judged against nothing."""
    verdict, model = await ask(tmp_path, MATHS, [], EcotOptions(evidence="gold"))
    assert (verdict.reason, model.requests) == ("blank input", [])


async def test_an_unknown_row_is_asked_anew_by_a_later_run(tmp_path: Path) -> None:
    """The attempt is part of what is asked, so a resumed run does not meet the stored failure."""
    _, first = await ask(tmp_path, QA, lambda _: Reply("hm"))
    verdict, second = await ask(tmp_path, QA, lambda _: reply(SUPPORTED), again=1)
    assert (len(first.requests), len(second.requests)) == (2, 1)
    assert verdict.label == "no"


async def test_a_reply_cut_at_its_budget_is_asked_again_with_twice_as_much(tmp_path: Path) -> None:
    cut = Reply('{"claims": [', "length")
    verdict, model = await ask(tmp_path, QA, [cut, reply(SUPPORTED)])
    assert verdict.label == "no"
    first, second = (request.max_tokens for request in model.requests)
    assert second == 2 * first
