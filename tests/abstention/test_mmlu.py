"""MMLU comes from the hub or from a local copy in any of its forms, and says what is wrong."""

from __future__ import annotations

import csv
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.abstention import mmlu
from banglahallueval.abstention.commands import gemhall
from banglahallueval.abstention.mmlu import SUBJECTS, fetched_copy, read_mmlu
from banglahallueval.abstention.types import Question
from banglahallueval.errors import UsageError
from tests.abstention.choices import questions
from tests.scripting import ROOT

Cells = dict[str, Any]

ASTRONOMY: list[Cells] = [
    {
        "question": "Which planet has rings?",
        "choices": ["Mars", "Saturn", "Venus", "Io"],
        "answer": 1,
    }
]
ANATOMY: list[Cells] = [
    {"question": "Where is the femur?", "choices": ["arm", "leg", "ear", "jaw"], "answer": 1},
    {"question": "Where is the ulna?", "choices": ["arm", "leg", "ear", "jaw"], "answer": 0},
]
EVERYTHING: list[Cells] = [
    *({**cells, "subject": "anatomy"} for cells in ANATOMY),
    *({**cells, "subject": "astronomy"} for cells in ASTRONOMY),
]


def refusal(**options: Any) -> str:
    with pytest.raises(UsageError) as refused:
        read_mmlu(**options)
    message = str(refused.value)
    assert "\n" not in message
    return message


def ids(read: Sequence[Question]) -> list[str]:
    return [question.id for question in read]


def write_jsonl(path: Path, rows: Sequence[Cells]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(cells) + "\n" for cells in rows), encoding="utf-8")


def write_parquet(path: Path, rows: Sequence[Cells]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path.parent.mkdir(parents=True, exist_ok=True)
    importlib.import_module("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), path)


def write_archive_csv(path: Path, rows: Sequence[Cells]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [each["question"], *each["choices"], "ABCD"[each["answer"]]] for each in rows
        )


def write_csv(path: Path, rows: Sequence[Cells]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def as_saved(folder: Path) -> None:
    datasets = pytest.importorskip("datasets")
    split = datasets.Dataset.from_list(EVERYTHING)
    datasets.DatasetDict({"test": split}).save_to_disk(str(folder))


def as_saved_split(folder: Path) -> None:
    datasets = pytest.importorskip("datasets")
    datasets.Dataset.from_list(EVERYTHING, split="test").save_to_disk(str(folder))


def as_clone(folder: Path) -> None:
    """The hub's repository holds every row twice: in `all` and in its subject's folder."""
    name = "test-00000-of-00001.parquet"
    write_parquet(folder / "all" / name, EVERYTHING)
    write_parquet(folder / "all" / "dev-00000-of-00001.parquet", EVERYTHING[:1])
    write_parquet(folder / "anatomy" / name, EVERYTHING[:2])
    write_parquet(folder / "astronomy" / name, EVERYTHING[2:])


def as_subject_folders(folder: Path) -> None:
    write_parquet(folder / "anatomy" / "test-00000-of-00001.parquet", ANATOMY)
    write_parquet(folder / "astronomy" / "test-00000-of-00001.parquet", ASTRONOMY)


def as_archive(folder: Path) -> None:
    """The authors' own archive has CSVs without a header."""
    write_archive_csv(folder / "test" / "anatomy_test.csv", ANATOMY)
    write_archive_csv(folder / "test" / "astronomy_test.csv", ASTRONOMY)
    write_archive_csv(folder / "dev" / "anatomy_dev.csv", ANATOMY[:1])


def as_fetched(folder: Path) -> None:
    """`fetch_datasets.py` leaves two forms of the same rows."""
    write_parquet(folder / "mmlu_test.parquet", EVERYTHING)
    write_jsonl(folder / "mmlu_test.jsonl", EVERYTHING)


def as_jsonl(folder: Path) -> None:
    write_jsonl(folder / "anatomy_test.jsonl", ANATOMY)
    write_jsonl(folder / "astronomy_test.jsonl", ASTRONOMY)


def as_csv(folder: Path) -> None:
    """The library writes options to a CSV as a Python list."""
    write_csv(folder / "test.csv", EVERYTHING)


def as_csv_of_letters(folder: Path) -> None:
    """A header in capitals, as in translations of MMLU."""
    rows = [
        {
            "Question": each["question"],
            **dict(zip("ABCD", each["choices"], strict=True)),
            "Answer": "ABCD"[each["answer"]],
            "Subject": each["subject"],
        }
        for each in EVERYTHING
    ]
    (folder / "test").mkdir()
    write_csv(folder / "test" / "mmlu_BN-BD.csv", rows)


@pytest.mark.parametrize(
    "save",
    [
        as_saved,
        as_saved_split,
        as_clone,
        as_subject_folders,
        as_archive,
        as_fetched,
        as_jsonl,
        as_csv,
        as_csv_of_letters,
    ],
)
def test_copies_in_any_form_read_alike(save: Callable[[Path], None], tmp_path: Path) -> None:
    save(tmp_path)
    read = read_mmlu(data_dir=tmp_path).questions
    assert ids(read) == ["anatomy-1", "anatomy-2", "astronomy-1"]
    assert read[2] == Question(
        id="astronomy-1",
        text="Which planet has rings?\n\nA. Mars\nB. Saturn\nC. Venus\nD. Io\n\n"
        "Answer with the letter of the right option.",
        gold="B",
        options=("Mars", "Saturn", "Venus", "Io"),
        subject="astronomy",
    )


def test_subjects_are_kept(tmp_path: Path) -> None:
    as_jsonl(tmp_path)
    assert ids(read_mmlu(data_dir=tmp_path, subjects=["astronomy"]).questions) == ["astronomy-1"]


def test_val_is_the_validation_split(tmp_path: Path) -> None:
    write_archive_csv(tmp_path / "val" / "anatomy_val.csv", ANATOMY)
    assert len(read_mmlu(data_dir=tmp_path, split="validation").questions) == 2


def test_rows_without_a_subject_are_read(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "test.jsonl", ANATOMY)
    assert ids(read_mmlu(data_dir=tmp_path).questions) == ["mmlu-1", "mmlu-2"]


def as_many(folder: Path) -> list[Question]:
    asked = questions(60, 3)
    rows = [
        {
            "question": each.text.partition("\n")[0],
            "choices": list(each.options),
            "answer": each.gold,
        }
        for each in asked
    ]
    write_jsonl(folder / "maths_test.jsonl", rows)
    return asked


def test_the_seed_draws_and_converts(tmp_path: Path) -> None:
    """`--limit` draws at random and keeps the order; `--idk-frac` is a share of what is drawn."""
    as_many(tmp_path)
    everything = read_mmlu(data_dir=tmp_path).questions
    drawn = read_mmlu(data_dir=tmp_path, limit=20, idk_frac=0.3, seed=1).questions
    order = ids(everything)
    assert [order.index(each) for each in ids(drawn)] == sorted(map(order.index, ids(drawn)))
    assert len(drawn) == 20
    assert sum(each.unknown_ok for each in drawn) == 6
    assert read_mmlu(data_dir=tmp_path, limit=20, idk_frac=0.3, seed=1).questions == drawn
    assert ids(read_mmlu(data_dir=tmp_path, limit=20, seed=2).questions) != ids(drawn)


def test_options_are_borrowed_from_questions_that_are_not_drawn(tmp_path: Path) -> None:
    as_many(tmp_path)
    (question,) = read_mmlu(data_dir=tmp_path, limit=1, idk_frac=1, seed=1).questions
    assert question.unknown_ok


def test_too_few_that_can_be_converted_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a subject has too little to lend, others do; the notes tell of both."""
    as_jsonl(tmp_path)
    mixed = read_mmlu(data_dir=tmp_path, idk_frac=1)
    assert (mixed.wanted, mixed.made, mixed.unlike) == (3, 2, 2)
    few, unlike = capsys.readouterr().out.splitlines()
    assert few.startswith("Note: of 3 questions to be made unanswerable, 2 could be")
    assert unlike.startswith("Note: of 2 unanswerable questions, 2 hold an option of another")


def test_where_none_can_be_converted_the_run_is_refused(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "anatomy_test.jsonl", ANATOMY)
    assert "of 2 questions to be made unanswerable, none" in refusal(data_dir=tmp_path, idk_frac=1)


def test_an_unknown_split_is_refused_with_a_near_one(tmp_path: Path) -> None:
    assert refusal(split="tset", data_dir=tmp_path).endswith("; did you mean test?")


def test_a_split_that_a_copy_lacks_is_refused_with_those_it_has(tmp_path: Path) -> None:
    as_archive(tmp_path)
    assert "has no split validation; it has dev, test" in refusal(
        split="validation", data_dir=tmp_path
    )


def test_a_split_that_a_saved_copy_lacks_is_refused(tmp_path: Path) -> None:
    as_saved(tmp_path)
    assert "has no split dev; it has test" in refusal(split="dev", data_dir=tmp_path)


@pytest.mark.parametrize("data_dir", [True, False])
def test_an_unknown_subject_is_refused_with_near_ones(tmp_path: Path, data_dir: bool) -> None:
    """The hub is not asked for it."""
    as_jsonl(tmp_path)
    message = refusal(subjects=["Astronomi"], data_dir=tmp_path if data_dir else None)
    assert message == "--subjects: MMLU has no 'Astronomi'; did you mean astronomy?"


def test_a_subject_like_none_is_refused_with_some(tmp_path: Path) -> None:
    as_jsonl(tmp_path)
    assert "; it has anatomy, astronomy" in refusal(subjects=["xyz"], data_dir=tmp_path)


def test_no_subject_is_refused(tmp_path: Path) -> None:
    as_jsonl(tmp_path)
    assert "names none" in refusal(subjects=[], data_dir=tmp_path)


def test_a_folder_without_a_copy_is_refused(tmp_path: Path) -> None:
    assert "holds no copy of MMLU" in refusal(data_dir=tmp_path)
    assert "is no folder" in refusal(data_dir=tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "test.jsonl",
            '{"question": "?", "choices": ["a", "b"], "answer": 2}',
            "the answer '2' is",
        ),
        ("test.jsonl", '{"question": "?", "choices": ["a", "b"], "answer": "C"}', "none of A, B"),
        ("test.jsonl", '{"question": "?", "choices": ["a"], "answer": 0}', "no question with opti"),
        ("test.jsonl", '{"query": "?"}', "it has the columns 'query'"),
        ("test.jsonl", "[1]", "line 1: not a JSON object"),
        ("test.jsonl", "{", "cannot read"),
        ("test.csv", "question,choices,answer\n?,\"['a' 'b']\",A\n", "no question with options"),
        ("test.csv", "a,b\n", "and 2 columns instead of question, A, B, C, D, answer"),
        ("test.csv", 'a,b,c,d,e,"A', "cannot read"),
        ("test.parquet", "version https://git-lfs.github.com/spec/v1", "cannot read"),
    ],
)
def test_files_that_cannot_be_read_are_named(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / name).write_text(text, encoding="utf-8")
    message = refusal(data_dir=tmp_path)
    assert name in message
    assert told in message


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_bytes(b"\xff,b,c,d,e,A\n")
    assert "cannot read" in refusal(data_dir=tmp_path)


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    assert refusal() == "MMLU needs datasets: pip install -e '.[datasets]'"


class Hub:
    """Stands for the hub: gives a configuration, or raises what the library would."""

    def __init__(self, configurations: dict[str, Sequence[Cells] | Exception]) -> None:
        self.configurations = configurations
        self.asked: list[str] = []

    def load_dataset(self, repository: str, name: str, *, split: str) -> Sequence[Cells]:
        assert (repository, split) == ("cais/mmlu", "test")
        self.asked.append(name)
        found = self.configurations.get(name, ValueError(f"BuilderConfig {name!r} not found.\nx"))
        if isinstance(found, Exception):
            raise found
        return found


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Hub]:
    datasets = pytest.importorskip("datasets")

    def start(**configurations: Sequence[Cells] | Exception) -> Hub:
        made = Hub(configurations)
        monkeypatch.setattr(datasets, "load_dataset", made.load_dataset)
        return made

    return start


def test_the_hub_is_asked_for_all_subjects_at_once(hub: Callable[..., Hub]) -> None:
    asked = hub(all=EVERYTHING)
    assert ids(read_mmlu(subjects=["anatomy"]).questions) == ["anatomy-1", "anatomy-2"]
    assert asked.asked == ["all"]


def test_without_a_unified_configuration_subjects_are_stitched(hub: Callable[..., Hub]) -> None:
    """They have no column of the subject then, and get one."""
    asked = hub(anatomy=ANATOMY, astronomy=ASTRONOMY)
    read = read_mmlu(subjects=["astronomy", "anatomy"]).questions
    assert [each.subject for each in read] == ["astronomy", "anatomy", "anatomy"]
    assert asked.asked == ["all", "astronomy", "anatomy"]


def test_without_a_unified_configuration_all_means_every_subject(hub: Callable[..., Hub]) -> None:
    asked = hub(**dict.fromkeys(SUBJECTS, ASTRONOMY))
    assert len(read_mmlu().questions) == len(SUBJECTS) == 57
    assert asked.asked == ["all", *SUBJECTS]


def test_where_both_fail_the_first_reason_and_a_way_out_are_told(hub: Callable[..., Hub]) -> None:
    asked = hub()
    message = refusal()
    assert "BuilderConfig 'all' not found.)" in message
    assert "python scripts/fetch_datasets.py mmlu" in message
    assert "hf download cais/mmlu" in message
    assert "--data-dir mmlu" in message
    assert asked.asked == ["all", "abstract_algebra"]


def test_a_hub_that_is_away_is_asked_once(hub: Callable[..., Hub]) -> None:
    asked = hub(all=ConnectionError("Couldn't reach 'cais/mmlu' on the Hub"))
    assert "Couldn't reach 'cais/mmlu' on the Hub" in refusal()
    assert asked.asked == ["all"]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand for the clone of the repository; return where fetched questions lie."""
    monkeypatch.setattr(mmlu, "find_repository", lambda: tmp_path)
    folder = tmp_path / "Abstention" / "Source Dataset"
    folder.mkdir(parents=True)
    return folder


def test_the_fetched_copy_is_found(clone: Path) -> None:
    """It holds one split; the others are the hub's."""
    assert fetched_copy("test") is None
    write_jsonl(clone / "mmlu_test.jsonl", EVERYTHING)
    assert fetched_copy("test") == clone
    assert fetched_copy("validation") is None


def test_outside_a_clone_no_fetched_copy_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mmlu, "find_repository", lambda: None)
    assert fetched_copy("test") is None


def test_the_command_asks_the_fetched_copy(
    clone: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_jsonl(clone / "mmlu_test.jsonl", EVERYTHING)
    flags = ["mmlu", "--thresholds", "0.5", "--dry-run", "--out", str(tmp_path / "out")]
    assert gemhall(None, [*flags, "--provider", "ollama", "--model", "m"]) == 0
    assert "3 answers to ask for" in capsys.readouterr().out


def test_offline_nothing_but_the_message_is_shown(tmp_path: Path) -> None:
    """The library's own logs and progress bars do not fill the terminal."""
    pytest.importorskip("datasets")
    code = """if True:
        from banglahallueval.abstention.mmlu import read_mmlu
        from banglahallueval.errors import UsageError
        try:
            read_mmlu().questions
        except UsageError as error:
            print(error)
    """
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=True,
    )
    first, message = done.stdout.splitlines()
    assert first == "loading cais/mmlu (test) from the Hugging Face hub"
    assert message.startswith("cannot load cais/mmlu from the Hugging Face hub (Couldn't reach")
    assert done.stderr == ""
