"""The page's files: export, import, and what is not saved yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Dialog, expect

from tests.annotation.using_page import Open, Write, answer_dialogs, column, exported, press, reload


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
    page.evaluate("localStorage.clear()")
    reload(page)
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


def test_leaving_with_labels_not_exported_warns(open_page: Open, write_page: Write) -> None:
    """The browser asks before a page with labels that were not exported is left."""
    page = open_page(write_page())
    asked = answer_dialogs(page, Dialog.accept)
    page.click("button.yes")
    reload(page)
    assert [dialog.type for dialog in asked] == ["beforeunload"]


def test_leaving_after_the_export_does_not_warn(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    """Once all labels are exported, leaving is free."""
    page = open_page(write_page())
    asked = answer_dialogs(page, Dialog.accept)
    page.click("button.yes")
    exported(page, tmp_path)
    reload(page)
    assert asked == []


def test_a_browser_that_saves_nothing_gets_a_warning(
    browser: Callable[..., BrowserContext], write_page: Write, tmp_path: Path
) -> None:
    """Without storage the page warns, and labels can still be given and exported."""
    page = browser().new_page()
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }"
    )
    page.goto(write_page().as_uri())
    press(page, "y")
    assert "does not save" in page.inner_text("#warning")
    assert column(exported(page, tmp_path), "is_hallucinated") == ["yes", "", ""]
