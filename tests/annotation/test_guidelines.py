"""The guidelines: complete in both languages, and the committed PDF is theirs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from banglahallueval.annotation import guidelines
from banglahallueval.annotation.forms import FORMS
from banglahallueval.errors import RunError, UsageError


@pytest.mark.parametrize("name", ["common", "spans", *FORMS])
def test_both_languages_say_the_same(name: str) -> None:
    """English and Bangla have the same headings, rules and examples, one for one."""
    shapes = []
    for lang in guidelines.LANGUAGES:
        lines = (guidelines.FOLDER / lang / f"{name}.md").read_text(encoding="utf-8").splitlines()
        marks = [line.split(" ")[0] for line in lines if line[:1] in {"#", "-", "|", ">"}]
        shapes.append([mark if mark[0] != "|" else "|" for mark in marks])
    assert shapes[0] == shapes[1]


def test_markdown_is_rendered_without_foreign_html() -> None:
    """Tables become tables, and no raw HTML passes into a page."""
    page = guidelines.html("qa", "en")
    assert "<table>" in page
    assert "<script" not in page


def test_the_pdf_is_printed(tmp_path: Path) -> None:
    """Chromium prints all guidelines into one PDF below 600 kB."""
    if shutil.which("chromium") is None:
        pytest.skip("needs chromium")
    path = tmp_path / "guidelines.pdf"
    guidelines.build_pdf(path)
    assert path.read_bytes().startswith(b"%PDF")
    assert path.stat().st_size < 600_000


def test_a_pdf_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in the place of the PDF ends in one line, and nothing is left beside it."""
    monkeypatch.setattr(guidelines, "_print", lambda _, printed: printed.write_bytes(b"%PDF"))
    path = tmp_path / "guidelines.pdf"
    path.mkdir()
    with pytest.raises(UsageError, match="cannot write"):
        guidelines.build_pdf(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("browser", "message"),
    [
        ("#!/bin/sh\necho no display >&2\n", "printed no PDF: no display"),
        ("#!/bin/sh\nexec tail -f /dev/null\n", "printed no PDF in 0.1 s"),
        ("#!/nowhere\n", "cannot start"),
        (None, "no chromium found"),
    ],
)
def test_a_browser_that_does_not_print_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: str | None, message: str
) -> None:
    """A browser that is missing, does not start, hangs or fails, ends in one line."""
    if "tail" in (browser or ""):
        monkeypatch.setattr(guidelines, "_PRINT_SECONDS", 0.1)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":" if browser else None)
    if browser:
        (tmp_path / "chromium").write_text(browser, encoding="utf-8")
        (tmp_path / "chromium").chmod(0o755)
    with pytest.raises((UsageError, RunError), match=message):
        guidelines.build_pdf(tmp_path / "guidelines.pdf")
    assert not (tmp_path / "guidelines.pdf").exists()


@pytest.mark.parametrize(
    ("content", "message"), [(None, "cannot read the guideline"), (b"\xff", "is not UTF-8")]
)
def test_a_guideline_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, message: str
) -> None:
    """A guideline that is missing or not UTF-8 ends in one line."""
    monkeypatch.setattr(guidelines, "FOLDER", tmp_path)
    if content:
        (tmp_path / "en").mkdir()
        (tmp_path / "en" / "common.md").write_bytes(content)
    with pytest.raises(UsageError, match=message):
        guidelines.html("common", "en")


def test_a_pdf_is_committed() -> None:
    """The guidelines can be read without building anything."""
    assert guidelines.PDF.read_bytes().startswith(b"%PDF")
