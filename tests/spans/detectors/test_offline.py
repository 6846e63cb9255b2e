"""The detectors that need no model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.spans.detectors.failures import BLANK, NO_EVIDENCE
from banglahallueval.spans.detectors.offline import (
    NO_CALCULATIONS,
    ArithmeticDetector,
    EvidenceDetector,
    OfflineDetector,
)
from banglahallueval.spans.types import Detector, Sample

EVIDENCE = "হালদা নদীর দৈর্ঘ্য ৯৮ কিলোমিটার। নদীটি কর্ণফুলীতে পড়েছে। ২০২০ সালে এটি হেরিটেজ হয়।"
PROBLEM = "৮ ঝুড়িতে ২৫টি করে আম। ৩৬টি পচে গেল। কয়টি ভালো?"


def sample(answer: str, evidence: str = EVIDENCE, question: str = "", language: str = "") -> Sample:
    return Sample("1", answer, evidence=evidence, question=question, language=language)


async def marked(detector: Detector, examined: Sample) -> list[str]:
    """The stretches that a detector marks; it must not fail."""
    found = await detector.detect(examined)
    assert not found.failure
    return [examined.answer[start:end] for start, end in found.spans]


async def test_evidence_marks_what_the_evidence_lacks() -> None:
    answer = "হালদা নদীর দৈর্ঘ্য ১২০ কিলোমিটার।"
    examined = sample(answer, question="হালদা নদীর দৈর্ঘ্য কত ?")
    assert await marked(EvidenceDetector(), examined) == ["১২০"]


async def test_evidence_marks_what_stands_there_as_something_else() -> None:
    examined = sample("২০২০ সালে", question="হালদা নদীর দৈর্ঘ্য কত কিলোমিটার ?")
    assert await marked(EvidenceDetector(), examined) == ["২০২০"]


async def test_a_hedge_is_no_fault() -> None:
    examined = sample("সম্ভবত ৯৮ কিলোমিটার।", question="হালদা নদীর দৈর্ঘ্য কত কিলোমিটার ?")
    assert await marked(EvidenceDetector(), examined) == []


async def test_answers_in_other_languages_are_not_held_against_the_question() -> None:
    evidence = "Halda is 98 kilometres long. It became a heritage in 2020."
    question = "How long is the Halda in kilometres?"
    examined = sample("2020", evidence, question, language="en")
    assert await marked(EvidenceDetector(), examined) == []


async def test_a_summary_that_paraphrases_keeps_its_scores_below_the_threshold() -> None:
    examined = sample("হালদা নদীর দৈর্ঘ্য ৯৮ কিলোমিটার, কর্ণফুলীতে মিশেছে। ২০২০ সালে হেরিটেজ হয়।")
    found = await EvidenceDetector().detect(examined)
    assert found.spans == ()
    assert max(found.scores) > 0


async def test_a_contradicted_number_of_a_summary_is_marked() -> None:
    examined = sample("হালদা নদীর দৈর্ঘ্য ১২০ কিলোমিটার।")
    assert await marked(EvidenceDetector(), examined) == ["১২০"]


async def test_arithmetic_marks_a_wrong_result_where_its_step_states_it() -> None:
    chain = "২১০টি আম কারণ ৮*২৫ = <<৮*২৫=২১০>>২১০।\nভালো ২১০-৩৬ = <<২১০-৩৬=১৭৪>>১৭৪টি।"
    found = await ArithmeticDetector().detect(sample(chain, PROBLEM))
    assert [chain[start:end] for start, end in found.spans] == ["২১০"] * 3
    assert max(start for start, _ in found.spans) < chain.index("\n")


async def test_arithmetic_marks_no_number_that_a_step_starts_from() -> None:
    chain = "৫ জনের ভাগ ২০/৫ = ৫টি করে।"
    found = await ArithmeticDetector().detect(sample(chain, PROBLEM))
    assert [(start, end) for start, end in found.spans] == [(18, 19)]


async def test_arithmetic_marks_an_assumption_that_the_problem_does_not_make() -> None:
    chain = "মোট ৮*২৫ = ২০০টি। পথে ১০টি হারিয়েছে ধরে নেওয়া যায়। থাকে ২০০-১০ = ১৯০টি।"
    found = await marked(ArithmeticDetector(), sample(chain, PROBLEM))
    assert found == ["পথে ১০টি হারিয়েছে ধরে নেওয়া যায়"]


async def test_a_right_chain_is_clean() -> None:
    chain = "মোট ৮*২৫ = ২০০টি। ভালো ২০০-৩৬ = ১৬৪টি।"
    assert await marked(ArithmeticDetector(), sample(chain, PROBLEM)) == []


async def test_offline_checks_the_arithmetic_of_chains_and_the_evidence_of_others() -> None:
    chain = "মোট ৮*২৫ = ২১০টি।"
    assert await marked(OfflineDetector(), sample(chain, PROBLEM)) == ["২১০"]
    answer = "নদীটি পদ্মায় পড়েছে।"
    examined = sample(answer, question="নদীটি কোথায় পড়েছে ?")
    assert await marked(OfflineDetector(), examined) == ["পদ্মায়"]


@pytest.mark.parametrize(
    ("detector", "examined", "failure"),
    [
        (EvidenceDetector(), sample("ঢাকা", evidence=" \n"), NO_EVIDENCE),
        (OfflineDetector(), sample("ঢাকা", evidence=""), NO_EVIDENCE),
        (EvidenceDetector(), sample(" "), BLANK),
        (ArithmeticDetector(), sample(""), BLANK),
        (OfflineDetector(), sample("\n"), BLANK),
        (ArithmeticDetector(), sample("ঢাকা"), NO_CALCULATIONS),
    ],
)
async def test_what_cannot_be_examined_is_a_failure_never_clean(
    detector: Detector, examined: Sample, failure: str
) -> None:
    found = await detector.detect(examined)
    assert (found.failure, found.scores, found.spans) == (failure, (), ())


async def test_chains_need_no_evidence() -> None:
    assert await marked(OfflineDetector(), sample("২+২ = ৫", evidence="")) == ["৫"]


@pytest.mark.parametrize("detector", [EvidenceDetector(), ArithmeticDetector(), OfflineDetector()])
def test_a_record_tells_the_version(detector: Detector) -> None:
    assert list(detector.record()) == ["version"]


TEXTS = st.text(st.sampled_from("হালদা ১২০৯৮ কিলোমিটার। না ২+২=৫ <<>>\n\u09bc\u200d😀️京"), max_size=60)


@given(TEXTS, TEXTS, TEXTS)
async def test_scores_cover_the_answer_and_spans_lie_in_it(
    answer: str, evidence: str, question: str
) -> None:
    found = await OfflineDetector().detect(sample(answer, evidence, question))
    if found.failure:
        return
    assert len(found.scores) == len(answer)
    assert all(0 <= score <= 1 for score in found.scores)
    ends = -1
    for start, end in found.spans:
        assert ends < start < end <= len(answer)
        ends = end
