"""Summaries are checked against their document."""

from __future__ import annotations

import pytest

from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Span

DOCUMENT = (
    "আমার ভাইয়ের বয়স ২৬ বছর । গত ৪ দিন ধরে তার কানে ব্যাথা , কিন্তু কান দিয়ে পানি পড়ে না । "
    "গতকাল জ্বর এসেছিল , নাপা খাওয়ার পর জ্বর কমেছে । এখন কি করবো জানাবেন ।"
)


def judge(summary: str) -> tuple[str, dict[str, Span]]:
    verdict = judge_item(Item("summarization", "", DOCUMENT, summary))
    return verdict.label, {summary[f.start : f.end]: f for f in verdict.findings}


@pytest.mark.parametrize(
    "summary",
    [
        "বয়স ২৬ । ৪ দিন ধরে কানে ব্যথা । জ্বর কমেছে । কি করণীয় ?",
        "ভাইয়ের বয়স 26, চার দিন হলো কানে ব্যাথা, কান দিয়ে পানি পড়ছে না। নাপা খেয়েছে।",
    ],
)
def test_faithful_summary_is_no(summary: str) -> None:
    """Other spellings and inflections than the document's are supported."""
    assert judge(summary)[0] == "no"


def test_changed_number_is_proven() -> None:
    """The document counts days with another number, which the reason quotes."""
    label, found = judge("বয়স ২৬। ৯ দিন ধরে কানে ব্যথা। জ্বর কমেছে।")
    assert label == "yes"
    assert found["৯"].proven
    assert found["৯"].reason == "'৯' is not in the document; it says ৪ দিন"


def test_added_drug_and_symptoms_are_findings() -> None:
    """Names and symptoms that the document lacks are findings."""
    label, found = judge("বয়স ২৬। কানে ব্যথা, মাথা ঘোরা ও বমি। সিপ্রোফ্লক্সাসিন খেয়েছে।")
    assert label == "yes"
    assert "সিপ্রোফ্লক্সাসিন" in " ".join(found)
    assert "বমি" in " ".join(found)


def test_added_negation_is_a_finding() -> None:
    """The summary negates what the document affirms."""
    _, found = judge("বয়স ২৬। কানে ব্যথা নেই। জ্বর আসেনি।")
    assert "denied here" in found["নেই"].reason


def test_dropped_negation_is_a_finding() -> None:
    """The summary affirms what the document negates."""
    found = judge("বয়স ২৬। ৪ দিন ধরে কানে ব্যথা, কান দিয়ে পানি পড়ে।")[1]
    assert any("denial" in finding.reason for finding in found.values())


def test_antonym_is_quoted_from_the_document() -> None:
    """The summary says "risen" where the document says "fallen"."""
    assert "it says কমেছে" in judge("কানে ব্যথা। নাপা খাওয়ার পর জ্বর বেড়েছে।")[1]["বেড়েছে"].reason


@pytest.mark.parametrize("denial", ["পাননি", "পান নি", "পান নাই", "পায় নাই"])
def test_a_denial_written_apart_denies_the_same_words(denial: str) -> None:
    """The verb does not count among the words before a denial that it denies."""
    document = "শ্রমিকরা বেতন পাননি। সেতুটি খুলে দেওয়া হয়েছে।"
    item = Item("summarization", "", document, f"শ্রমিকরা বেতন {denial}।")
    assert not judge_item(item).findings
