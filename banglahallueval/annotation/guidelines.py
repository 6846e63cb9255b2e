"""The annotation guidelines: Markdown files, shown on the pages and printed into one PDF."""

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
Guideline = FormName | Literal["common", "spans"]
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
_PRINT_SECONDS = 120.0


def html(name: Guideline, lang: Language) -> str:
    """Render one guideline as HTML.

    Raises:
        UsageError: If it cannot be read, as in an installation without the repository.
    """
    path = FOLDER / lang / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read the guideline {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the guideline {path} is not UTF-8; save it as UTF-8") from None
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def build_pdf(path: Path = PDF) -> None:
    """Print all guidelines, English then Bangla, into one PDF with Chromium.

    Raises:
        UsageError: If Chromium is not installed, or the PDF cannot be written.
        RunError: If Chromium prints nothing.
    """
    names: tuple[Guideline, ...] = ("common", *FORMS, "spans")
    parts = {lang: [html(name, lang) for name in names] for lang in LANGUAGES}
    page = render("guidelines.html.j2", parts=parts)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, printed = Path(folder, "guidelines.html"), Path(folder, "guidelines.pdf")
        source.write_text(page, encoding="utf-8")
        _print(source, printed)
        part = path.with_name(f"{path.name}.part")
        try:
            shutil.copyfile(printed, part)
            part.replace(path)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        finally:
            part.unlink(missing_ok=True)


def _print(source: Path, printed: Path) -> None:
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise UsageError("no chromium found; install it (Debian: apt install chromium)")
    command = [
        browser,
        *_FLAGS,
        f"--user-data-dir={source.parent / 'profile'}",
        f"--print-to-pdf={printed}",
        source.as_uri(),
    ]
    try:
        finished = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PRINT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RunError(f"{browser} printed no PDF in {_PRINT_SECONDS:g} s; try again") from None
    except OSError as error:
        raise RunError(f"cannot start {browser}: {error.strerror}") from None
    if not printed.exists():
        last_line = finished.stderr.strip().splitlines()[-1:] or ["no message"]
        raise RunError(f"{browser} printed no PDF: {last_line[0]}")
