"""Data sets are fetched whole or not at all, resumed, checked, and never overwrite anything."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from banglahallueval.datasets.commands import fetch_main, layout_main
from tests.datasets.file_server import FileServer
from tests.in_process import ended, run_script
from tests.scripting import Finished

MAIN = "Codemix/Main dataset/codemix_1000.csv"
CANDIDATES = "Hallucination Generated Answers/codemix_4000.csv"
SOMADHAN = "Reasoning/SOMADHAN Source Dataset/SOMADHAN.csv"


def somadhan(rows: int = 4000) -> bytes:
    lines = [f"প্রশ্ন {i}?,উত্তর {i}।" for i in range(rows)]
    return "\n".join(["question,answer", *lines, ""]).encode()


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer({SOMADHAN: somadhan()}) as running:
        yield running


Fetch = Callable[..., Finished]


@pytest.fixture
def fetch(capsys: pytest.CaptureFixture[str]) -> Fetch:
    def run(root: Path, mirror: object, *names: str) -> Finished:
        flags = ["--root", str(root), "--mirror", str(mirror), "--retry-pause", "0.01", "--quiet"]
        return ended(capsys, lambda: fetch_main("", [*flags, *names]))

    return run


def left(root: Path) -> list[str]:
    files = (path for path in root.rglob("*") if path.is_file())
    return sorted(path.relative_to(root).as_posix() for path in files)


def test_a_file_is_brought_to_its_place(fetch: Fetch, tmp_path: Path, server: FileServer) -> None:
    """A mirror's file lands where the scripts expect it, with its licence said."""
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 0, done.err
    assert (tmp_path / SOMADHAN).read_bytes() == somadhan()
    assert "licence: none stated" in done.out
    assert done.err == ""
    assert left(tmp_path) == [".fetched.json", SOMADHAN]


def test_a_dropped_connection_is_resumed(fetch: Fetch, tmp_path: Path, server: FileServer) -> None:
    """After a drop only the missing bytes are asked for."""
    server.drops = 2
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 0, done.err
    assert (tmp_path / SOMADHAN).read_bytes() == somadhan()
    starts = [int(wanted.strip("bytes=-") or 0) for _, wanted in server.asked]
    assert len(starts) == 3
    assert starts == sorted(set(starts))


def test_a_run_that_gave_up_goes_on_next_time(
    fetch: Fetch, tmp_path: Path, server: FileServer
) -> None:
    """What arrived before the server went away is kept as a part, and used by the next run."""
    server.drops = 1
    server.ranges = True
    whole = somadhan()
    half = len(whole) // 2
    part = tmp_path / f"{SOMADHAN}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(whole[:half])
    note = {"url": f"{server.url}/Reasoning/SOMADHAN%20Source%20Dataset/SOMADHAN.csv"}
    Path(f"{part}.json").write_text(
        json.dumps({**note, "validator": f'"{len(whole)}"'}), encoding="utf-8"
    )
    server.status = 503
    gave_up = fetch(tmp_path, server.url, "somadhan")
    assert gave_up.code == 1
    assert "503" in gave_up.err
    assert "run the command again" in gave_up.err
    assert not (tmp_path / SOMADHAN).exists()
    server.status = 0
    server.asked.clear()
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 0, done.err
    assert (tmp_path / SOMADHAN).read_bytes() == whole
    assert server.asked[0][1] == f"bytes={half}-"


def test_a_part_of_another_file_is_not_built_on(
    fetch: Fetch, tmp_path: Path, server: FileServer
) -> None:
    """A part whose origin is not known, or changed since, is begun again."""
    part = tmp_path / f"{SOMADHAN}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"something else")
    assert fetch(tmp_path, server.url, "somadhan").code == 0
    assert (tmp_path / SOMADHAN).read_bytes() == somadhan()


@pytest.mark.parametrize(
    ("begun", "ranges"),
    [(b"x" * 1000, False), (b"x" * 1000, True), (somadhan(), True), (somadhan() + b"more", True)],
    ids=["no ranges", "another version", "already whole", "too long"],
)
def test_a_part_that_cannot_be_continued_is_begun_again(
    fetch: Fetch, tmp_path: Path, server: FileServer, begun: bytes, ranges: bool
) -> None:
    """Bytes of two versions are never joined, whether or not the server can send a rest."""
    server.ranges = ranges
    part = tmp_path / f"{SOMADHAN}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(begun)
    tag = f'"{len(somadhan())}"' if len(begun) > 1000 else '"of yesterday"'
    url = f"{server.url}/Reasoning/SOMADHAN%20Source%20Dataset/SOMADHAN.csv"
    Path(f"{part}.json").write_text(json.dumps({"url": url, "validator": tag}), encoding="utf-8")
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 0, done.err
    assert (tmp_path / SOMADHAN).read_bytes() == somadhan()
    assert server.asked[0][1] == f"bytes={len(begun)}-"
    assert left(tmp_path) == [".fetched.json", SOMADHAN]


def test_the_pause_between_requests_doubles(
    fetch: Fetch, tmp_path: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy server is asked five times, after --retry-pause, twice that, and so on."""
    pauses: list[float] = []
    monkeypatch.setattr("banglahallueval.datasets.download.time.sleep", pauses.append)
    server.status = 503
    done = fetch(tmp_path, server.url, "somadhan", "--retry-pause", "2")
    assert done.code == 1
    assert pauses == [2, 4, 8, 16]


def test_a_refusal_is_not_repeated(fetch: Fetch, tmp_path: Path, server: FileServer) -> None:
    """A status that will not change is reported at once, and leaves nothing behind."""
    server.status = 403
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 1
    assert "the server answered 403" in done.err
    assert len(server.asked) == 1
    assert left(tmp_path) == []


def test_a_progress_bar_counts_the_bytes(
    tmp_path: Path, server: FileServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is on standard error, and --quiet leaves it out."""
    call = ["somadhan", "--root", str(tmp_path), "--mirror", server.url]
    done = ended(capsys, lambda: fetch_main("", call))
    assert done.code == 0
    assert "100%" in done.err
    assert f"{len(somadhan()) / 1000:.0f}k" in done.err


def test_an_announced_checksum_is_checked(fetch: Fetch, tmp_path: Path, server: FileServer) -> None:
    """A file that is not what its home announces is thrown away."""
    server.headers["X-Linked-ETag"] = f'"{hashlib.sha256(b"another").hexdigest()}"'
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 1
    assert "checksum" in done.err
    assert left(tmp_path) == []
    server.headers = {"x-goog-hash": f"md5={base64.b64encode(b'0' * 16).decode()}"}
    assert "checksum" in fetch(tmp_path, server.url, "somadhan").err
    right = base64.b64encode(hashlib.md5(somadhan()).digest()).decode()
    server.headers = {"x-goog-hash": f"crc32c=AAAAAA==, md5={right}"}
    assert fetch(tmp_path, server.url, "somadhan").code == 0


def test_a_later_fetch_is_checked_against_the_first(
    fetch: Fetch, tmp_path: Path, server: FileServer
) -> None:
    """The sum of the first fetch is remembered, so a changed file is noticed."""
    assert fetch(tmp_path, server.url, "somadhan").code == 0
    (tmp_path / SOMADHAN).unlink()
    server.files[SOMADHAN] = somadhan(10)
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 1
    assert "checksum" in done.err
    assert not (tmp_path / SOMADHAN).exists()


def test_nothing_is_overwritten(fetch: Fetch, tmp_path: Path, server: FileServer) -> None:
    """A file that is there stays as it is, and is not asked for."""
    target = tmp_path / SOMADHAN
    target.parent.mkdir(parents=True)
    target.write_text("question,answer\nনিজের,লেখা\n", encoding="utf-8")
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 0
    assert "there already" in done.out
    assert "নিজের" in target.read_text(encoding="utf-8")
    assert server.asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/full")
def test_a_full_disk_is_one_clear_error(fetch: Fetch, tmp_path: Path, server: FileServer) -> None:
    """A write that meets a full disk ends in one line, and no file stands there as if whole."""
    part = tmp_path / f"{SOMADHAN}.part"
    part.parent.mkdir(parents=True)
    part.symlink_to("/dev/full")
    for mirror in (server.url, tmp_path / "mirror"):
        (tmp_path / "mirror").mkdir(exist_ok=True)
        (tmp_path / "mirror" / "SOMADHAN.csv").write_bytes(somadhan())
        done = fetch(tmp_path, mirror, "somadhan")
        assert done.code == 1
        assert "disk is full" in done.err
        assert "Traceback" not in done.err
        assert len(done.err.strip().splitlines()) == 1
        assert not (tmp_path / SOMADHAN).exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<!DOCTYPE html><html>sign in</html>", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "LFS pointer"),
        (b"question,text\na,b\n", "no column 'answer'"),
        (b'question,answer\n"a,b\n', "line 2"),
        (b"", "empty"),
    ],
)
def test_what_is_not_the_file_is_refused(
    fetch: Fetch, tmp_path: Path, server: FileServer, data: bytes, said: str
) -> None:
    """A web page, a pointer, a wrong or a malformed file never takes the file's place."""
    server.files[SOMADHAN] = data
    done = fetch(tmp_path, server.url, "somadhan")
    assert done.code == 1
    assert said in done.err
    assert left(tmp_path) == []


def test_a_checkout_of_the_published_tree_is_recognised(fetch: Fetch, tmp_path: Path) -> None:
    """Files are found under the names of the published tree, old ones too."""
    tree, root = tmp_path / "tree", tmp_path / "root"
    root.mkdir()
    old = tree / "BanglaHalluEval Datasets" / "banglahallueval_qa_1000.csv"
    new = tree / "Hallucination Generated Answers" / "qa_4000.csv"
    for path, header in (
        (old, "id,context,question,correct_answer"),
        (new, "id,source_id,pattern,context,question,right_answer,hallucinated_answer"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(f"\ufeff{header}\n{'x,' * header.count(',')}x\n", encoding="utf-8")
    done = fetch(root, tree, "qa")
    assert done.code == 0, done.err
    assert "it has 1 rows; 1,000 are published" in done.out
    place = root / "QA/1000 Selected Samples/banglahallueval_qa_1000.csv"
    assert place.read_bytes() == old.read_bytes()


def test_what_a_mirror_lacks_is_named(fetch: Fetch, tmp_path: Path) -> None:
    """A missing file keeps no other from coming, and is named with where it was sought."""
    with FileServer({MAIN: b"id,codemix_context,codemix_question,codemix_answer\n1,a,b,c\n"}) as on:
        done = fetch(tmp_path, on.url, "codemix")
    assert done.code == 1
    assert CANDIDATES in done.err
    assert "not found at" in done.err
    assert left(tmp_path) == [".fetched.json", MAIN]


def test_the_bengali_part_of_tydiqa_is_taken(fetch: Fetch, tmp_path: Path) -> None:
    """TyDiQA becomes a table of its Bengali items, of both its files."""

    def tydiqa(number: int) -> bytes:
        items = [
            {"id": f"{language}-{number}", "question": "কে?", "answers": [{"text": "রবি"}]}
            for language in ("bengali", "english")
        ]
        article = {"paragraphs": [{"context": "রবি লিখলেন।", "qas": items}]}
        return json.dumps({"data": [article]}).encode()

    mirror = tmp_path / "mirror"
    mirror.mkdir()
    for number, split in enumerate(("train", "dev")):
        (mirror / f"tydiqa-goldp-v1.1-{split}.json").write_bytes(tydiqa(number))
    root = tmp_path / "root"
    root.mkdir()
    done = fetch(root, mirror, "tydiqa")
    assert done.code == 0, done.err
    table = (root / "QA/Sample Selection/tydiqa_goldp_bengali.csv").read_text(encoding="utf-8")
    assert table.splitlines() == [
        "id,question,context,correct_answer",
        "bengali-0,কে?,রবি লিখলেন।,রবি",
        "bengali-1,কে?,রবি লিখলেন।,রবি",
    ]


def test_parquet_becomes_lines_of_json(fetch: Fetch, tmp_path: Path) -> None:
    """A Parquet file is kept and written as JSON lines."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    mirror, root = tmp_path / "mirror", tmp_path / "root"
    (mirror / "all").mkdir(parents=True)
    root.mkdir()
    table = pyarrow.table({"question": ["২+২?"], "choices": [["৩", "৪"]], "answer": [1]})
    parquet.write_table(table, mirror / "all" / "test-00000-of-00001.parquet")
    assert fetch(root, mirror, "mmlu").code == 0
    line = (root / "Abstention/Source Dataset/mmlu_test.jsonl").read_text(encoding="utf-8")
    assert json.loads(line) == {"question": "২+২?", "choices": ["৩", "৪"], "answer": 1}


def test_every_data_set_is_listed_with_its_licence() -> None:
    """The list names a home and a licence, or that there is none, for each data set."""
    listed = run_script("scripts/fetch_datasets.py", "--list")
    assert listed.code == 0
    names = [line for line in listed.out.splitlines() if line and not line.startswith(" ")]
    assert len(names) == listed.out.count("\n  licence: ") == listed.out.count("\n  home: ") == 10


def test_unknown_names_and_folders_are_refused(fetch: Fetch, tmp_path: Path) -> None:
    """A wrong call is one line and status 2."""
    for done in (
        fetch(tmp_path, tmp_path, "tydiqaa"),
        fetch(tmp_path, tmp_path / "nowhere", "qa"),
        fetch(tmp_path / "nowhere", tmp_path, "qa"),
    ):
        assert done.code == 2
        assert len(done.err.strip().splitlines()) == 1


def test_the_layout_check_tells_whole_wrong_and_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names a file of the wrong data under a familiar name, and how to get a missing one."""
    wrong = tmp_path / "Hallucination Generated Answers" / "summarization_3000_corrected.csv"
    wrong.parent.mkdir()
    empty = tmp_path / "Abstention" / "Source Dataset" / "mmlu_test.jsonl"
    empty.parent.mkdir(parents=True)
    empty.touch()
    header = "id,source_id,pattern,document,right_summary,hallucinated_summary"
    rows = [f"::Intrinsic,,Intrinsic,প্রশ্ন {i}?,,উত্তর" for i in range(3000)]
    wrong.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    done = ended(capsys, lambda: layout_main("", ["--root", str(tmp_path)]))
    assert done.code == 1
    line = next(each for each in done.out.splitlines() if "summarization_3000" in each)
    assert "it has 1 different ids; 3,000 are published" in line
    assert "3,000 of its rows have no id" in line
    assert "python scripts/fetch_datasets.py codemix" in done.out
    assert f"{empty.relative_to(tmp_path)}: it is empty" in done.out
