"""The annotation guidelines: Markdown files that become part of the pages, and one PDF."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

from markdown_it import MarkdownIt

from banglahallueval.annotation.forms import FORMS, FormName
from banglahallueval.annotation.templates import render
from banglahallueval.errors import RunError, UsageError

Language = Literal["en", "bn"]
LANGUAGES: tuple[Language, ...] = ("en", "bn")
FOLDER = Path(__file__).parents[2] / "annotation" / "guidelines"
PDF = FOLDER / "BanHalluEval_Annotation_Guidelines.pdf"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


def html(name: FormName | Literal["common"], lang: Language) -> str:
    """One guideline as HTML.

    Raises:
        UsageError: If the guidelines are not there, as in an installation without the repository.
    """
    path = FOLDER / lang / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read the guideline {path}: {error.strerror}") from None
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def build_pdf(path: Path = PDF) -> None:
    """Print all guidelines, English then Bangla, into one PDF with Chromium.

    Raises:
        UsageError: If there is no Chromium.
        RunError: If it prints nothing.
    """
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise UsageError("no chromium found; install it (Debian: apt install chromium)")
    names: tuple[FormName | Literal["common"], ...] = ("common", *FORMS)
    parts = {lang: [html(name, lang) for name in names] for lang in LANGUAGES}
    page = render("guidelines.html.j2", parts=parts)
    with tempfile.TemporaryDirectory() as folder:
        source, printed = Path(folder, "guidelines.html"), Path(folder, "guidelines.pdf")
        source.write_text(page, encoding="utf-8")
        done = subprocess.run(
            [
                browser,
                *_FLAGS,
                f"--user-data-dir={folder}/profile",
                f"--print-to-pdf={printed}",
                source.as_uri(),
            ],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
        if not printed.exists():
            last = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise RunError(f"{browser} printed no PDF: {last[0]}")
        path.write_bytes(printed.read_bytes())
