"""The page's files: export, import, and what is not saved yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Dialog, expect

from tests.annotation.using_page import (
    Open,
    Write,
    answer_dialogs,
    column,
    exported,
    forget,
    press,
)


def test_import_brings_an_export_back(
    browser: Callable[..., BrowserContext], write_page: Write, tmp_path: Path
) -> None:
    """An export restores labels, flags and notes in a browser that has forgotten them."""
    context = browser()
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(write_page().as_uri())
    press(page, "y", "ArrowRight", "n", "u")
    page.fill("#note", 'a "b", c\nd')
    path = exported(page, tmp_path)
    forget(page, "local", "database")
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"
    page.set_input_files("#file", path)
    expect(page.locator("#count")).to_contain_text("2 of 3 labelled")
    assert column(exported(page, tmp_path), "note") == ["", 'a "b", c\nd', ""]


def test_import_asks_before_it_replaces(open_page: Open, write_page: Write, tmp_path: Path) -> None:
    """Labels that differ from the file's stay unless the annotator agrees."""
    page = open_page(write_page())
    asked = answer_dialogs(page, Dialog.dismiss)
    press(page, "y")
    path = exported(page, tmp_path)
    press(page, "n", "ArrowRight", "n")
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("imported")
    assert len(asked) == 1
    assert column(exported(page, tmp_path), "is_hallucinated") == ["no", "no", ""]


def test_import_refuses_another_annotators_file(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    """The file of another page changes nothing."""
    page = open_page(write_page(annotator="bithi"))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    path = exported(page, tmp_path)
    page.goto(write_page(annotator="asha").as_uri())
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("another")
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"


@pytest.mark.parametrize("edit", [lambda t: t.replace("\r\n", "\n"), lambda t: t.lstrip("\ufeff")])
def test_import_reads_files_saved_by_other_programs(
    open_page: Open, write_page: Write, tmp_path: Path, edit: Callable[[str], str]
) -> None:
    """Line ends and a byte order mark do not matter."""
    page = open_page(write_page())
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    path = exported(page, tmp_path)
    path.write_text(edit(path.read_bytes().decode()), encoding="utf-8", newline="")
    press(page, "y")
    page.set_input_files("#file", path)
    expect(page.locator("#count")).to_contain_text("1 of 3 labelled")


@pytest.mark.parametrize("works", [True, False])
def test_leaving_warns_of_labels_that_are_nowhere_else(
    browser: Callable[..., BrowserContext], write_page: Write, tmp_path: Path, *, works: bool
) -> None:
    """The browser asks before labels are left that are neither saved nor exported."""
    page = browser(accept_downloads=True).new_page()
    if not works:
        page.add_init_script(NO_STORAGE)
    asked = answer_dialogs(page, Dialog.accept)
    page.goto(write_page().as_uri())
    page.click("button.yes")
    if works:
        page.locator("#saved[data-state=saved]").wait_for()
    page.reload()
    assert [dialog.type for dialog in asked] == ([] if works else ["beforeunload"])
    page.click("button.yes")
    exported(page, tmp_path)
    asked.clear()
    page.reload()
    assert asked == []


NO_LOCAL = (
    "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"
)
NO_DATABASE = "indexedDB.open = () => { throw new DOMException('', 'SecurityError'); };"
NO_STORAGE = NO_LOCAL + NO_DATABASE


@pytest.mark.parametrize(
    ("broken", "warning", "state"),
    [
        (NO_STORAGE, "does not save", "unsafe"),
        (NO_LOCAL, "one copy", "saved"),
        (NO_DATABASE, "one copy", "saved"),
    ],
)
def test_a_browser_that_saves_less_gets_a_warning(
    browser: Callable[..., BrowserContext],
    write_page: Write,
    tmp_path: Path,
    broken: str,
    warning: str,
    state: str,
) -> None:
    """Without a storage the page warns; labels are kept, and can be exported from memory."""
    page = browser(locale="en-GB").new_page()
    page.add_init_script(broken)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(write_page(items=6).as_uri())
    press(page, "y")
    expect(page.locator("#warning")).to_contain_text(warning)
    page.locator(f"#saved[data-state={state}]").wait_for()
    for _ in range(4):
        press(page, "ArrowRight", "n")
    expect(page.locator("#reminder")).to_be_visible(visible=state == "unsafe")
    assert column(exported(page, tmp_path), "is_hallucinated") == ["yes", *4 * ["no"], ""]
    page.reload()
    if state == "saved":
        expect(page.locator("#count")).to_contain_text("5 of 6 labelled")
