"""Passages come from a folder of texts or from a wiki; the seed decides which."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.in_process import run_script
from tests.scripting import Finished, start_script
from tests.spans.building import writers
from tests.spans.building.test_pipeline import SCRIPT, rows
from tests.spans.building.wiki_server import WikiServer

Build = Callable[..., Finished]

TEXTS = {number: f"{number} নম্বর পাতা। " + "লেখা " * number for number in range(1, 60, 2)}


@pytest.fixture
def wiki() -> Iterator[WikiServer]:
    with WikiServer(TEXTS, others={2: "redirect", 4: 1, 58: 14}) as server:
        yield server


def test_texts_of_each_kind_become_passages(build: Build, tmp_path: Path) -> None:
    """In the order of their paths, with a language, a title and a name of their own."""
    done = build("contexts", "--texts", writers.texts(tmp_path), "--min-len", 20)
    assert done.code == 0, done.err
    made = rows(tmp_path / "set/contexts.csv")
    assert [row["id"] for row in made] == ["library", "river/boats", "school-1"]
    assert [row["title"] for row in made] == ["library", "boats", "মাধবপুর বিদ্যালয়"]
    assert {row["language"] for row in made} == {"bn"}
    assert made[0]["evidence"] == writers.PASSAGES["library.txt"]


def test_json_lines_say_what_they_are(build: Build, tmp_path: Path) -> None:
    lines = [
        {"id": "x", "text": "A passage in English.", "language": "en", "url": "https://a.example"},
        {"id": "x", "passage": "যে লেখার নাম একবার আছে।"},
    ]
    folder = tmp_path / "texts"
    folder.mkdir()
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (folder / "all.jsonl").write_text(text, encoding="utf-8")
    assert build("contexts", "--texts", folder, "--min-len", 5).code == 0
    made = rows(tmp_path / "set/contexts.csv")
    assert [(row["id"], row["language"]) for row in made] == [("x", "en"), ("x#2", "bn")]


def test_what_is_left_out_is_counted(build: Build, tmp_path: Path) -> None:
    folder = writers.texts(tmp_path)
    (folder / "short.txt").write_text("ছোট", encoding="utf-8")
    (folder / "twice.txt").write_text(writers.PASSAGES["library.txt"], encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.txt").write_text("যা কেউ দেখতে চায় না, সেটি থাক।", encoding="utf-8")
    done = build("contexts", "--texts", folder, "--min-len", 20)
    assert "1 passages of less than 20 code points are left out" in done.out
    assert "1 passages that stand there before are left out" in done.out
    assert "1 files other than .txt, .md, .jsonl are left out" in done.out
    assert len(rows(tmp_path / "set/contexts.csv")) == 3


def test_a_draw_of_texts_hangs_on_its_seed(build: Build, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number:02}.txt").write_text(f"লেখা নম্বর {number}", encoding="utf-8")

    def drawn(seed: int) -> list[str]:
        flags = ("--min-len", 5, "-n", 4, "--seed", seed, "--overwrite")
        assert build("contexts", "--texts", folder, *flags).code == 0
        return [row["id"] for row in rows(tmp_path / "set/contexts.csv")]

    assert drawn(1) == drawn(1) == sorted(drawn(1))
    assert drawn(1) != drawn(2)


def test_random_pages_have_title_address_and_text(
    build: Build, wiki: WikiServer, tmp_path: Path
) -> None:
    """Redirects, other namespaces, gaps and short pages are passed over; no page comes twice."""
    done = build("contexts", "--wikipedia", wiki.url, "-n", 8, "--min-len", 60)
    assert done.code == 0, done.err
    made = rows(tmp_path / "set/contexts.csv")
    numbers = [int(row["id"].removeprefix("bn-")) for row in made]
    assert len(set(numbers)) == 8
    assert [row["evidence"] for row in made] == [TEXTS[number].strip() for number in numbers]
    assert made[0]["url"] == f"https://wiki.example/{numbers[0]}"
    assert made[0]["title"] == f"পাতা {numbers[0]}"
    assert all(agent.startswith("banglahallueval/") for agent in wiki.agents)


def test_the_seed_draws_the_same_pages_again(
    build: Build, wiki: WikiServer, tmp_path: Path
) -> None:
    """Also after pages were added, as long as the wiki does not outgrow the draw."""

    def drawn(seed: int, output: str) -> list[str]:
        flags = ("-n", 5, "--min-len", 1, "--seed", seed, "--output", output)
        assert build("contexts", "--wikipedia", wiki.url, *flags).code == 0
        return [row["id"] for row in rows(tmp_path / output)]

    first = drawn(1, "a.csv")
    assert drawn(2, "b.csv") != first
    wiki.others |= {62: 14}
    assert drawn(1, "c.csv") == first


def test_each_language_has_its_pages(build: Build, wiki: WikiServer, tmp_path: Path) -> None:
    flags = ("-l", "bn", "-l", "en", "-n", 3, "--min-len", 1)
    assert build("contexts", "--wikipedia", wiki.url, *flags).code == 0
    assert [row["language"] for row in rows(tmp_path / "set/contexts.csv")] == ["bn"] * 3 + [
        "en"
    ] * 3


def test_a_busy_wiki_is_asked_again(build: Build, wiki: WikiServer) -> None:
    wiki.failures = [503, 429]
    done = build("contexts", "--wikipedia", wiki.url, "-n", 2, "--min-len", 1)
    assert done.code == 0, done.err


def test_a_stopped_collection_goes_on_where_it_was(wiki: WikiServer, tmp_path: Path) -> None:
    """What a wiki has answered is asked no second time, and the file is that of one whole run."""
    flags = ("contexts", "--wikipedia", wiki.url, "-n", 6, "--min-len", 1)
    wiki.failures = [200] * 5 + [404]
    broken = run_script(SCRIPT, *flags, "--folder", tmp_path / "a")
    assert broken.code == 1
    assert "answered 404" in broken.err
    assert "Stopped after 3 pages" in broken.out
    wiki.failures = []
    done = run_script(SCRIPT, *flags, "--folder", tmp_path / "a", "--resume")
    assert done.code == 0, done.err
    queries = [json.dumps(query, sort_keys=True) for query in wiki.asked]
    assert len(queries) - len(set(queries)) == 1  # the one that failed
    assert run_script(SCRIPT, *flags, "--folder", tmp_path / "b").code == 0
    assert (tmp_path / "a/contexts.csv").read_bytes() == (tmp_path / "b/contexts.csv").read_bytes()


def test_a_killed_collection_leaves_no_half_file(wiki: WikiServer, tmp_path: Path) -> None:
    """SIGKILL, then `--resume`: only what was held is asked again."""
    flags = ("contexts", "--wikipedia", wiki.url, "-n", 6, "--min-len", 1)
    wiki.hold_after = 4
    process = start_script(SCRIPT, *flags, "--folder", tmp_path / "a")
    wiki.until_held()
    process.kill()
    process.communicate()
    wiki.release()
    assert not (tmp_path / "a/contexts.csv").exists()
    done = run_script(SCRIPT, *flags, "--folder", tmp_path / "a", "--resume")
    assert done.code == 0, done.err
    assert len(rows(tmp_path / "a/contexts.csv")) == 6
    queries = [json.dumps(query, sort_keys=True) for query in wiki.asked]
    assert len(queries) - len(set(queries)) == 1


def test_other_passages_are_not_taken_for_these(
    build: Build, wiki: WikiServer, tmp_path: Path
) -> None:
    """A resumed collection is the one that was begun; another one needs another file."""
    flags = ("contexts", "--wikipedia", wiki.url, "--min-len", 1)
    assert build(*flags, "-n", 2).code == 0
    assert "nothing left to ask" in build(*flags, "-n", 2, "--resume").out
    refused = build(*flags, "-n", 3, "--resume")
    assert refused.code == 2
    assert "was made with the n 2, this run has 3" in refused.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<html>not a wiki</html>", "does not answer as MediaWiki"),
        ("[]", "does not answer as MediaWiki"),
        ('{"query": {"recentchanges": [{}]}}', "does not answer as MediaWiki"),
        ('{"query": {"recentchanges": [], "pages": []}}', "no page is new"),
        ('{"error": {"code": "readonly", "info": "The wiki is locked."}}', "The wiki is locked."),
    ],
)
def test_what_is_no_wiki_is_one_line(
    body: str, message: str, build: Build, wiki: WikiServer
) -> None:
    wiki.body = body
    failed = build("contexts", "--wikipedia", wiki.url, "-n", 2, "--quiet")
    assert failed.code == 1
    assert message in failed.err
    assert len(failed.err.splitlines()) == 1


def test_a_dry_run_asks_no_wiki(build: Build, wiki: WikiServer, tmp_path: Path) -> None:
    source = ("--wikipedia", wiki.url, "-n", 7, "--dry-run")
    alone = build("contexts", *source)
    assert "contexts: 7 pages of http://127.0.0.1" in alone.out
    models = ("--models", "openai:m", "--qa-model", "m", "--annotator-model", "m")
    whole = build("pipeline", *source, *models, "--filter-model", "m")
    assert whole.code == 0, whole.err
    assert "run the step contexts, then pipeline --resume --dry-run" in whole.out
    assert wiki.asked == []
    assert not (tmp_path / "set").exists()


def test_a_wiki_without_long_pages_ends(build: Build, wiki: WikiServer) -> None:
    failed = build("contexts", "--wikipedia", wiki.url, "-n", 2, "--min-len", 9999, "--quiet")
    assert failed.code == 1
    assert "lower -n or --min-len" in failed.err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--texts", "nowhere"), "no such folder"),
        (("--texts", "texts", "--min-len", 9999), "holds no passage of 9999 code points"),
        (("--texts", "texts", "--sleep", 1), "no use of --sleep"),
        (("--texts", "texts", "-l", "bn", "-l", "en"), "takes one --language"),
        (("--texts", "texts", "-l", "evil.example/"), "no language code"),
        (("--wikipedia", "-l", "bn", "-l", "bn"), "names one twice"),
        (("--texts", "texts", "--output", "set/c.txt"), "name a .csv file"),
        (("--texts", "latin"), "is not UTF-8"),
        (("--texts", "lines"), "has no text; it is read from text, passage"),
        (("--texts", "broken"), "not a JSON object"),
    ],
)
def test_wrong_sources_are_one_line(
    flags: tuple[object, ...], message: str, build: Build, tmp_path: Path
) -> None:
    writers.texts(tmp_path)
    for name, file, data in (
        ("latin", "a.txt", b"\xe9t\xe9" * 50),
        ("lines", "a.jsonl", b'{"title": "x"}\n'),
        ("broken", "a.jsonl", b"{oops\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_bytes(data)
    refused = build("contexts", *flags)
    assert refused.code == 2
    assert message in refused.err
    assert len(refused.err.splitlines()) == 1
