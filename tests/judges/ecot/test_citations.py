"""A citation stands in the evidence word for word, or it is none."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.io.tables import read_frame
from banglahallueval.judges.ecot.citations import MOST_LEFT_OUT, Citation, find
from banglahallueval.text.normalise import for_quotation

EVIDENCE = "ঢাকা  বাংলাদেশের\nরাজধানী। ১৯৭১ সালে “পা\u09dcার” বা\u09dcি-ঘর ছিল; Dhaka\u200c শহর।"


def found(*pieces: str) -> list[str] | None:
    citation = find(pieces, {"context": EVIDENCE})
    return None if citation is None else [EVIDENCE[start:end] for start, end in citation.spans]


@pytest.mark.parametrize(
    ("cited", "raw"),
    [
        ("ঢাকা বাংলাদেশের রাজধানী", "ঢাকা  বাংলাদেশের\nরাজধানী"),
        ("  “ঢাকা বাংলাদেশের রাজধানী।”", "ঢাকা  বাংলাদেশের\nরাজধানী"),
        ("1971 সালে", "১৯৭১ সালে"),
        ('"পাড\u09bcার" বাড\u09bcি–ঘর', "পা\u09dcার” বা\u09dcি-ঘর"),
        ("dhaka শহর", "Dhaka\u200c শহর"),
    ],
)
def test_spellings_that_mean_the_same_words(cited: str, raw: str) -> None:
    """White space, quotes, digits, dashes, case, joiners and both forms of ড় do not matter."""
    assert found(cited) == [raw]


@pytest.mark.parametrize(
    ("cited", "evidence"),
    [
        ("রাজধানী। নদী বুড়িগঙ্গা", "ঢাকা রাজধানী । নদী বুড়িগঙ্গা"),
        ("ঢাকা, সিলেট ও খুলনা", "ঢাকা , সিলেট ও খুলনা ।"),
        ("রাজধানী । নদী", "ঢাকা রাজধানী। নদী"),
        ("তিনি “অগ্নিবীণা” লেখেন", "তিনি “ অগ্নিবীণা ” লেখেন"),
        ("তিনি ''অগ্নিবীণা'' লেখেন", 'তিনি "অগ্নিবীণা" লেখেন'),
        ("তিনি ( ১৮৯৯ ) সালে", "তিনি (১৮৯৯) সালে"),
        ("রাজধানী| নদী", "ঢাকা রাজধানী ৷ নদী"),
        ("১০০০০০ টাকা", "দাম ১,০০,০০০ টাকা"),
        ("6*3=18", "৬ * ৩ = ১৮"),
        ("ঢাকা,সিলেট", "ঢাকা, সিলেট"),
    ],
)
def test_white_space_does_not_matter_around_signs(cited: str, evidence: str) -> None:
    """Regression: true citations with the usual Bangla spacing were called false."""
    assert find([cited], {"context": evidence}) is not None


@pytest.mark.parametrize(
    ("cited", "evidence"),
    [
        ("৪৪৪", "দাম ৪৪৪.০৫ টাকা"),
        ("০৫", "দাম ৪৪৪.০৫ টাকা"),
        ("৪৪৪", "দাম ১,৪৪৪ টাকা"),
        ("৫", "সময় ৫:৩০"),
        ("৩", "৩/৪ অংশ"),
        ("৪৪৪", "মডেল ক৪৪৪.৫"),
        ("৬+৩ = ১৮", "৬*৩ = ১৮"),
        ("বাড়ি", "বাড়িঘর"),
    ],
)
def test_numbers_and_words_match_whole(cited: str, evidence: str) -> None:
    """Regression: ৪৪৪ was support in ৪৪৪.০৫; a part of a number is another number."""
    assert find([cited], {"context": evidence}) is None


def test_a_number_at_the_end_of_a_sentence_is_whole() -> None:
    """A stop or comma behind a number, or a list, belongs to the sentence."""
    for evidence in ("দাম ৪৪৪.", "দাম ৪৪৪।", "দাম ৪৪৪, কম", "২,৪৪৪৪, ৪৪৪,৫"):
        assert find(["৪৪৪"], {"context": evidence}) is not None, evidence


@pytest.mark.parametrize("cited", ["এবং", "তিনি ছিলেন", "the", "ও … এর"])
def test_function_words_alone_are_no_citation(cited: str) -> None:
    """They stand in any text, and say nothing of a claim."""
    evidence = "তিনি ছিলেন কবি এবং লেখক ও ঢাকার এর the end"
    assert find([cited], {"context": evidence}) is None
    assert find([f"{cited} কবি"], {"context": f"{cited} কবি"}) is not None
    assert find(["কবি", cited], {"context": evidence}) is None


def test_an_ellipsis_joins_at_most_the_stated_distance() -> None:
    """Regression: an ellipsis joined the first word of a page to its last."""
    near, far = ("শব্দ " * count for count in (MOST_LEFT_OUT, MOST_LEFT_OUT + 1))
    assert find(["ঢাকা … শহর"], {"context": f"ঢাকা {near} শহর"}) is not None
    assert find(["ঢাকা … শহর"], {"context": f"ঢাকা {far} শহর"}) is None
    # Another place that is close enough counts, wherever the words stood before.
    context = f"ঢাকা {far} ঢাকা শহর {far} শহর নদী"
    citation = find(["ঢাকা … শহর"], {"context": context})
    assert citation is not None
    assert citation.spans[0][0] == context.rindex("ঢাকা")
    assert find(["ঢাকা … শহর … নদী"], {"context": context}) is None
    # Pieces given one by one are citations of their own.
    assert find(["ঢাকা", "নদী"], {"context": context}) is not None


def usual_spacings(data: Path, count: int) -> list[tuple[str, str]]:
    """Draw passages with a citation over an inner mark, spaced the other usual way.

    Bangla is typed with and without a blank before danda and comma and inside quotation marks.
    """
    draw = random.Random(42)
    texts = [*read_frame(data / "qa_main.csv")["context"]]
    texts += [*read_frame(data / "summarization_main.csv")["question"]]
    found: list[tuple[str, str]] = []
    while len(found) < count:
        context = draw.choice(texts)
        words = context.split()
        start = draw.randrange(max(1, len(words) - 8))
        copied = " ".join(words[start : start + draw.randint(6, 20)])
        if regex.search(r"\p{L}\s*[।,]\s*\p{L}", copied):
            spaced = regex.sub(r"\s*(?=।|,(?!\d))", lambda at: "" if at[0] else " ", copied)
            found.append((context, regex.sub(r"(?<=[“‘])|(?=[”’])", " ", spaced)))
    return found


def test_true_citations_of_real_passages_are_found(shared_data: Path) -> None:
    """1,131 of 2,000 citations over a mark were rejected once their spacing was the usual one."""
    cited = usual_spacings(shared_data, 400)
    assert len(cited) == 400
    assert all(find([citation], {"context": context}) for context, citation in cited)


@pytest.mark.parametrize(
    "cited",
    ["ঢাকা শহর", "ঢাক", "রাজধান", "971", "চট্টগ্রাম", "রাজধানী ঢাকা", "", "।", "…", "ঢাকা রাজধানী"],
)
def test_what_is_not_there_word_for_word(cited: str) -> None:
    """Other words, another order, words left out silently, or a part of a word is no citation."""
    assert found(cited) is None


def test_an_ellipsis_leaves_words_out() -> None:
    """Pieces around an ellipsis, or given one by one, are found in their order only."""
    assert found("ঢাকা … ১৯৭১ সালে") == ["ঢাকা", "১৯৭১ সালে"]
    assert found("ঢাকা", "শহর") == ["ঢাকা", "শহর"]
    assert found("১৯৭১ সালে ... ঢাকা") is None


def test_the_text_that_holds_it_is_named() -> None:
    """Of several texts the first that holds all of it counts; pieces do not mix."""
    texts = {"question": "ক খ", "evidence": "খ গ ঘ"}
    assert find(["খ"], texts) == Citation("question", ((2, 3),))
    assert find(["খ গ"], texts) == Citation("evidence", ((0, 3),))
    assert find(["ক … গ"], texts) is None


# A word begins with a letter: a lone mark would join the word before it. None is a function word.
WORDS = st.lists(
    st.builds(
        "{}{}".format,
        st.sampled_from("খড়xঅ\u09dc\u09df"),
        st.text("কখগড়ঢ়য়়ািে্ঁ০১ab\u200d\u09dc\u09df", max_size=5),
    ),
    min_size=1,
)


@given(WORDS, st.data())
def test_offsets_lead_back_to_the_citation(words: list[str], data: st.DataObject) -> None:
    """Words copied from any place are found, and the raw text at the offsets says the same."""
    raw = " \n".join(words)
    start = data.draw(st.integers(0, len(words) - 1))
    cited = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    if not for_quotation(cited).text.strip():
        return
    citation = find([unicodedata.normalize("NFD", cited)], {"context": raw})
    assert citation is not None
    ((begin, end),) = citation.spans
    assert for_quotation(raw[begin:end]).text.strip() == for_quotation(cited).text.strip()
