"""The guidelines: complete in both languages, and the committed PDF is theirs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from banglahallueval.annotation import guidelines
from banglahallueval.annotation.forms import FORMS


@pytest.mark.parametrize("name", ["common", *FORMS])
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


def test_a_pdf_is_committed() -> None:
    """The guidelines can be read without building anything."""
    assert guidelines.PDF.read_bytes().startswith(b"%PDF")
