"""What tests of the page do to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import BrowserContext, Dialog, Page

from banglahallueval.io.tables import read_frame
from tests.annotation.conftest import BrowserOptions

Open = Callable[[Path], Page]
Write = Callable[..., Path]


def exported(page: Page, tmp_path: Path) -> Path:
    if not page.is_visible("#export"):
        page.click("#menu")
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


def select(page: Page, start: int, end: int) -> None:
    """Select a part of the judged text, as a browser does it at last; UTF-16 places."""
    page.evaluate(
        """([start, end]) => {
          const walker = document.createTreeWalker(
            document.querySelector(".output .text"), NodeFilter.SHOW_TEXT);
          const points = [];
          for (let at = 0; walker.nextNode(); at += walker.currentNode.length)
            for (const place of [start, end].slice(points.length))
              if (place <= at + walker.currentNode.length)
                points.push([walker.currentNode, place - at]);
          getSelection().setBaseAndExtent(...points[0], ...points[1]);
        }""",
        [start, end],
    )


def marked(page: Page) -> list[str]:
    """The marked stretches that the page shows."""
    return page.locator(".output mark").all_text_contents()


def answer_dialogs(page: Page, answer: Callable[[Dialog], None]) -> list[Dialog]:
    """Answers the page's dialogs; gives the list of them, which grows."""
    asked: list[Dialog] = []

    def handle(dialog: Dialog) -> None:
        asked.append(dialog)
        answer(dialog)

    page.on("dialog", handle)
    return asked


def reload(page: Page) -> None:
    """Reload once everything is saved, and wait until both copies of the labels are read."""
    stored(page)
    page.reload()
    page.locator("#app[data-copies=joined]").wait_for()


def stored(page: Page) -> None:
    """Wait until all labels and settings are where another tab, or a killed browser, finds them.

    Chromium passes what a page puts into localStorage to its browser process a moment after the
    page's own write has returned.
    """
    page.locator("#saved[data-state=saved]").wait_for()
    entries = "JSON.stringify(Object.entries(localStorage).sort())"
    here = page.evaluate(entries)
    blank = Path(unquote(urlsplit(page.url).path)).with_name("blank.html")
    blank.touch()
    tab = page.context.new_page()
    tab.goto(blank.as_uri())
    tab.wait_for_function(f"here => {entries} === here", arg=here, polling=20)
    tab.close()


def leave(page: Page) -> str:
    """Go to a blank page of the same storage; gives the address that was left."""
    address = page.url
    blank = Path(unquote(urlsplit(address).path)).with_name("blank.html")
    blank.touch()
    page.goto(blank.as_uri())
    return address


def forget(page: Page, *copies: str) -> None:
    """Delete copies of the labels, `local` and `database`, and reload."""
    stored(page)
    address = leave(page)
    if "local" in copies:
        page.evaluate("localStorage.clear()")
    if "database" in copies:
        page.evaluate(
            """() => new Promise((done) => {
              indexedDB.deleteDatabase("banglahallueval").onsuccess = done;
            })"""
        )
    page.goto(address)
    page.locator("#app[data-copies=joined]").wait_for()


Browser = Callable[..., BrowserContext]
LAPTOP: BrowserOptions = {"viewport": {"width": 1280, "height": 800}, "accept_downloads": True}
PHONE: BrowserOptions = {
    "viewport": {"width": 390, "height": 844},
    "accept_downloads": True,
    "has_touch": True,
    "is_mobile": True,
}
SIDEWAYS: BrowserOptions = {**PHONE, "viewport": {"width": 844, "height": 390}}
THUMB = "👍🏽 ঢাকা 1999"
ANSWER = "রবীন্দ্রনাথ ঠাকুর ১৯১৫ সালে নোবেল পুরস্কার পান।"


def open_on(browser: Browser, path: Path, options: BrowserOptions) -> Page:
    page = browser(locale="en-GB", **options).new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(path.as_uri())
    return page


def spans(page: Page, tmp_path: Path) -> list[str]:
    return column(exported(page, tmp_path), "spans")


def drag(page: Page, start: int, end: int) -> None:
    """Drag the mouse over a part of the judged text."""
    ends = page.evaluate(
        """([start, end]) => [start, end].map((place) => {
          const walker = document.createTreeWalker(
            document.querySelector(".output .text"), NodeFilter.SHOW_TEXT);
          while (walker.nextNode() && place > walker.currentNode.length)
            place -= walker.currentNode.length;
          const range = document.createRange();
          range.setStart(walker.currentNode, place);
          const box = range.getBoundingClientRect();
          return [box.left, box.top + box.height / 2];
        })""",
        [start, end],
    )
    page.mouse.move(*ends[0])
    page.mouse.down()
    page.mouse.move(*ends[1], steps=5)
    page.mouse.up()
