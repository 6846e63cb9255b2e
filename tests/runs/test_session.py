"""A session locks, records and publishes one output, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io import records
from banglahallueval.io.records import read_record, record_path
from banglahallueval.io.staged import StagedFile
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import RunSession, locked

COLUMNS = ("key",)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out.csv"


def publish(output: Path, *rows: str, options: RunOptions | None = None, judge: str = "a") -> None:
    with RunSession(output, options or RunOptions()) as session:
        with session.writing(COLUMNS) as writer:
            for row in rows:
                writer.writerow([row])
        session.publish({"task": "qa", "judge": {"name": judge}}, {"rows": len(rows)})


def test_the_record_describes_the_output(output: Path) -> None:
    publish(output, "x", "y")
    record = read_record(output)
    assert record is not None
    assert record["output"] == {"path": str(output), "sha256": file_sha256(output), "rows": 2}
    assert [run["rows"] for run in record["runs"]] == [2]
    assert sorted(path.name for path in output.parent.iterdir()) == ["out.csv", "out.csv.run.json"]


def test_the_runs_of_an_output_that_is_added_to_are_listed(output: Path) -> None:
    publish(output, "x")
    publish(output, "x", "y", options=RunOptions(resume=True))
    publish(output, "z", "z", "z", options=RunOptions(resume=True))
    record = read_record(output)
    assert record is not None
    assert [run["rows"] for run in record["runs"]] == [1, 2, 3]


def test_an_output_that_is_replaced_begins_a_new_record(output: Path) -> None:
    publish(output, "x")
    publish(output, "y", options=RunOptions(overwrite=True))
    record = read_record(output)
    assert record is not None
    assert len(record["runs"]) == 1


def test_a_run_that_does_not_publish_changes_nothing(output: Path) -> None:
    publish(output, "x")
    before = output.read_bytes(), record_path(output).read_bytes()

    def stop() -> None:
        with RunSession(output, RunOptions(overwrite=True)) as session, session.writing(COLUMNS):
            raise RunError("the server is gone")

    with pytest.raises(RunError, match="the server is gone"):
        stop()
    assert (output.read_bytes(), record_path(output).read_bytes()) == before
    assert len(list(output.parent.iterdir())) == 2


def test_a_record_that_cannot_be_written_leaves_the_old_output(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full for the record is not full of wrong records."""
    publish(output, "x")
    before = output.read_bytes(), record_path(output).read_bytes()
    monkeypatch.setattr(records, "record_path", lambda path: Path("/dev/full/r.json"))
    with pytest.raises(UsageError, match="cannot write"):
        publish(output, "y", options=RunOptions(overwrite=True))
    monkeypatch.undo()
    assert (output.read_bytes(), record_path(output).read_bytes()) == before
    assert len(list(output.parent.iterdir())) == 2


def left_by_a_killed_run(output: Path, *rows: str) -> StagedFile:
    """A complete output whose record is written, and that is not in its place."""
    staged = StagedFile(output)
    staged.part = staged.part.with_name(f"{output.name}.99.part")
    with staged.open() as file:
        file.write("\n".join(["key", *rows]) + "\n")
    described = {"path": str(output), "sha256": file_sha256(staged.part), "rows": len(rows)}
    text = json.dumps({"format": 1, "judge": {"name": "b"}, "output": described, "runs": []})
    record_path(output).write_text(text, encoding="utf-8")
    return staged


@pytest.mark.parametrize("exists", [True, False])
def test_what_a_killed_run_had_completed_is_put_in_its_place(output: Path, exists: bool) -> None:
    if exists:
        publish(output, "old")
    left_by_a_killed_run(output, "new")
    with RunSession(output, RunOptions(resume=True)) as session:
        assert session.record_holds
    assert output.read_text(encoding="utf-8") == "key\nnew\n"
    assert list(output.parent.glob("*.part")) == []


def test_what_a_killed_run_had_not_completed_is_removed(output: Path) -> None:
    """Half a file, or one that no record describes, never becomes the output."""
    publish(output, "old")
    (output.parent / "out.csv.98.part").write_text("key\nhalf", encoding="utf-8")
    (output.parent / "out.csv.run.json.98.part").write_text("{", encoding="utf-8")
    (output.parent / "other.csv.98.part").touch()
    with locked(output):
        assert output.read_text(encoding="utf-8") == "key\nold\n"
    assert [path.name for path in output.parent.glob("*.part")] == ["other.csv.98.part"]


def test_a_record_without_a_checksum_puts_nothing_in_place(output: Path) -> None:
    record_path(output).write_text('{"format": 1}', encoding="utf-8")
    (output.parent / "out.csv.98.part").write_text("key\nhalf", encoding="utf-8")
    with locked(output):
        assert not output.exists()


def test_a_damaged_record_does_not_keep_an_output_from_being_replaced(output: Path) -> None:
    publish(output, "x")
    record_path(output).write_text("{", encoding="utf-8")
    (output.parent / "out.csv.98.part").touch()
    with pytest.raises(UsageError, match="cannot read"):
        publish(output, "y", options=RunOptions(resume=True))
    publish(output, "y", options=RunOptions(overwrite=True))
    assert output.read_text(encoding="utf-8") == "key\ny\n"


def test_a_record_that_does_not_fit_is_told(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(output, "x")
    output.write_text("key\nchanged\n", encoding="utf-8")
    with RunSession(output, RunOptions(resume=True)) as session:
        assert not session.record_holds
        assert session.earlier is not None
    assert "is not the file that out.csv.run.json describes" in capsys.readouterr().out


def test_one_run_at_a_time_writes_an_output_whatever_it_is_called(output: Path) -> None:
    """A link and the file it leads to are one output."""
    link = output.with_name("link.csv")
    link.symlink_to(output.name)
    with locked(output), pytest.raises(UsageError, match="another run is writing"), locked(link):
        pass
    with locked(link):
        pass
    assert [path.name for path in output.parent.iterdir()] == ["link.csv"]


def test_a_place_where_no_lock_can_be_made_is_named(output: Path) -> None:
    """Fault: it was taken for an output that another run is writing."""
    with pytest.raises(UsageError, match="no file can be made in /proc"), locked(Path("/proc/x")):
        pass


def test_a_lock_is_released_where_the_record_cannot_be_read(output: Path) -> None:
    publish(output, "x")
    record_path(output).write_text("[]", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(UsageError, match="run record"), RunSession(output, RunOptions(True)):
            pass
    assert not output.with_name("out.csv.lock").exists()


def test_part_files_of_others_are_left_alone(output: Path) -> None:
    """An output whose name begins alike once lost what it was writing, a user their notes."""
    others = [output.with_name(output.name + end) for end in (".v2.csv.77.part", ".notes.part")]
    own = output.with_name(f"{output.name}.77.part")
    for path in (*others, own):
        path.write_text("x", encoding="utf-8")
    with RunSession(output, RunOptions()):
        pass
    assert [path.exists() for path in others] == [True, True]
    assert not own.exists()
