"""What tests of the page do to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from banglahallueval.io.tables import read_frame

Open = Callable[[Path], Page]
Write = Callable[..., Path]


def exported(page: Page, tmp_path: Path) -> Path:
    with page.expect_download() as download:
        page.click("#export")
    path = tmp_path / "exports" / download.value.suggested_filename
    download.value.save_as(path)
    return path


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def column(path: Path, name: str) -> list[str]:
    return read_frame(path)[name].tolist()


def reload(page: Page) -> None:
    """Reload as a person would: not within the instant of the last key.

    Chromium passes what a page stores to its browser process a moment after the page's own write
    has returned, and on a busy machine a reload in that same instant may overtake it.
    """
    page.wait_for_timeout(300)
    page.reload()
