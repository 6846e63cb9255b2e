"""Inputs that cover an answer and its evidence; nothing is cut silently."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.models.huggingface.windows import UncoveredError, cover, pieces
from tests.models.word_pairs import WordPairs

TEXTS = st.text("কখ১a \n", max_size=400)


def fill(evidence: str) -> str:
    return f"question words {evidence} the end"


@given(TEXTS, st.integers(16, 40))
def test_pieces_cover_a_text_and_keep_their_size(text: str, size: int) -> None:
    tokens = WordPairs(0).places(text)
    found = pieces(text, tokens, size)
    assert {at for start, end in found for at in range(start, end)} == set(range(len(text)))
    assert found == sorted(found)
    for start, end in found:
        assert sum(start <= first and last <= end for first, last in tokens) <= size


def test_pieces_overlap_and_begin_words() -> None:
    """A word of three tokens is not cut where a blank is near."""
    text = "abcdefghijkl " * 30
    found = pieces(text, WordPairs(0).places(text), 20)
    for (_, end), (start, _) in itertools.pairwise(found):
        assert start < end
        assert text[start - 1] == text[end - 1] == " "


def test_a_code_point_of_many_tokens_does_not_make_an_empty_piece() -> None:
    """NFKC turns one ligature into eighteen letters, all of which have its place."""
    text = "\ufdfa" * 4
    tokens = [(at, at + 1) for at in range(4) for _ in range(18)]
    found = pieces(text, tokens, 16)
    assert all(start < end for start, end in found)
    assert {at for start, end in found for at in range(start, end)} == set(range(4))


@given(TEXTS, TEXTS, st.integers(30, 90))
def test_every_input_fits_and_all_is_covered(evidence: str, answer: str, limit: int) -> None:
    """Each piece of the answer is read with every word of the evidence, in the whole template."""
    pairs = WordPairs(limit)
    parts = cover(pairs, fill, evidence, answer)
    covered = {at for part in parts for at in range(*part.place)}
    assert covered == set(range(len(answer)))
    for part in parts:
        assert all(len(encoding.ids) <= limit for encoding in part.inputs)
        seen: set[str] = set()
        for encoding in part.inputs:
            words = [pairs.words.get(token, "") for token in encoding.ids]
            assert words[1] == "ques"
            seen.update(words)
            piece = answer[slice(*part.place)]
            own = [piece[slice(*place)] for place in encoding.places if place is not None]
            assert own == [piece[start:end] for start, end in pairs.places(piece)]
        letters = {letter for word in seen for letter in word}
        assert set("".join(evidence.split())) <= letters


def test_what_fits_is_one_input() -> None:
    pairs = WordPairs(50)
    (part,) = cover(pairs, fill, "the sea", "an answer")
    assert part.inputs == (pairs.pair(fill("the sea"), "an answer"),)


def test_a_short_answer_stays_whole_however_long_the_evidence() -> None:
    pairs = WordPairs(60)
    (part,) = cover(pairs, fill, "word " * 500, "an answer")
    assert part.place == (0, len("an answer"))
    assert len(part.inputs) > 5


def test_a_long_answer_leaves_a_quarter_of_the_room_to_the_evidence() -> None:
    """Else each window of the evidence would be a few words long."""
    pairs = WordPairs(100)
    parts = cover(pairs, fill, "word " * 300, "answ " * 300)
    assert len(parts) > 1
    assert max(len(part.inputs) for part in parts) < 20


def test_an_answer_without_evidence_has_all_the_room() -> None:
    (part,) = cover(WordPairs(100), fill, "", "answ " * 90)
    assert len(part.inputs) == 1


@pytest.mark.parametrize("evidence", ["", "word " * 90])
def test_a_question_that_fills_the_window_is_no_clean_result(evidence: str) -> None:
    with pytest.raises(UncoveredError, match="fill the model's 60 tokens"):
        cover(WordPairs(60), lambda window: "ques " * 58 + window, evidence, "answ " * 9)
