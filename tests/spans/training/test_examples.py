"""Answers with spans as labelled tokens."""

from __future__ import annotations

from dataclasses import replace

from banglahallueval.judges.classifiers.templates import TEMPLATES
from banglahallueval.models.huggingface.pairs import Encoding
from banglahallueval.spans.training.examples import (
    HALLUCINATED,
    NO_LOSS,
    SUPPORTED,
    Example,
    Intake,
    Rows,
    all_inputs,
    make_examples,
    token_labels,
    training_inputs,
)
from banglahallueval.spans.types import Sample, Span
from tests.models.word_pairs import WordPairs

REQUEST = TEMPLATES["request"]
SAMPLE = Sample("a", "নদী ৪২ কিমি", (Span(4, 6),), evidence="নদী ৪১ কিমি", question="কত?")


def examples(pairs: WordPairs, *samples: Sample) -> tuple[list[Example], Intake]:
    intake = Intake()
    return [*make_examples(pairs, REQUEST, samples, intake)], intake


def labelled(pairs: WordPairs, encoding: Encoding, labels: list[int]) -> list[str]:
    """The words that are labelled hallucinated."""
    return [
        pairs.words[token]
        for token, label in zip(encoding.ids, labels, strict=True)
        if label == HALLUCINATED
    ]


def test_only_the_answers_tokens_count_and_any_hallucinated_character_makes_one() -> None:
    encoding = Encoding([0, 5, 6, 7, 1], None, [None, (0, 2), (2, 4), (4, 6), None])
    assert token_labels(encoding, [(3, 5)]) == [
        *(NO_LOSS, SUPPORTED, HALLUCINATED, HALLUCINATED, NO_LOSS)
    ]


def test_an_example_is_the_input_that_detection_reads() -> None:
    """The passage is in it; PsiloQA's released script feeds none."""
    pairs = WordPairs(100)
    (example,), _ = examples(pairs, SAMPLE)
    ((encoding, labels),) = training_inputs(example)
    assert encoding == pairs.pair(REQUEST.fill(SAMPLE.evidence, SAMPLE.question), SAMPLE.answer)
    assert labelled(pairs, encoding, labels) == ["৪২"]
    assert all_inputs(example) == training_inputs(example)


def test_of_many_windows_the_one_nearest_the_answer_is_trained_on() -> None:
    """Else a window without the passage's support would teach that nothing needs any."""
    pairs = WordPairs(60)
    filler = "word " * 90
    long = replace(SAMPLE, evidence=filler + SAMPLE.evidence + filler)
    (example,), intake = examples(pairs, long)
    assert intake.windowed == 1
    ((encoding, labels),) = training_inputs(example)
    assert "৪১" in [pairs.words.get(token) for token in encoding.ids]
    assert labelled(pairs, encoding, labels) == ["৪২"]
    assert len(all_inputs(example)) > 3


def test_spans_move_with_the_pieces_of_a_long_answer() -> None:
    pairs = WordPairs(60)
    answer = "word " * 100 + "৪২" + " word" * 100
    long = replace(SAMPLE, answer=answer, spans=(Span(500, 502),))
    (example,), _ = examples(pairs, long)
    found = [word for pair in training_inputs(example) for word in labelled(pairs, *pair)]
    assert set(found) == {"৪২"}


def test_what_cannot_be_trained_on_is_counted_by_reason() -> None:
    unmarked, blank = replace(SAMPLE, spans=None), replace(SAMPLE, answer=" ", spans=())
    alone = replace(SAMPLE, evidence="")
    made, intake = examples(WordPairs(100), SAMPLE, unmarked, blank, alone, alone)
    assert (len(made), intake.used, intake.with_spans) == (1, 1, 1)
    assert intake.left_out == {"nobody marked spans": 1, "blank answer": 1, "no evidence": 2}


def test_rows_are_what_models_take() -> None:
    rows = Rows([(Encoding([0, 7, 1], [0, 1, 1], [None, (0, 2), None]), [NO_LOSS, 1, NO_LOSS])])
    assert len(rows) == 1
    assert list(rows) == [
        {
            "input_ids": [0, 7, 1],
            "attention_mask": [1, 1, 1],
            "token_type_ids": [0, 1, 1],
            "labels": [NO_LOSS, 1, NO_LOSS],
        }
    ]
