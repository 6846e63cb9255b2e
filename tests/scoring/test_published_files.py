"""The labelled files of the published repository: whose labels, of what, and what is told."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.assignments import Assignments, read_assignments
from banglahallueval.scoring.commands import score
from banglahallueval.scoring.estimate_command import estimate
from banglahallueval.scoring.labelled_rows import LabelledSource
from banglahallueval.scoring.load import Labelled, load_readable
from banglahallueval.scoring.report_command import report

# Nothing tells this one's judge, and two hold one judge's labels of the same rows.
UNKNOWN_JUDGE = "Reasoning/Results/reasoning_evaluation_scored.csv"
SAME_LABELS = {
    "Reasoning/Results/reasoning_1000_candidates_deepseek.csv",
    "Reasoning/Results/reasoning_evaluation_scored_deepseek.csv",
}


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> dict[str, dict[str, str]]:
    """What each file holds, by its path."""
    path = shared_data.parent / "cases" / "published_results.csv"
    if not path.exists():
        pytest.skip("needs the benchmark's files: set BANGLAHALLUEVAL_DATA to their folder")
    rows = tables.read_frame(path).to_dict("records")
    return {str(row["file"]): {str(name): str(cell) for name, cell in row.items()} for row in rows}


@pytest.fixture
def clone(
    cases: dict[str, dict[str, str]], shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The first rows of all the files, in their folders; it becomes the current folder."""
    folder = shared_data / "published_results"
    monkeypatch.chdir(folder)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.csv")}
    assert found == set(cases)
    return folder


def by_path(labelled: Labelled) -> dict[str, LabelledSource]:
    return {source.path.as_posix(): source for source in labelled.files}


def family(judge: str) -> str:
    """The letters that a judge's spellings begin with."""
    return re.split(r"[^a-z]", judge)[0]


def test_every_published_file_is_what_it_is_known_to_hold(
    clone: Path, cases: dict[str, dict[str, str]]
) -> None:
    """Faults: one stopped everything, and others were credited to a wrong task, track or judge."""
    # One by one, so that no two hold the same labels.
    read = {}
    for file in set(cases) - {UNKNOWN_JUDGE}:
        (read[file],) = load_readable([file]).files
    for file, source in read.items():
        known = cases[file]
        assert (source.task, source.track) == (known["task"], known["track"]), file
        assert source.prompt == f"{known['task']}.{known['prompt']}", file
        assert family(source.judge) == family(known["judge"]), file


def test_a_clone_is_scored_but_for_what_nothing_tells(
    clone: Path, cases: dict[str, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Three files are left out, all told at once, and the exit status says so."""
    assert score("doc", ["--wide", "."]) == 1
    printed = capsys.readouterr()
    told = printed.err.splitlines()
    assert len(told) == 2
    assert all(line.startswith("left out: ") for line in told)
    assert f"{UNKNOWN_JUDGE}: its name tells no judge" in printed.err
    assert all(file in printed.err for file in SAME_LABELS)
    left = set(cases) - {UNKNOWN_JUDGE} - SAME_LABELS
    files = printed.out.partition("## Files read")[2]
    assert len([line for line in files.splitlines() if ".csv" in line and "|" in line]) == len(left)
    assert "groundtruth" not in printed.out.partition("## Files read")[0]


def test_assignments_join_the_spellings_of_a_judge(
    clone: Path, cases: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    """With a table of what the files hold, each judge stands once, under the name given."""
    path = tmp_path / "assignments.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(next(iter(cases.values()))))
        writer.writeheader()
        writer.writerows(cases.values())
    assigned, named = read_assignments([f"{UNKNOWN_JUDGE}=::gpt-4.1-mini"], path)
    labelled = load_readable(["."], Assignments(files=assigned, named=named))
    assert len(labelled.left_out) == 1
    found = by_path(labelled)
    assert found.pop(UNKNOWN_JUDGE).judge == "gpt-4.1-mini"
    for name, source in found.items():
        known = cases[name]
        assert (source.task, source.track, source.judge) == (
            known["task"],
            known["track"],
            known["judge"],
        )
    assert not [note for note in labelled.notes if "join them" in note]


def write(path: Path, *rows: str) -> Path:
    """Write a small file of a published shape."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small files in the shapes of the published ones; it becomes the current folder."""
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path / "Codemix/Results/tigerllm_codemix_1000_ground_truth_eval_results.csv",
        "id,question,context,answer_evaluated,is_hallucinated,raw_response",
        "a,Nodir nam ki?,Nodir nam Padma.,Padma,no,no",
        "b,Shohorer nam ki?,Shohorer nam Dhaka.,Dhaka,yes,yes",
    )
    write(
        tmp_path / "Codemix/Results/tigerllm_codemix_4000_eval_results.csv",
        "id,question,context,answer_evaluated,is_hallucinated,raw_response",
        "a::factualness,Nodir nam ki?,Nodir nam Padma.,Jamuna,yes,yes",
        "a::inference,Nodir nam ki?,Nodir nam Padma.,Meghna,no,no",
    )
    write(
        tmp_path / "tigerllm_qa_1000_ground_truth_eval_results.csv",
        "row_index,id,context,question,answer_evaluated,is_hallucinated,raw_response",
        "0,a,নদীর নাম পদ্মা।,নদীর নাম কী?,পদ্মা,no,no",
    )
    write(
        tmp_path / "Results/hallucinated_1000_qwen_labels.csv",
        "id,context,question,correct_answer,is_hallucinated",
        "a,নদীর নাম পদ্মা।,নদীর নাম কী?,পদ্মা,no",
    )
    write(
        tmp_path / "Reasoning/Results/reasoning_evaluation_scored_groundtruth_gemma2_27b.csv",
        "id,question,answer,hallucinated_len,hallucinated_chain,hallucinated_answer,is_hallucinated",
        "a,২ + ২?,২ + ২ = ৪ #### ৪,9,২ + ২ = ৪ #### ৪,,No",
        "b,৩ + ২?,৩ + ২ = ৫ #### ৫,9,৩ + ২ = ৫ #### ৫,,Yes",
    )
    write(
        tmp_path / "Reasoning/Results/reasoning_evaluation_scored_gemma2.csv",
        "id,question,hallucinated_chain,hallucinated_answer,is_hallucinated",
        "1::arithmetic_slip,২ + ২?,২ + ২ = ৫,৫,Yes",
        "2::semantic_drift,৩ + ২?,৩ + ২ = ৬,৬,",
    )
    return tmp_path


BROKEN = (
    (
        "qa_groundtruth_x.csv",
        "context,question,right_answer,hallucinated_answer,is_hallucinated",
        "ক।,কী?,ক,খ,no",
    ),
    ("reasoning_scored.csv", "question,hallucinated_chain,is_hallucinated", "কত?,৭,no"),
    ("qa_main_bad_label.csv", "context,question,correct_answer,is_hallucinated", "ক।,কী?,ক,maybe"),
    ("qa_main_no_rows.csv", "context,question,correct_answer,is_hallucinated", ""),
    ("qa_main_ragged.csv", "context,question,correct_answer,is_hallucinated", "ক।,কী?"),
)


def test_small_files_of_the_published_shapes_are_scored(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of a folder is read at once, nothing is credited to a judge "scored_groundtruth"."""
    assert score("doc", ["--wide", "."]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    found = {(source.task, source.track, source.judge) for source in load_readable(["."]).files}
    assert found == {
        ("codemix", "main", "tigerllm"),
        ("codemix", "candidates", "tigerllm"),
        ("qa", "main", "tigerllm"),
        ("qa", "main", "qwen"),
        ("reasoning", "main", "gemma2_27b"),
        ("reasoning", "candidates", "gemma2"),
    }
    assert "judges gemma2, gemma2_27b are read from names of files" in printed.out
    assert "task by columns, name (codemix), folder (codemix)" in printed.out


def test_all_problems_are_told_at_once_and_the_others_scored(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fault: the first file that could not be read stopped everything, and alone was told."""
    for name, *lines in BROKEN:
        write(small / name, *filter(None, lines))
    (small / "latin.csv").write_bytes("is_hallucinated,text\nno,caf\xe9\n".encode("latin-1"))
    (small / "empty.csv").touch()
    assert score("doc", ["--wide", "."]) == 1
    printed = capsys.readouterr()
    told = printed.err.splitlines()
    assert [name for name, *_ in BROKEN if name not in printed.err] == []
    assert len(told) == len(BROKEN) + 2
    assert "| codemix" in printed.out
    assert report("doc", [".", "--output", "report.html"]) == 1
    page = (small / "report.html").read_text(encoding="utf-8")
    assert "left out: qa_groundtruth_x.csv" in page


def test_as_settles_what_is_left_out(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line that tells a file gives the flag that settles it."""
    write(small / BROKEN[0][0], *BROKEN[0][1:])
    assert score("doc", ["--wide", "."]) == 1
    (known,) = re.findall(r'--as "(.*)"', capsys.readouterr().err)
    settled = known.replace("TRACK", "candidates")
    assert settled == "qa_groundtruth_x.csv=qa:candidates:x"
    assert score("doc", ["--wide", ".", "--as", settled]) == 0
    assert "task, track, judge by --as" in capsys.readouterr().out


def test_an_estimate_takes_assignments_of_outputs_and_benchmark(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of both sides can be assigned, and what is left out of a benchmark is told."""
    write(
        small / "mine.csv",
        "question,chain,is_hallucinated",
        "২ + ৪?,২ + ৪ = ৬,Yes",
        "৩ + ৪?,৩ + ৪ = ৭,No",
    )
    write(small / "Reasoning/Results/reasoning_scored.csv", *BROKEN[1][1:])
    gold = "Reasoning/Results/reasoning_evaluation_scored_groundtruth_gemma2_27b.csv"
    arguments = ["--outputs", "mine.csv", "--benchmark", "Reasoning", "--json"]
    arguments += ["--as", "mine.csv=reasoning::gemma2:standard", "--as", f"{gold}=::gemma2"]
    with pytest.raises(UsageError, match="not above false alarms"):
        estimate("doc", arguments)
    assert "left out: Reasoning/Results/reasoning_scored.csv" in capsys.readouterr().err
    with pytest.raises(UsageError, match=r"other\.csv: no such file"):
        estimate("doc", [*arguments, "--as", "other.csv=::gemma2"])


def test_spellings_are_joined_by_assignment(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two spellings become one judge, which then has both tracks and a BHS."""
    write(
        small / "assignments.csv",
        "file,judge",
        "Reasoning/Results/reasoning_evaluation_scored_groundtruth_gemma2_27b.csv,gemma2:27b",
        r"Reasoning\Results\reasoning_evaluation_scored_gemma2.csv,gemma2:27b",
        "QA/Results/not_here.csv,gpt",
    )
    assert score("doc", ["--wide", ".", "--assign", "assignments.csv"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "note: files of --assign that are not among those read: 1\n"
    (line,) = re.findall(
        r"^\| reasoning +\| gemma2:27b .* 50\.000 \[.*$", printed.out, re.MULTILINE
    )
    assert [cell.strip() for cell in line.split("|")][4:6] == ["2", "2"]


def test_names_of_any_case_and_leftovers_of_archives_are_handled(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fault: X.CSV was passed over in silence; what macOS adds to an archive stopped the rest."""
    source = small / "tigerllm_qa_1000_ground_truth_eval_results.csv"
    shutil.move(source, small / "TigerLLM-QA-1000-Ground-Truth.CSV")
    (small / "__MACOSX").mkdir()
    (small / "__MACOSX" / "._qa_main_x.csv").write_bytes(b"\x00\x05\x16\x07\xff")
    assert score("doc", ["--wide", "."]) == 0
    assert capsys.readouterr().err == ""
    found = by_path(load_readable(["."]))
    assert found["TigerLLM-QA-1000-Ground-Truth.CSV"].judge == "tigerllm"
