"""CSV files are text: nothing is guessed, nothing is lost, what is malformed is named."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.tables import Table, read_frame, replacing, writing


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def rows(path: Path) -> list[list[str]]:
    return list(Table(path).rows())


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    """A BOM once hid the id column, and resuming then lost rows."""
    path = write(tmp_path / "a.csv", "\ufeffid,answer\n1,ঢাকা\n".encode())
    assert Table(path).columns == ("id", "answer")
    assert rows(path) == [["1", "ঢাকা"]]


@pytest.mark.parametrize("text", ["NA", "None", "null", "001", "", "nan", "1e5", " x "])
def test_cells_are_the_text_they_are(tmp_path: Path, text: str) -> None:
    """No cell becomes missing, a number, or loses its zeros."""
    path = tmp_path / "a.csv"
    with writing(path, ["id", "cell"]) as writer:
        writer.writerow(["1", text])
    assert rows(path) == [["1", text]]
    assert read_frame(path)["cell"].tolist() == [text]


def test_line_ends_and_quoted_breaks(tmp_path: Path) -> None:
    """CRLF ends rows; a line break inside quotes stays in its cell."""
    path = write(tmp_path / "a.csv", b'id,chain\r\n1,"a\nb\r\nc"\r\n2,d\r\n')
    assert rows(path) == [["1", "a\nb\r\nc"], ["2", "d"]]


def test_a_field_may_be_longer_than_the_modules_limit(tmp_path: Path) -> None:
    """A document of 300,000 characters is one cell."""
    document = "ক" * 300_000
    path = write(tmp_path / "a.csv", f"id,document\n1,{document}\n".encode())
    assert rows(path)[0][1] == document


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"id,a\n1,2\n1,2,3\n", r"line 3: 3 fields where the header has 2.*stray comma"),
        (b"id;a\n1;2\n1;2;3\n", r"line 3: 3 fields .*stray semicolon"),
        (b"sep=;\nid;a\n1;2;3\n", r"line 3: 3 fields"),
        (b"sep=;\nid;id\n1;2\n", r"line 2: the column 'id' is there twice"),
        (b'id\ta\n1\t"x\n', r"line 2: .*quotes"),
        (b"id,a,,\n1,2,,\n3,4,,x\n", r"line 3: 'x' stands in a column without a name"),
        (b"id,a,,\n1,2,,,\n", r"line 2: 5 fields where the header has 2"),
        (b"id,a,,\n1\n", r"line 2: 1 fields where the header has 2"),
        (b"\xff;a\n", r"line 1: not UTF-8"),
        (b'id,a\n1,"x\ny"\n1\n', r"line 4: 1 fields where the header has 2"),
        (b'id,a\n1,"open\n2,x\n', r"line 2: .*quotes"),
        (b'id,a\n1,"x"y\n', r"line 2: .*quotes"),
        (b"id,a\n1,ok\n2,\xff\n", r"line 3: not UTF-8"),
        (b"id,id\n1,2\n", r"line 1: the column 'id' is there twice"),
    ],
)
def test_what_is_malformed_names_file_and_line(tmp_path: Path, data: bytes, message: str) -> None:
    """A malformed file is refused with the physical line, not read around."""
    path = write(tmp_path / "bad.csv", data)
    with pytest.raises(UsageError, match=message) as caught:
        rows(path)
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_said_in_one_line(tmp_path: Path) -> None:
    """No traceback for a path that is not there."""
    with pytest.raises(UsageError, match="no file"):
        Table(tmp_path / "absent.csv")


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8")), min_size=2, max_size=2)))
def test_any_text_survives_writing_and_reading(cells: list[list[str]]) -> None:
    """Quotes, lone carriage returns, NULs, commas: what is written is what is read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        with writing(path, ["a", "b"]) as writer:
            for row in cells:
                writer.writerow(row)
        assert rows(path) == cells


def test_an_output_is_whole_or_absent(tmp_path: Path) -> None:
    """A failure on the way leaves what stood there, and no part file."""
    path = write(tmp_path / "out.csv", b"old\n")

    def break_off() -> None:
        with writing(path, ["a"]) as writer:
            writer.writerow(["x"])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert path.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_a_clear_error() -> None:
    """Writing to a full device says so."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with pytest.raises(UsageError, match="cannot write"), replacing("/dev/full/x.csv"):
        pass


def test_a_write_that_fails_on_the_way_is_a_run_error(tmp_path: Path) -> None:
    """An I/O error inside the body is named with the file it hit."""
    with pytest.raises(RunError, match="No space"), replacing(tmp_path / "x.csv"):
        raise OSError(28, "No space left on device")


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_digests_tell_rows_apart(one: list[str], other: list[str]) -> None:
    """Two rows share a digest only if all their cells are equal, wherever the cells end."""
    assert (digest(one) == digest(other)) == (one == other)


def test_what_can_be_read_only_once_is_refused(tmp_path: Path) -> None:
    """An input from a pipe, as of `<(…)`, was once a traceback at its second reading."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="only once"):
        Table(pipe)


def test_a_file_that_changes_while_it_is_read_is_said(tmp_path: Path) -> None:
    """Rows added during a run were once a traceback, or judged without having been surveyed."""
    path = write(tmp_path / "t.csv", b"a\n1\n")
    table = Table(path)
    write(path, b"a\n1\n2\n")
    with pytest.raises(RunError, match="changed"):
        list(table.rows())


@pytest.mark.parametrize(
    ("data", "columns", "first"),
    [
        ("id;answer\n1;ঢাকা, খুলনা\n", ("id", "answer"), ["1", "ঢাকা, খুলনা"]),
        ("id\tanswer\n1\tক;খ\n", ("id", "answer"), ["1", "ক;খ"]),
        ('"id, nr";answer\n1;"ক;\nখ"\n', ("id, nr", "answer"), ["1", "ক;\nখ"]),
        ("sep=;\nid;answer\n1;x\n", ("id", "answer"), ["1", "x"]),
        ('"SEP=\t"\r\nid\tanswer\r\n1\tx\r\n', ("id", "answer"), ["1", "x"]),
        ("sep=|\nid|answer\n1|x\n", ("id", "answer"), ["1", "x"]),
        ("sep=,\nid,answer\n1,x\n", ("id", "answer"), ["1", "x"]),
        ("sep=;\nid\n1\n", ("id",), ["1"]),
        ("id,a;b,c\n1,2,3\n", ("id", "a;b", "c"), ["1", "2", "3"]),
        ("answer\nx;y\n", ("answer",), ["x;y"]),
        (",id,answer\n0,1,x\n", ("", "id", "answer"), ["0", "1", "x"]),
        ("id,answer,\n1,x,note\n", ("id", "answer", ""), ["1", "x", "note"]),
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_delimiter_is_told_by_the_header(
    tmp_path: Path, data: str, columns: tuple[str, ...], first: list[str], mark: str
) -> None:
    """Spreadsheets save semicolons and tabs, too; a comma in the header beats both."""
    path = write(tmp_path / "a.csv", (mark + data).encode())
    assert Table(path).columns == columns
    assert rows(path) == [first]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_empty_columns_at_the_end_are_left_out(tmp_path: Path, delimiter: str) -> None:
    """Excel pads rows with nameless columns, and leaves them out again after some rows."""
    lines = ["id,answer,,,", "1,x,,,", "2,y", "", "3,z,,"]
    path = write(tmp_path / "a.csv", "\n".join(lines).replace(",", delimiter).encode())
    table = Table(path)
    assert table.columns == ("id", "answer")
    assert list(table.rows()) == [["1", "x"], ["2", "y"], ["3", "z"]]
    assert table.notes[-1] == "3 empty columns at its end are left out"
    assert list(Table(path, without=["id"]).rows()) == [["x"], ["y"], ["z"]]


def test_an_ordinary_file_needs_no_note(tmp_path: Path) -> None:
    assert Table(write(tmp_path / "a.csv", b"id,answer\n1,x\n")).notes == ()


def test_another_delimiter_is_noted(tmp_path: Path) -> None:
    table = Table(write(tmp_path / "a.csv", b"id;answer\n1;x\n"))
    assert table.notes == ("its delimiter is the semicolon",)


def test_an_output_keeps_the_link_it_is_named_by(tmp_path: Path) -> None:
    """A symbolic link stays a link, and the file it leads to is replaced."""
    (tmp_path / "there").mkdir()
    (tmp_path / "a.csv").symlink_to("there/b.csv")
    for text in ("1", "2"):
        with writing(tmp_path / "a.csv", ["id"]) as writer:
            writer.writerow([text])
        assert (tmp_path / "a.csv").is_symlink()
        assert rows(tmp_path / "there" / "b.csv") == [[text]]
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["b.csv"]
