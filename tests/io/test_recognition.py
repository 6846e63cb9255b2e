"""Whose labels, of what: columns, rows, name and folders are read together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignment, Assignments, file_key
from banglahallueval.io.readings import Labels
from banglahallueval.io.recognition import Recognised, recognise
from banglahallueval.io.records import record_path

BANGLA = ["পদ্মা একটি নদী।", "ঢাকা একটি শহর।", "সুন্দরবন একটি বন।"]
MIXED = ["Padma ekti nodi.", "Dhaka ekti shohor.", "Sundarban ekti bon."]
GOLD = ["নদী।\n#### ১", "শহর।\n#### ২", "বন।\n#### ৩"]
CHAINS = ["নদী নয়।", "শহর নয়।", "বন নয়।"]
SHORT = ["পদ্মা", "ঢাকা", "সুন্দরবন"]


def table(path: str | Path, columns: Mapping[str, Sequence[str]], rows: int = 3) -> Labels:
    """A labelled table of a few rows."""
    cells = {"id": ["a", "b", "c"], **columns, "is_hallucinated": ["yes", "no", "no"]}
    lines = list(zip(*(list(column)[:rows] for column in cells.values()), strict=True))
    return Labels(Path(path), list(cells), lambda: lines)


def read(
    path: str | Path,
    columns: Mapping[str, Sequence[str]],
    rows: int = 3,
    assigned: Assignment | None = None,
) -> Recognised:
    """Recognise it, with what is assigned to the file."""
    files = {file_key(Path(path)): assigned} if assigned else {}
    return recognise(table(path, columns, rows), Assignments(files=files))


def what(found: Recognised) -> tuple[str, str | None, str, str]:
    """Task, track, judge and prompt."""
    return found.layout.task.name, found.layout.track, found.judge, found.prompt


# The shapes of the published files.
EVALUATED = {"context": MIXED, "question": MIXED, "answer_evaluated": MIXED}
QA_EVALUATED = {"context": BANGLA, "question": BANGLA, "answer_evaluated": SHORT}
QA_MAIN = {"context": BANGLA, "question": BANGLA, "correct_answer": SHORT}
QA_CANDIDATES = {
    "pattern": ["factualness"] * 3,
    "context": BANGLA,
    "question": BANGLA,
    "right_answer": SHORT,
    "hallucinated_answer": CHAINS,
}
CODEMIX_MAIN = {
    **QA_MAIN,
    "codemix_context": MIXED,
    "codemix_question": MIXED,
    "codemix_answer": MIXED,
}
CODEMIX_CANDIDATES = {
    "pattern": ["inference"] * 3,
    "codemix_context": MIXED,
    "codemix_question": MIXED,
    "codemix_answer": MIXED,
    "hallucinated_answer": SHORT,
}
GROUND_TRUTH = {
    "question": BANGLA,
    "answer": GOLD,
    "hallucinated_len": ["345", "441", "350"],
    "hallucinated_chain": GOLD,
    "hallucinated_answer": [""] * 3,
}
CHAIN_CANDIDATES = {
    "question": BANGLA,
    "answer": GOLD,
    "hallucinated_chain": CHAINS,
    "hallucinated_answer": ["১"] * 3,
}
CHAIN_ONLY = {"question": BANGLA, "answer_evaluated": GOLD}
MADE_IDS = {"id": ["a::factualness", "a::comprehension", "b::inference"]}


@pytest.mark.parametrize(
    ("path", "columns", "expected"),
    [
        (
            "Codemix/Results/tigerllm_codemix_1000_ground_truth_eval_results.csv",
            EVALUATED,
            ("codemix", "main", "tigerllm", "codemix.standard"),
        ),
        (
            "Codemix/Results/tigerllm_codemix_4000_eval_results.csv",
            {**EVALUATED, **MADE_IDS},
            ("codemix", "candidates", "tigerllm", "codemix.standard"),
        ),
        (
            "tigerllm_qa_1000_ground_truth_eval_results.csv",
            QA_EVALUATED,
            ("qa", "main", "tigerllm", "qa.standard"),
        ),
        (
            "tigerllm_reasoning_1000_ground_truth_eval_results.csv",
            CHAIN_ONLY,
            ("reasoning", "main", "tigerllm", "reasoning.standard"),
        ),
        (
            "Reasoning/Results/reasoning_evaluation_scored_groundtruth_gemma2_27b.csv",
            GROUND_TRUTH,
            ("reasoning", "main", "gemma2_27b", "reasoning.standard"),
        ),
        (
            "Reasoning/Results/reasoning_evaluation_scored_gemma2.csv",
            CHAIN_CANDIDATES,
            ("reasoning", "candidates", "gemma2", "reasoning.standard"),
        ),
        (
            "Results/hallucinated_1000_qwen_labels.csv",
            QA_MAIN,
            ("qa", "main", "qwen", "qa.standard"),
        ),
        (
            "QA/Results/qa_cot_hallu_mistral_nemo.csv",
            QA_CANDIDATES,
            ("qa", "candidates", "mistral_nemo", "qa.cot"),
        ),
        (
            "Codemix/Main dataset/codemix_1000_gpt4_1_mini_labeled.csv",
            CODEMIX_MAIN,
            ("codemix", "main", "gpt4_1_mini", "codemix.standard"),
        ),
        (
            "Hallucination Generated Answers/codemix_4000_gpt4_1_mini_labeled.csv",
            CODEMIX_CANDIDATES,
            ("codemix", "candidates", "gpt4_1_mini", "codemix.standard"),
        ),
    ],
)
def test_published_shapes_are_recognised(
    path: str, columns: Mapping[str, Sequence[str]], expected: tuple[str, str, str, str]
) -> None:
    """Faults: code-mixed files were QA's, and ground truth was candidates of a judge "scored"."""
    assert what(read(path, columns)) == expected


def test_gold_in_both_columns_is_the_same_main_text(tmp_path: Path) -> None:
    """Main rows of files of two shapes match, with their final answer."""
    one = read(tmp_path / "reasoning_groundtruth_a.csv", GROUND_TRUTH)
    other = read(tmp_path / "reasoning_ground_truth_b.csv", CHAIN_ONLY)
    items = [
        found.layout.item(next(iter(table(tmp_path / "x.csv", columns).rows())))
        for found, columns in ((one, GROUND_TRUTH), (other, CHAIN_ONLY))
    ]
    assert items[0] == items[1]
    assert items[0].final_answer == "১"


def test_gold_in_both_columns_needs_no_name(tmp_path: Path) -> None:
    """The rows alone tell main, whatever columns are called."""
    assert read(tmp_path / "reasoning_gpt.csv", GROUND_TRUTH).layout.track == "main"
    spaced = {**GROUND_TRUTH, "hallucinated_chain": [f" {chain}  " for chain in GOLD]}
    assert read(tmp_path / "reasoning_gpt.csv", spaced).layout.track == "main"
    some_blank = {**GROUND_TRUTH, "hallucinated_chain": ["", *GOLD[1:]]}
    assert read(tmp_path / "reasoning_gpt.csv", some_blank).layout.track == "main"


def test_one_candidate_that_equals_gold_is_chance(tmp_path: Path) -> None:
    """A file with one such row is candidates; a file of that row alone is what its name says."""
    columns = {**CHAIN_CANDIDATES, "hallucinated_chain": [GOLD[0], *CHAINS[1:]]}
    assert read(tmp_path / "reasoning_gpt.csv", columns).layout.track == "candidates"
    for name, track in (("main", "main"), ("candidates", "candidates")):
        found = read(tmp_path / f"reasoning_{name}_gpt.csv", columns, rows=1)
        assert found.layout.track == track
    with pytest.raises(UsageError, match="tell no track"):
        read(tmp_path / "reasoning_gpt.csv", columns, rows=1)


def test_one_text_repeated_is_still_chance(tmp_path: Path) -> None:
    """Fault: a row that was appended twice would make a file of candidates main."""
    columns = {**GROUND_TRUTH, "answer": [GOLD[0]] * 3, "hallucinated_chain": [GOLD[0]] * 3}
    with pytest.raises(UsageError, match="tell no track"):
        read(tmp_path / "reasoning_gpt.csv", columns)


def test_blank_texts_are_not_equal(tmp_path: Path) -> None:
    """Candidates that were never written do not make a file main."""
    blank = {**CHAIN_CANDIDATES, "answer": [""] * 3, "hallucinated_chain": [""] * 3}
    assert read(tmp_path / "reasoning_gpt.csv", blank).layout.track == "candidates"
    no_gold = {**CHAIN_CANDIDATES, "answer": [""] * 3}
    assert read(tmp_path / "reasoning_gpt.csv", no_gold).layout.track == "candidates"


@pytest.mark.parametrize(
    ("path", "columns", "message"),
    [
        (
            "qa_ground_truth_gpt.csv",
            QA_CANDIDATES,
            r"candidates \(hallucinated_answer\).*its name says main \(ground truth\)",
        ),
        ("codemix_main_gpt.csv", QA_MAIN, "columns say qa .*its name says codemix"),
        ("qa_main_gpt.csv", CODEMIX_MAIN, "columns say codemix .*its name says qa"),
        ("Codemix/Results/main_gpt.csv", QA_MAIN, "columns say qa .*its folder says codemix"),
        ("QA/Results/codemix_gt_tigerllm.csv", EVALUATED, "name says codemix .*its folder says qa"),
        (
            "reasoning_candidates_gpt.csv",
            GROUND_TRUTH,
            "rows say main .*equals answer throughout.*name says candidates",
        ),
        (
            "qa_main_gpt.csv",
            {**QA_EVALUATED, **MADE_IDS},
            "rows say candidates .*its name says main",
        ),
        ("gpt.csv", QA_EVALUATED, "tell no track"),
        ("qa_main_hallucinations_gpt.csv", QA_EVALUATED, "tell no track"),
        ("main_gpt.csv", {"text": BANGLA}, r"there is no main_gpt\.csv\.run\.json"),
        ("reasoning_evaluation_scored.csv", CHAIN_CANDIDATES, "its name tells no judge"),
        ("labeled.csv", QA_EVALUATED, "tell no track; its name tells no judge"),
    ],
)
def test_contradictions_and_silence_are_told_with_the_readings(
    tmp_path: Path, path: str, columns: Mapping[str, Sequence[str]], message: str
) -> None:
    """Nothing is credited by guess; one line says what each source was read as."""
    with pytest.raises(UsageError, match=message) as refused:
        read(tmp_path / path, columns)
    assert str(refused.value).startswith(f"{tmp_path / path}: ")
    assert "\n" not in str(refused.value)
    assert "settle it with --as" in str(refused.value)


WORDS = (
    "main gt ground truth groundtruth candidates hallucinations hallucinated hallu gold standard "
    "correct answers qa codemix code mixed summ reasoning eval scored labeled results gpt 4000 "
    "cot bot বিচারক"
)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=5),
    st.sampled_from("_- ."),
    st.sampled_from(["", "QA/", "Codemix/Results/", "Main dataset/", "Candidates/"]),
    st.sampled_from(
        [
            (QA_MAIN, "qa", "main"),
            (QA_CANDIDATES, "qa", "candidates"),
            (CODEMIX_MAIN, "codemix", "main"),
            (CODEMIX_CANDIDATES, "codemix", "candidates"),
            (GROUND_TRUTH, "reasoning", "main"),
            (CHAIN_CANDIDATES, "reasoning", "candidates"),
        ]
    ),
)
def test_no_name_makes_rows_what_they_are_not(
    words: list[str],
    separator: str,
    folder: str,
    known: tuple[Mapping[str, Sequence[str]], str, str],
) -> None:
    """Where columns and rows tell, a name or folder can only keep a file from being credited."""
    columns, task, track = known
    try:
        found = read(f"{folder}{separator.join(words)}.csv", columns)
    except UsageError:
        return
    assert what(found)[:2] == (task, track)
    assert found.judge not in {"eval", "scored", "labeled", "results", "groundtruth"}


def test_two_readings_that_agree_outweigh_a_folder(tmp_path: Path) -> None:
    """A file that columns and name call QA's may lie anywhere."""
    assert what(read(tmp_path / "Codemix/qa_main_gpt.csv", QA_MAIN))[:2] == ("qa", "main")


@pytest.mark.parametrize(
    ("path", "columns", "task"),
    [
        ("QA/Codemix/tigerllm_gt.csv", EVALUATED, "codemix"),
        ("Codemix/Results/tigerllm_gt.csv", EVALUATED, "codemix"),
        ("QA/Results/tigerllm_gt.csv", QA_EVALUATED, "qa"),
        ("out/tigerllm_gt.csv", EVALUATED, "codemix"),
        ("out/tigerllm_gt.csv", QA_EVALUATED, "qa"),
        ("Reasoning/tigerllm_gt.csv", CHAIN_ONLY, "reasoning"),
        ("out/tigerllm_gt.csv", CHAIN_ONLY, "reasoning"),
    ],
)
def test_what_columns_leave_open_the_others_decide(
    tmp_path: Path, path: str, columns: Mapping[str, Sequence[str]], task: str
) -> None:
    """A name that is silent leaves it to the nearest folder, then to script and final lines."""
    assert read(tmp_path / path, columns).layout.task.name == task


def test_a_judge_s_name_may_hold_words_of_a_track(tmp_path: Path) -> None:
    """A judge called gold_standard_bot makes its candidates no main rows."""
    for name in ("gold_standard_bot_qa.csv", "qa_candidates_gold_standard_bot.csv"):
        found = read(tmp_path / name, QA_CANDIDATES)
        assert what(found)[1:3] == ("candidates", "gold_standard_bot")
    with pytest.raises(UsageError, match="tell no track"):
        read(tmp_path / "qa_gold_standard_bot.csv", QA_EVALUATED)
    told = {"judge": "Main-GT judge"}
    labels = table(tmp_path / "qa_main_gt_judge.csv", QA_CANDIDATES)
    assert recognise(labels, Assignments(), told).layout.track == "candidates"


def test_the_evaluated_column_is_what_was_judged(tmp_path: Path) -> None:
    """Fault: a gold column beside it was taken for the output, and the file for main."""
    columns = {"question": BANGLA, "answer": GOLD, "reasoning_chain_evaluated": CHAINS}
    found = read(tmp_path / "reasoning_candidates_gpt.csv", columns)
    assert found.layout.columns["chain"] == "reasoning_chain_evaluated"
    assert found.layout.track == "candidates"


def test_patterns_of_some_rows_tell_no_track(tmp_path: Path) -> None:
    """A table of both tracks under one name is not credited to either."""
    columns = {**QA_EVALUATED, "pattern": ["factualness", "", ""]}
    with pytest.raises(UsageError, match="tell no track"):
        read(tmp_path / "qa_gpt.csv", columns)


@pytest.mark.parametrize(
    ("path", "columns", "assigned", "column"),
    [
        ("qa_gt_gpt.csv", QA_CANDIDATES, Assignment("qa", "candidates"), "hallucinated_answer"),
        ("qa_gt_gpt.csv", QA_CANDIDATES, Assignment("qa", "main"), "right_answer"),
        ("codemix_gpt.csv", QA_CANDIDATES, Assignment("codemix"), "hallucinated_answer"),
        ("codemix_gpt.csv", QA_MAIN, Assignment("qa", "candidates"), "correct_answer"),
        ("codemix_gpt.csv", QA_MAIN, Assignment("codemix", "main"), "correct_answer"),
        ("gpt.csv", QA_EVALUATED, Assignment("qa", "candidates"), "answer_evaluated"),
        ("labeled.csv", CHAIN_CANDIDATES, Assignment(judge="gpt"), "hallucinated_chain"),
    ],
)
def test_an_assignment_settles_a_file(
    tmp_path: Path,
    path: str,
    columns: Mapping[str, Sequence[str]],
    assigned: Assignment,
    column: str,
) -> None:
    """What a user says of one file holds against its columns, name and rows."""
    found = read(tmp_path / path, columns, assigned=assigned)
    layout = found.layout
    assert assigned.task in (None, layout.task.name)
    assert assigned.track in (None, layout.track)
    assert layout.columns[layout.task.output_role] == column
    assert found.judge == "gpt"


def test_a_style_assigned_is_a_prompt_of_the_task(tmp_path: Path) -> None:
    """`standard` is the task's standard prompt; another name is left as it is."""
    for prompt, name in (("standard", "qa.standard"), ("cot", "qa.cot"), ("my.txt", "my.txt")):
        found = read(tmp_path / "qa_gpt.csv", QA_MAIN, assigned=Assignment(prompt=prompt))
        assert found.prompt == name


def test_a_flag_for_all_files_does_not_overrule_their_columns(tmp_path: Path) -> None:
    """`--track` settles what is open, and fits main rows whose column says candidates."""
    main = Assignments(Assignment(track="main"))
    open_file = table(tmp_path / "qa_gpt.csv", QA_EVALUATED)
    assert recognise(open_file, main).layout.track == "main"
    gold = table(tmp_path / "reasoning_gpt.csv", GROUND_TRUTH)
    assert recognise(gold, main).layout.columns["chain"] == "answer"
    with pytest.raises(UsageError, match="is the candidates track"):
        recognise(table(tmp_path / "qa_gpt.csv", QA_CANDIDATES), main)


def test_a_run_record_tells_before_anything_else(tmp_path: Path) -> None:
    """What a run wrote down holds, whatever the file is called; another --task sets it aside."""
    path = tmp_path / "qa_main_wrong.csv"
    record = {
        "format": 1,
        "task": "codemix",
        "track": "candidates",
        "columns": {"context": "context", "question": "question", "answer": "answer_evaluated"},
        "judge": {"model": {"name": "m"}, "prompt": {"name": "codemix.ecot"}},
    }
    record_path(path).write_text(json.dumps(record), encoding="utf-8")
    labels = table(path, EVALUATED)
    found = recognise(labels, Assignments())
    assert what(found) == ("codemix", "candidates", "m", "codemix.ecot")
    assert found.how == "task, track, judge, prompt by run record"
    other = recognise(labels, Assignments(Assignment(task="qa")))
    assert what(other)[:3] == ("qa", "main", "m")


def test_how_a_file_was_recognised_is_told(tmp_path: Path) -> None:
    """Sources are named with the words that told."""
    found = read(tmp_path / "codemix_ground-truth_tigerllm.csv", EVALUATED)
    assert found.how == (
        "task by columns, name (codemix); track by name (ground truth); judge by name; "
        "prompt by default"
    )
    assert str(found).startswith("codemix main (task by ")
