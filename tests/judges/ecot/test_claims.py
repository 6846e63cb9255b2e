"""Claims are read from whatever form a model gives them; what cannot be read is not made up."""

from __future__ import annotations

import json
import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.ecot.claims import Answer, Claim, read_claims
from banglahallueval.models.types import Reply

ONE = {"claim": "ঢাকা রাজধানী", "supported_by": "ঢাকা বাংলাদেশের রাজধানী", "status": "supported"}
TWO = {"claim": "নদী পদ্মা", "supported_by": "", "status": "missing"}
WHOLE = json.dumps({"claims": [ONE, TWO], "verdict": "yes"}, ensure_ascii=False)
READ = Answer(
    (
        Claim("ঢাকা রাজধানী", ("ঢাকা বাংলাদেশের রাজধানী",), "supported"),
        Claim("নদী পদ্মা", (), "missing"),
    ),
    "yes",
    whole=True,
)


def read(text: str, finish: str = "stop") -> Answer | None:
    return read_claims(Reply(text, finish))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Here is the {{JSON}} you asked for:\n{WHOLE}\nI hope [this] helps.",
        f"<think>The claims: {{\"claims\": []}}</think>\n{WHOLE}",
        '{"claims": [{"claim": "...", "supported_by": "...", "status": "supported or contradicted '
        f'or missing"}}], "verdict": "yes or no"}}\n{WHOLE}',
        f'{{"result": {WHOLE}}}',
        WHOLE.replace("}]", "},]"),
        WHOLE.replace('"verdict"', "'verdict'"),
        WHOLE.replace('"status": "missing"', '"status": "Not supported."'),
        WHOLE.replace('"supported_by": ""', '"supported_by": "None"'),
        WHOLE.replace('"supported_by": ""', '"supported_by": null'),
        WHOLE.replace('"yes"', "true").replace('"verdict"', '"is_hallucinated"'),
    ],
)  # fmt: skip
def test_one_answer_in_many_forms(text: str) -> None:
    """Fences, text around it, thinking, echoed examples, wrappers, broken JSON do not matter."""
    assert read(text) == READ


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_bengali_keys_and_values(form: Literal["NFC", "NFD"]) -> None:
    """Keys, statuses and the verdict in Bangla are read in either form of য়."""
    text = (
        '{"দাবিসমূহ": [{"দাবি": "ঢাকা রাজধানী", "উদ্ধৃতি": "ঢাকা বাংলাদেশের রাজধানী", "অবস্থা": "সমর্থিত"},'
        ' {"দাবি": "নদী পদ্মা", "উদ্ধৃতি": "নেই", "অবস্থা": "পাওয়া যায়নি"}], "রায়": "হ্যাঁ"}'
    )
    assert read(unicodedata.normalize(form, text)) == READ


def test_a_broken_list_of_bengali_claims_is_not_its_last_claim() -> None:
    """Claims and the list of them may have one name; a broken list is not read as one claim."""
    text = (
        '{"দাবি": [{"দাবি": "ক", "অবস্থা": "সাংঘর্ষিক"}, {"দাবি": "খ" "অবস্থা": "সমর্থিত"},'
        ' {"দাবি": "গ", "অবস্থা": "সমর্থিত"}], "রায়": "হ্যাঁ"}'
    )
    answer = read(text)
    assert answer is not None
    assert [claim.status for claim in answer.claims] == ["contradicted", "supported", "supported"]


def test_claims_given_as_strings_have_no_status_unless_they_say_it() -> None:
    """Regression: claims as strings ended the published study after 180 rows."""
    answer = read(
        '{"claims": ["ঢাকা রাজধানী", "নদী পদ্মা (missing)", "খাল - contradicted."], "verdict": "no"}'
    )
    assert answer is not None
    assert [claim.status for claim in answer.claims] == ["", "missing", "contradicted"]


def test_claims_given_as_a_mapping() -> None:
    """A mapping of claims to statuses, or of numbers to claims, is a list of claims."""
    answer = read(
        '{"claims": {"ঢাকা রাজধানী": "supported", "২": {"claim": "নদী", "status": "missing"}}}'
    )
    assert answer is not None
    assert [(c.text, c.status) for c in answer.claims] == [
        ("ঢাকা রাজধানী", "supported"),
        ("নদী", "missing"),
    ]
    assert answer.verdict == "unknown"


def test_a_bare_list_of_claims() -> None:
    """Without the object around it, the list still holds the claims, and no verdict."""
    answer = read(json.dumps([ONE, TWO], ensure_ascii=False))
    assert answer is not None
    assert (answer.claims, answer.verdict) == (READ.claims, "unknown")


@pytest.mark.parametrize("at", range(len('{"claims": [{"claim'), len(WHOLE)))
def test_a_cut_reply_gives_no_more_than_it_says(at: int) -> None:
    """A reply that is cut gives its whole claims at most, no status for half a claim."""
    answer = read(WHOLE[:at], "length")
    assert answer is not None
    assert not answer.whole
    assert [c.status for c in answer.claims if c.status] == [c.status for c in READ.claims][
        : sum(bool(c.status) for c in answer.claims)
    ]
    assert answer.verdict in ("unknown", "yes")


def test_a_cut_that_no_server_tells_is_seen() -> None:
    """A broken object without its closing verdict is not whole even if the finish says stop."""
    cut = read(WHOLE[: WHOLE.index('"status": "missing"')])
    assert cut is not None
    assert not cut.whole


@pytest.mark.parametrize(
    "text", ["", "yes", "না", "[1] [sic] see {this}", '{"verdict": "yes"}', "null"]
)
def test_what_holds_no_claims_is_nothing(text: str) -> None:
    """A bare verdict, prose with brackets, or nothing is no answer."""
    assert read(text) is None


@given(st.text(alphabet='{}[]":, \n`clamsদাবি'), st.sampled_from(["stop", "length"]))
def test_reading_never_raises(text: str, finish: str) -> None:
    """Any text is read or is nothing, and what is read has only known statuses."""
    answer = read(text, finish)
    if answer is not None:
        assert {c.status for c in answer.claims} <= {"", "supported", "contradicted", "missing"}
