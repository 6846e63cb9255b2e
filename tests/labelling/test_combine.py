"""Labelled files are combined by the texts of their rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.records import write_record
from banglahallueval.io.tables import read_frame, writing
from banglahallueval.labelling.combine import CombineOptions, combine_labels
from banglahallueval.labelling.combine_command import combine_main
from banglahallueval.scoring.load import load
from tests.in_process import run_script

HEADER = ("id", "question", "hallucinated_chain", "hallucinated_answer", "is_hallucinated")
ROWS = [
    ("1", "কত?", "৩ + ৪ = ৭", "৭"),
    ("1", "কত?", "৩ + ৪ = ৮", "৮"),
    ("", "কত?", "৩ + ৪ = ৭", "৭"),
    ("2", "কয়টি?", "৫ x ২ = ১০,\nতাই ১০টি", "১০"),
]


def labelled(path: Path, labels: Sequence[str], order: Sequence[int] = (0, 1, 2, 3)) -> Path:
    with writing(path, HEADER) as writer:
        for i in order:
            writer.writerow([*ROWS[i], labels[i]])
    return path


def test_a_jury_takes_the_majority_of_matching_rows(tmp_path: Path) -> None:
    """Rows in another order are matched, equal rows in theirs; a tie is unknown with its reason."""
    files = [
        labelled(tmp_path / "a.csv", ["yes", "no", "no", "yes"]),
        labelled(tmp_path / "b.csv", ["Yes", "No", "No", "no"], order=(3, 0, 1, 2)),
        labelled(tmp_path / "c.csv", ["no", "", "yes", "unknown"]),
    ]
    combine_labels(CombineOptions(files, tmp_path / "jury.csv"))
    frame = read_frame(tmp_path / "jury.csv")
    assert list(frame["is_hallucinated"]) == ["yes", "no", "no", "unknown"]
    assert list(frame["unknown_reason"]) == ["", "", "", "tie"]
    assert frame["raw_response"][0] == "yes 2, no 1, unknown 0"
    assert [tuple(row) for row in frame[list(HEADER[:4])].to_numpy()] == ROWS


def test_a_hybrid_settles_proofs_first(tmp_path: Path) -> None:
    """A wrong calculation is yes whatever the label, and the output says who decided and why."""
    file = labelled(tmp_path / "a.csv", ["no", "no", "unknown", "yes"])
    combine_labels(CombineOptions([file], tmp_path / "hybrid.csv", offline_first=True))
    frame = read_frame(tmp_path / "hybrid.csv")
    assert list(frame["is_hallucinated"]) == ["no", "yes", "unknown", "yes"]
    assert list(frame["decided_by"]) == ["labels", "offline", "labels", "labels"]
    assert frame["offline_reason"][1] == "৩ + ৪ = 7, not ৮"


def test_columns_of_the_published_scripts_match_too(tmp_path: Path) -> None:
    """A file with renamed columns and Yes/No labels is matched by its items' own texts."""
    mine = labelled(tmp_path / "a.csv", ["yes", "no", "no", "yes"])
    with writing(
        tmp_path / "published.csv", ("question", "reasoning_chain_evaluated", "is_hallucinated")
    ) as writer:
        for _, question, chain, _ in ROWS:
            writer.writerow([question, chain, "Yes"])
    files = [mine, tmp_path / "published.csv"]
    combine_labels(CombineOptions(files, tmp_path / "jury.csv"))
    labels = list(read_frame(tmp_path / "jury.csv")["is_hallucinated"])
    assert labels == ["yes", "unknown", "unknown", "yes"]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 1, 2, 3, 3)])
def test_files_with_other_rows_are_refused(tmp_path: Path, order: tuple[int, ...]) -> None:
    """A missing or an extra row is an error that names the file, and no output is left."""
    a = labelled(tmp_path / "a.csv", ["yes"] * 4)
    b = labelled(tmp_path / "b.csv", ["yes"] * 4, order=order)
    with pytest.raises(UsageError, match=r"b\.csv"):
        combine_labels(CombineOptions([a, b], tmp_path / "jury.csv"))
    assert not (tmp_path / "jury.csv").exists()


def test_an_own_run_can_be_combined_again(tmp_path: Path) -> None:
    """A combined file is a labelled file: its own columns are replaced, not doubled."""
    a = labelled(tmp_path / "a.csv", ["yes", "no", "no", "yes"])
    b = labelled(tmp_path / "b.csv", ["yes", "no", "no", "no"])
    combine_labels(CombineOptions([a, b], tmp_path / "one.csv", offline_first=True))
    combine_labels(CombineOptions([tmp_path / "one.csv", a], tmp_path / "two.csv"))
    one, two = read_frame(tmp_path / "one.csv"), read_frame(tmp_path / "two.csv")
    assert list(one.columns) == list(two.columns)


def test_calls_that_combine_nothing_are_refused(tmp_path: Path) -> None:
    """One file alone, an unlabelled file, an output that exists or is an input: wrong calls."""
    a = labelled(tmp_path / "a.csv", ["yes"] * 4)
    b = labelled(tmp_path / "b.csv", ["no"] * 4)
    out = tmp_path / "out.csv"
    with pytest.raises(UsageError, match="nothing to combine"):
        combine_main("", [str(a), "--output", str(out)])
    with pytest.raises(UsageError, match="one of the files"):
        combine_main("", [str(a), str(b), "--output", str(a)])
    out.write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="--overwrite"):
        combine_main("", [str(a), str(b), "--output", str(out)])
    bare = tmp_path / "bare.csv"
    with writing(bare, HEADER[:4]) as writer:
        writer.writerow(ROWS[0])
    with pytest.raises(UsageError, match="label it first"):
        combine_main("", [str(a), str(bare), "--output", str(tmp_path / "new.csv")])


def test_the_script_writes_the_file_and_its_record(tmp_path: Path) -> None:
    """The documented command works, prints the counts, and leaves a record of its inputs."""
    a = labelled(tmp_path / "a.csv", ["yes", "no", "no", "yes"])
    b = labelled(tmp_path / "b.csv", ["yes", "no", "yes", "no"])
    out = tmp_path / "jury.csv"
    done = run_script("scripts/combine_labels.py", a, b, "--offline-first", "--output", out)
    assert done.code == 0, done.err
    assert "yes 2, no 0, unknown 2 (2 ties); decided offline 1" in done.out
    record = json.loads((tmp_path / "jury.csv.run.json").read_text(encoding="utf-8"))
    assert [Path(entry["path"]).name for entry in record["inputs"]] == ["a.csv", "b.csv"]
    assert record["decided_by"] == {"offline": 1, "labels": 3}


def test_columns_of_ones_own_are_read_as_they_were_labelled(tmp_path: Path) -> None:
    """Fault: what `--columns` had labelled, combine_labels.py could not read."""
    for name in ("a.csv", "b.csv"):
        with writing(tmp_path / name, ("problem", "solution", "is_hallucinated")) as writer:
            writer.writerow(["কত?", "৩ + ৪ = ৭", "no"])
        columns = {"question": "problem", "chain": "solution"}
        write_record(tmp_path / name, {"task": "reasoning", "columns": columns})
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    counts = combine_labels(CombineOptions(files, tmp_path / "jury.csv"))
    assert counts["no"] == 1


def test_code_mixed_files_in_other_columns_are_combined_as_such(tmp_path: Path) -> None:
    """Fault: a published file whose name and text are code-mixed was taken for QA's."""
    for name in ("tigerllm_codemix_ground_truth.csv", "codemix_ground_truth_gpt.csv"):
        header = ("question", "context", "answer_evaluated", "is_hallucinated")
        with writing(tmp_path / name, header) as writer:
            writer.writerow(["Nodir nam ki?", "Nodir nam Padma.", "Padma", "no"])
    combine_labels(CombineOptions(sorted(tmp_path.glob("*.csv")), tmp_path / "jury.csv"))
    (source,) = load([tmp_path / "jury.csv"]).files
    assert (source.task, source.track) == ("codemix", "main")


def test_files_that_nothing_tells_are_told_all_at_once_and_assigned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file is named with what it reads as; `--as` and `--assign` settle them."""
    names = ("a_groundtruth.csv", "b_groundtruth.csv")
    files = [str(labelled(tmp_path / name, ["yes", "no", "no", "yes"])) for name in names]
    call = [*files, "--output", str(tmp_path / "jury.csv")]
    with pytest.raises(UsageError) as refused:
        combine_main("", call)
    assert [line.split(": ")[0] for line in str(refused.value).splitlines()] == files
    table = tmp_path / "assignments.csv"
    table.write_text("file,track\nb_groundtruth.csv,candidates\n", encoding="utf-8")
    assert (
        combine_main("", [*call, "--as", f"{files[0]}=:candidates:", "--assign", str(table)]) == 0
    )
    printed = capsys.readouterr().out
    assert f"{files[0]}: reasoning candidates (task by columns; track by --as" in printed
    assert "track by --assign" in printed


def test_scores_call_a_combined_hybrid_by_its_name(tmp_path: Path) -> None:
    """Fault: the table of scores said "hybrid hybrid of a"."""
    file = labelled(tmp_path / "a.csv", ["no", "no", "unknown", "yes"])
    combine_labels(CombineOptions([file], tmp_path / "hybrid.csv", offline_first=True))
    assert load([tmp_path / "hybrid.csv"]).files[0].judge == "hybrid of a"


@pytest.mark.parametrize("again", ["a.csv", "./a.csv", "link.csv"])
def test_the_same_file_twice_is_refused(tmp_path: Path, again: str) -> None:
    """Fault: a file that was named twice voted twice, and outvoted a third."""
    a = labelled(tmp_path / "a.csv", ["yes", "no", "no", "yes"])
    (tmp_path / "link.csv").symlink_to(a)
    with pytest.raises(UsageError, match="vote twice"):
        combine_labels(CombineOptions([a, tmp_path / again], tmp_path / "jury.csv"))
    assert not (tmp_path / "jury.csv").exists()


def test_a_name_pairs_main_and_candidates(tmp_path: Path) -> None:
    """Fault: named after their files, the juries of the two tracks were two judges without BHS."""
    for track, column in (("main", "correct_answer"), ("candidates", "hallucinated_answer")):
        files = [tmp_path / f"{track}_{judge}.csv" for judge in ("a", "b")]
        for file in files:
            with writing(file, ("context", "question", column, "is_hallucinated")) as writer:
                writer.writerow(["প্রসঙ্গ", "কী?", track, "yes"])
                writer.writerow(["অন্য", "কে?", track, "no" if file is files[0] else "yes"])
        output = tmp_path / f"{track}_jury.csv"
        call = [*map(str, files), "--output", str(output), "--name", "jury", "--task", "qa"]
        assert combine_main("", call) == 0
    rows = load(sorted(tmp_path.glob("*_jury.csv"))).rows
    assert set(rows["system"]) == {"jury"}
    assert set(rows["track"]) == {"main", "candidates"}
