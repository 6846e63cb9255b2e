"""A detector is described before it is made, and what it lacks is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClassifierOptions, ClientOptions
from banglahallueval.models.store import ReplyStore
from banglahallueval.prompts import load
from banglahallueval.spans.detectors.factory import DETECTORS, DetectorSpec, LocalDetector
from banglahallueval.spans.types import Sample
from tests.fakes import FakeModel

OPENAI = ClientOptions("openai", "gpt-x", max_in_flight=3)
HF = ClientOptions("hf", "a/b")
JUDGE = JudgeSpec("openai", OPENAI, load("qa.standard_context", "qa"))
CLASSIFIER = ClassifierOptions("c/d")
SPECS = {
    "offline": DetectorSpec("offline"),
    "evidence": DetectorSpec("evidence"),
    "arithmetic": DetectorSpec("arithmetic"),
    "llm": DetectorSpec("llm", OPENAI),
    "uncertainty": DetectorSpec("uncertainty", HF, measure="entropy"),
    "claims": DetectorSpec("claims", judge=JUDGE),
    "encoder": DetectorSpec("encoder", classifier=CLASSIFIER),
    "nli": DetectorSpec("nli", classifier=CLASSIFIER),
}
SAMPLE = Sample("1", "ঢাকা রাজধানী। এটি বড়।", evidence="ঢাকা", question="কী?")


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detector_can_be_made(name: str, tmp_path: Path) -> None:
    """Its name is its kind, and one with a model of its own is to be prepared."""
    spec = SPECS[name]
    client = Client(FakeModel(), ReplyStore(tmp_path / "s.sqlite")) if spec.client else None
    detector = spec.build(client)
    assert detector.name == name
    assert isinstance(detector, LocalDetector) == (
        name in ("uncertainty", "claims", "encoder", "nli")
    )


@pytest.mark.parametrize(
    ("name", "model", "concurrency"),
    [
        ("offline", "offline", 1),
        ("llm", "gpt-x", 3),
        ("uncertainty", "a/b", 64),
        ("claims", "gpt-x", 3),
        ("encoder", "c/d", 64),
    ],
)
def test_identities_name_kind_and_model(name: str, model: str, concurrency: int) -> None:
    identity = SPECS[name].identity()
    assert (identity["kind"], identity["name"]) == (name, model)
    assert SPECS[name].concurrency == concurrency


def test_what_changes_scores_changes_the_identity() -> None:
    specs = [
        *SPECS.values(),
        DetectorSpec("uncertainty", HF),
        DetectorSpec("uncertainty", HF, shows_evidence=True),
        DetectorSpec("claims", judge=JudgeSpec("offline")),
    ]
    identities = [repr(spec.identity()) for spec in specs]
    assert len(set(identities)) == len(specs)
    assert SPECS["llm"].identity()["prompt"]["name"] == "spans.tag"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "llm"}, "--detector llm needs --model NAME"),
        ({"name": "uncertainty"}, "needs --model NAME"),
        ({"name": "uncertainty", "model": OPENAI}, "Hugging Face models alone"),
        ({"name": "nli"}, "needs --model NAME"),
        ({"name": "claims"}, "needs a judge"),
        (
            {"name": "claims", "judge": JudgeSpec("openai", OPENAI, load("qa.standard", "qa"))},
            "does not show the context to the judge; .*qa.standard_context",
        ),
    ],
)
def test_a_detector_without_what_it_needs_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        DetectorSpec(**options)


def test_what_will_be_asked_is_known_before() -> None:
    """One prompt for each answer, or for each sentence; none without a chat model."""
    (tagging,) = SPECS["llm"].asks(SAMPLE)
    assert SAMPLE.answer in tagging.prompt
    assert (tagging.max_tokens, tagging.max_tokens_thinking) == (512, 4608)
    claims = SPECS["claims"].asks(SAMPLE)
    assert ["এটি বড়।" in ask.prompt for ask in claims] == [False, True]
    assert {ask.max_tokens for ask in claims} == {16}
    assert not any(SPECS[name].asks(SAMPLE) for name in ("offline", "uncertainty", "nli"))
    work = SPECS["claims"].workload([SAMPLE, Sample("2", "", evidence="ক"), SAMPLE])
    assert (work.requests, work.max_tokens, work.max_tokens_thinking) == (4, 16, 4096)
    assert work.longest_prompt == max(len(ask.prompt) for ask in claims)


def test_a_budget_of_the_users_own_counts_everywhere() -> None:
    spec = DetectorSpec("llm", ClientOptions("openai", "m", max_tokens=99))
    assert [ask[1:] for ask in spec.asks(SAMPLE)] == [(99, 99)]
