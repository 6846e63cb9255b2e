"""Labels outlive a browser that is killed; bench/annotation_durability.py kills it more often."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Playwright

from bench.annotation_durability import give, killed, labels, write_page
from tests.browsing import chromium_path


def test_a_killed_browser_loses_the_last_press_at_most(
    playwright: Playwright, tmp_path: Path
) -> None:
    """Killed after a key, all but that key's label is there; killed once saved, all is."""
    browser = chromium_path()
    path, profile = write_page(tmp_path, 4), tmp_path / "profile"
    with killed(playwright, browser, profile, path) as page:
        give(page, 0, ["yes"])
        page.locator("#saved[data-state=saved]").wait_for()
    with killed(playwright, browser, profile, path) as page:
        assert labels(page) == ["yes", "", "", ""]
        give(page, 1, ["no"])
        page.locator("#saved[data-state=saved]").wait_for()
        give(page, 2, ["no"])
    with killed(playwright, browser, profile, path) as page:
        assert labels(page)[:2] == ["yes", "no"]
        assert labels(page)[2] in {"no", ""}
