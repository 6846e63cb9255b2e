"""Kill the browser right after labels are given, and count what the annotation page has lost.

    python bench/annotation_durability.py [--kills 50] [--labels 3] [--wait]

Each round opens the page in Chromium on the same profile, checks all labels of the rounds before,
gives some labels by keys that follow each other at once, and kills every process of the browser:
after the last key, or with --wait once the page says that it is saved.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, Playwright, sync_playwright

from banglahallueval.annotation.forms import FORMS, Sheet, blind_ids
from banglahallueval.annotation.page import build_page

_FLAGS = (
    "--headless",
    "--window-size=1280,800",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--remote-debugging-port=0",
)


def write_page(folder: Path, items: int) -> Path:
    """Write a page of so many items."""
    form = FORMS["qa"]
    rows = [(i, {field.name: field.name for field in form.fields}) for i in blind_ids(form, items)]
    path = folder / "qa.html"
    path.write_text(build_page(Sheet("durability", form, rows), "asha"), encoding="utf-8")
    return path


@contextmanager
def killed(playwright: Playwright, browser: str, profile: Path, path: Path) -> Iterator[Page]:
    """Open a page in a browser on a profile; at the end all its processes are killed."""
    with subprocess.Popen(
        [browser, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stderr is not None
            said = (re.search(r"listening on (ws://\S+)", line) for line in process.stderr)
            address = next(found[1] for found in said if found)
            page = playwright.chromium.connect_over_cdp(address).contexts[0].new_page()
            page.goto(path.as_uri())
            page.locator("#app[data-copies=joined]").wait_for()
            yield page
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def _list(page: Page) -> Locator:
    """Show the page's list of all items."""
    page.evaluate("document.getElementById('overview').open = true")
    buttons = page.locator("#list button")
    buttons.first.wait_for()
    return buttons


def labels(page: Page) -> list[str]:
    """Return the label of each item that the page shows; empty where it has none."""
    words = [text.split(": ")[1] for text in _list(page).all_inner_texts()]
    return ["" if word == "no label" else word.lower() for word in words]


def give(page: Page, first: int, answers: Sequence[str]) -> None:
    """Label items from a place on; nothing is waited for but that the browser took the keys."""
    _list(page).nth(first).click()
    for place, answer in enumerate(answers):
        if place:
            page.keyboard.press("ArrowRight")
        page.keyboard.press(answer[0])


def measure(folder: Path, kills: int, each: int, *, waits: bool) -> tuple[Counter[int], int]:
    """Label and kill.

    Returns:
        Number of kills by how many of the labels just given they lost, and the number of labels of
        earlier rounds that were lost.
    """
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("needs chromium")
    lost: Counter[int] = Counter()
    earlier = 0
    path = write_page(folder, (kills + 1) * each)
    expected: list[str] = []
    with sync_playwright() as playwright:
        for number in range(kills + 1):
            with killed(playwright, browser, folder / "profile", path) as page:
                found = labels(page)[: len(expected)]
                differs = [a != b for a, b in zip(found, expected, strict=True)]
                if number:
                    lost[sum(differs[-each:])] += 1
                    earlier += sum(differs[:-each])
                answers = [("yes", "no")[(number + place) % 2] for place in range(each)]
                give(page, len(expected), answers)
                if waits:
                    page.locator("#saved[data-state=saved]").wait_for()
            # What is lost stays lost: the next round compares with what was found.
            expected = [*found, *answers]
    return lost, earlier


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--labels", type=int, default=3, help="labels before each kill")
    parser.add_argument("--wait", action="store_true", help="kill once the page says saved")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lost, earlier = measure(Path(folder), args.kills, args.labels, waits=args.wait)
    for count, kills in sorted(lost.items()):
        print(f"{kills} of {args.kills} kills lost {count} of the {args.labels} labels just given")
    print(f"labels of earlier rounds lost: {earlier}")


if __name__ == "__main__":
    main()
