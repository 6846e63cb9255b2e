"""A task's columns are found by name, and the track with them."""

from __future__ import annotations

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.layouts import detect_task, find_layout
from banglahallueval.tasks import TaskName, Track, split_final_answer

QA_MAIN = ["id", "context", "question", "correct_answer"]
QA_CANDIDATES = [
    "id", "source_id", "pattern", "context", "question", "right_answer", "hallucinated_answer",
]  # fmt: skip
SUMMARIZATION_MAIN = ["id", "question", "summary"]
SUMMARIZATION_CANDIDATES = [
    "id", "source_id", "pattern", "document", "right_summary", "hallucinated_summary",
]  # fmt: skip
REASONING_MAIN = ["question_id", "question", "answer", "hallucinated_len"]
REASONING_CANDIDATES = [
    "id", "source_id", "question_id", "hallucination_type", "question", "answer", "reasoning_len",
    "hallucinated_chain", "error_step", "error_type", "hallucinated_answer",
]  # fmt: skip
CODEMIX_MAIN = [
    "id", "context", "question", "correct_answer", "codemix_context", "codemix_question",
    "codemix_answer",
]  # fmt: skip
CODEMIX_CANDIDATES = [
    "id", "source_id", "pattern", "codemix_context", "codemix_question", "codemix_answer",
    "hallucinated_answer",
]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "task", "track", "columns"),
    [
        (QA_MAIN, "qa", "main", {"answer": "correct_answer"}),
        (QA_CANDIDATES, "qa", "candidates", {"answer": "hallucinated_answer"}),
        (SUMMARIZATION_MAIN, "summarization", "main", {"document": "question"}),
        (SUMMARIZATION_CANDIDATES, "summarization", "candidates", {"document": "document"}),
        (REASONING_MAIN, "reasoning", "main", {"chain": "answer"}),
        (
            REASONING_CANDIDATES,
            "reasoning",
            "candidates",
            {"chain": "hallucinated_chain", "answer": "hallucinated_answer"},
        ),
        (CODEMIX_MAIN, "codemix", "main", {"context": "codemix_context"}),
        (CODEMIX_CANDIDATES, "codemix", "candidates", {"answer": "hallucinated_answer"}),
        (["id", "question", "context", "model_answer"], "qa", None, {"answer": "model_answer"}),
    ],
)
def test_published_columns(
    header: list[str], task: TaskName, track: Track | None, columns: dict[str, str]
) -> None:
    """Every published file of a task is recognised, with its track."""
    layout = find_layout(header, task)
    assert layout.track == track
    assert columns.items() <= layout.columns.items()


@pytest.mark.parametrize(
    ("header", "task"),
    [
        (QA_MAIN, "qa"),
        (QA_CANDIDATES, "qa"),
        (SUMMARIZATION_MAIN, "summarization"),
        (SUMMARIZATION_CANDIDATES, "summarization"),
        (REASONING_MAIN, "reasoning"),
        (REASONING_CANDIDATES, "reasoning"),
        (CODEMIX_MAIN, "codemix"),
        (CODEMIX_CANDIDATES, "codemix"),
        (["x"], None),
    ],
)
def test_the_task_is_told_by_the_columns(header: list[str], task: TaskName | None) -> None:
    """Code-mixed columns beat QA's in a file that holds both."""
    assert detect_task(header) == task


@pytest.mark.parametrize(
    ("header", "task", "track"),
    [(QA_CANDIDATES, "qa", "main"), (QA_MAIN, "qa", "candidates")],
)
def test_a_track_that_the_columns_contradict_is_an_error(
    header: list[str], task: TaskName, track: Track
) -> None:
    """The wrong file under a familiar name is refused, not judged."""
    with pytest.raises(UsageError, match=r"but .* was asked for"):
        find_layout(header, task, track)


def test_a_named_output_column_leaves_the_track_to_the_flag() -> None:
    """The right answers of a candidates file can be judged as main when asked for."""
    layout = find_layout(QA_CANDIDATES, "qa", "main", {"answer": "right_answer"})
    assert (layout.track, layout.columns["answer"]) == ("main", "right_answer")


@pytest.mark.parametrize(
    ("header", "task", "columns", "message"),
    [
        (["id", "question"], "qa", {}, "no column for qa's answer"),
        (CODEMIX_CANDIDATES, "qa", {}, "take --task codemix"),
        (QA_MAIN, "codemix", {}, "its columns look like qa"),
        (QA_MAIN, "qa", {"summary": "context"}, "qa has no 'summary'"),
        (QA_MAIN, "qa", {"answer": "nowhere"}, "no column 'nowhere'"),
    ],
)
def test_what_cannot_be_found_is_said(
    header: list[str], task: TaskName, columns: dict[str, str], message: str
) -> None:
    """The error names what was looked for, what is there and the flag that helps."""
    with pytest.raises(UsageError, match=message):
        find_layout(header, task, columns=columns)


@pytest.mark.parametrize(
    ("solution", "parts"),
    [
        ("এক\nদুই\n#### ৬৩", ("এক\nদুই", "৬৩")),
        ("এক\n#### ৬৩\n", ("এক", "৬৩")),
        ("এক #### ৬৩", ("এক", "৬৩")),
        ("এক\n####", ("এক", "")),
        ("এক\n#### ৫\nদুই", ("এক\n#### ৫\nদুই", "")),
        ("এক", ("এক", "")),
        ("#### ৭", ("", "৭")),
    ],
)
def test_the_final_answer_is_taken_off_a_gold_solution(
    solution: str, parts: tuple[str, str]
) -> None:
    """Only a last #### line is taken, so that both tracks have one shape."""
    assert split_final_answer(solution) == parts


def test_both_reasoning_tracks_give_one_shape() -> None:
    """A gold solution and a candidate of the same text are the same item."""
    main = find_layout(REASONING_MAIN, "reasoning").item(["q1", "প্রশ্ন", "ধাপ\n#### ৫", ""])
    candidate = find_layout(REASONING_CANDIDATES, "reasoning").item(
        ["1", "1", "q1", "semantic_drift", "প্রশ্ন", "x", "4", "ধাপ", "1", "t", "৫"]
    )
    assert main == candidate
