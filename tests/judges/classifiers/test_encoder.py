"""Probabilities of tokens over windows and pieces become scores of characters."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.judges.classifiers.characters import marked
from banglahallueval.judges.classifiers.encoder import combined, covered, hallucinated
from banglahallueval.judges.classifiers.templates import TEMPLATES, template_of
from banglahallueval.models.huggingface.windows import UncoveredError
from tests.models.word_pairs import WordPairs

REQUEST = TEMPLATES["request"]
SCORE = hallucinated(frozenset((0,)))


def unseen(pairs: WordPairs, evidence: str, question: str, answer: str) -> tuple[float, ...]:
    """Scores by a classifier that calls a token hallucinated if its input lacks it elsewhere."""
    parts = covered(pairs, REQUEST, evidence, question, answer)
    rows = []
    for encoding in (encoding for part in parts for encoding in part.inputs):
        first = {
            token
            for token, place in zip(encoding.ids, encoding.places, strict=True)
            if place is None
        }
        rows.append([[float(t in first), float(t not in first)] for t in encoding.ids])
    return combined(answer, parts, rows, SCORE)


def texts(answer: str, scores: tuple[float, ...]) -> list[str]:
    return [answer[start:end] for start, end in marked(scores)]


def test_what_one_window_carries_is_supported() -> None:
    """Each half of the answer is carried by another end of a long text."""
    evidence = "নদী " + "word " * 300 + "সাগর"
    answer = "নদী সাগর পাহাড়"
    scores = unseen(WordPairs(60), evidence, "কী?", answer)
    assert texts(answer, scores) == ["পাহাড়"]


@given(st.lists(st.sampled_from(["এক", "দুই", "১৯৭১", "four"]), min_size=1, max_size=200))
def test_windowed_scores_are_those_of_an_unbounded_model(words: list[str]) -> None:
    """For a classifier that looks at single words, windows change nothing."""
    answer = " ".join(words)
    evidence = "এক " + "word " * 100 + "১৯৭১"
    assert unseen(WordPairs(64), evidence, "q", answer) == unseen(
        WordPairs(10_000), evidence, "q", answer
    )


def test_a_missing_part_of_the_template_is_a_failure() -> None:
    with pytest.raises(UncoveredError, match="no evidence"):
        covered(WordPairs(90), REQUEST, " ", "q", "a")
    with pytest.raises(UncoveredError, match="no question"):
        covered(WordPairs(90), TEMPLATES["question"], "e", "", "a")


def test_an_answer_without_tokens_is_a_failure() -> None:
    parts = covered(WordPairs(90), REQUEST, "e", "", " ")
    rows = [[[0.5, 0.5]] * len(parts[0].inputs[0].ids)]
    with pytest.raises(UncoveredError, match="drops the whole answer"):
        combined(" ", parts, rows, SCORE)


def test_texts_are_put_into_the_template_as_they_are() -> None:
    assert REQUEST.fill("{question} x", "q") == "User request: q\n\n{question} x"
    assert REQUEST.fill("e", " ") == "e"
    assert TEMPLATES["question"].fill("e", "q") == "q"
    assert "following question:\nq\n" in TEMPLATES["lettucedetect"].fill("e", "q")
    assert TEMPLATES["lettucedetect"].fill("e", "").startswith("Summarize")


def test_the_template_of_a_model_is_given_or_named_by_its_config_or_lettucedetects() -> None:
    trained = SimpleNamespace(span_template="request")
    assert template_of(trained, "question").name == "question"
    assert template_of(trained).name == "request"
    assert template_of(SimpleNamespace()).name == "lettucedetect"
    with pytest.raises(UsageError, match="no template 'x'"):
        template_of(SimpleNamespace(span_template="x"))
