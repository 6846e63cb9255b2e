"""Names of files and folders are read as the words they are made of."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PureWindowsPath

import pytest

from banglahallueval.io.file_names import read_file_name, read_folders, words_of


@pytest.mark.parametrize(
    ("name", "task", "track", "judge"),
    [
        ("tigerllm_codemix_1000_ground_truth_eval_results.csv", "codemix", "main", "tigerllm"),
        ("reasoning_scored_groundtruth_gemma2_27b.csv", "reasoning", "main", "gemma2_27b"),
        ("summ_gt_1000_deepseek.csv", "summarization", "main", "deepseek"),
        ("codemix_4000_hallucinations_gemma_labeled.csv", "codemix", "candidates", "gemma"),
        # Other orders, letters and separators.
        ("ground-truth QA Mistral-Nemo.csv", "qa", "main", "mistral_nemo"),
        ("TigerLLM-CodeMix-GroundTruth-EvalResults.CSV", "codemix", "main", "tigerllm"),
        (
            "gpt-4.1-mini.code-mixed.hallucinated-answers.csv",
            "codemix",
            "candidates",
            "gpt_4_1_mini",
        ),
        ("Non-hallucinated_summaries_labelled_by_gpt.csv", "summarization", "main", "gpt"),
        # Second copies, archives, and paths of another system.
        ("qa_main_gpt (1).csv", "qa", "main", "gpt"),
        ("qa_main_gpt - Copy.csv", "qa", "main", "gpt"),
        ("qa_main_gpt.csv.gz", "qa", "main", "gpt"),
        (str(PureWindowsPath("Codemix") / "Results" / "qa_main_gpt.csv"), "qa", "main", "gpt"),
        # A year or a version is part of a judge's name, a round number is a size.
        ("qa_main_500_gpt_4o_2024_08_06.csv", "qa", "main", "gpt_4o_2024_08_06"),
        ("qa_main_বিচারক_ক্ষুদ্র.csv", "qa", "main", "বিচারক_ক্ষুদ্র"),
    ],
)
def test_a_name_tells_task_track_and_judge(name: str, task: str, track: str, judge: str) -> None:
    """Whatever order, letters and separators its words are written in."""
    reading = read_file_name(Path(name))
    assert list(reading.tasks) == [task]
    assert list(reading.tracks) == [track]
    assert "_".join(reading.rest) == judge


@pytest.mark.parametrize(
    "name",
    [
        "scored",
        "groundtruth",
        "eval",
        "labeled",
        "labelled",
        "results",
        "qa_cot_4000",
        "evalresults",
    ],
)
def test_words_about_labels_name_no_judge(name: str) -> None:
    """What is said of every labelled file is nobody's name."""
    assert read_file_name(Path(f"{name}.csv")).rest == ()


@pytest.mark.parametrize(
    "name",
    [
        "qa_gold_standard_bot.csv",
        "qa_main_results_gpt.csv",
        "qa_hallucinated_labels_gpt.csv",
        "qa_hallucination_eval_gpt.csv",
        "qa_maintenance_gpt4.csv",
        "qa_no_hallucinations_gpt.csv",
    ],
)
def test_words_of_another_meaning_tell_no_track(name: str) -> None:
    """A gold standard, main results and hallucination labels may be of either track."""
    reading = read_file_name(Path(name))
    assert (reading.tracks, reading.hints) == ({}, {})


def test_hallucinated_alone_only_hints() -> None:
    """Fault: a published file of main rows is called hallucinated_1000_qwen_labels.csv."""
    reading = read_file_name(Path("hallucinated_1000_qwen_labels.csv"))
    assert (reading.tracks, list(reading.hints)) == ({}, ["candidates"])


def test_a_known_judge_is_no_part_of_the_name() -> None:
    """The words of a judge that is known tell neither task nor track."""
    path = Path("candidates_Main-QA-Judge_gpt.csv")
    assert list(read_file_name(path).tracks) == ["main", "candidates"]
    assert list(read_file_name(path, words_of("main qa judge")).tracks) == ["candidates"]


def test_bangla_letters_in_either_form_are_one_name() -> None:
    """Letters that some systems write decomposed, marks and joiners stay within their word."""
    for name in ("বড়_বিচারক", "র‍্যাংকার"):
        forms = {
            read_file_name(Path(f"qa_main_{unicodedata.normalize(form, name)}.csv")).rest
            for form in ("NFC", "NFD")
        }
        assert len(forms) == 1
        assert "_".join(forms.pop()) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("path", "tasks"),
    [
        ("QA/Codemix/x.csv", ["codemix", "qa"]),
        ("Codemix/Results/x.csv", ["codemix"]),
        ("code-mixed results/x.csv", ["codemix"]),
        ("codemix-20240101T120000Z-001/Results/x.csv", ["codemix"]),
        ("my codemix project/x.csv", []),
        ("Reasoning/a/b/c/x.csv", []),
    ],
)
def test_folders_speak_only_in_the_benchmark_s_words(path: str, tasks: list[str]) -> None:
    """The nearest comes first; a folder of another name, or far above, tells nothing."""
    assert [task for folder in read_folders(Path(path)) for task in folder.tasks] == tasks


@pytest.mark.parametrize(
    ("folder", "tracks"),
    [
        ("Hallucination Generated Answers", ["candidates"]),
        ("Main dataset", ["main"]),
        ("main", []),
        ("BenHalluEval-main", []),
    ],
)
def test_a_branch_is_no_track(folder: str, tracks: list[str]) -> None:
    """A working copy or an archive named after the branch `main` holds anything."""
    found = read_folders(Path(folder) / "x.csv", depth=1)
    assert [track for reading in found for track in reading.tracks] == tracks
