"""Marks that outlive their page, and how they look."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Dialog, expect

from tests.annotation.conftest import BrowserOptions
from tests.annotation.using_page import (
    ANSWER,
    LAPTOP,
    PHONE,
    THUMB,
    Browser,
    Open,
    Write,
    answer_dialogs,
    column,
    exported,
    forget,
    marked,
    open_on,
    press,
    reload,
    select,
)


def test_marks_outlive_reload_and_browser(lasting_browser: Browser, write_page: Write) -> None:
    path = write_page(asks_spans=True, answer=THUMB)
    page = open_on(lasting_browser, path, LAPTOP)
    press(page, "y")
    select(page, 10, 14)
    press(page, "m")
    reload(page)
    assert marked(page) == ["1999"]
    page.context.close()
    assert marked(open_on(lasting_browser, path, LAPTOP)) == ["1999"]


def test_a_mark_appears_in_another_tab(browser: Browser, write_page: Write) -> None:
    path, context = write_page(asks_spans=True, answer=ANSWER), browser()
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(path.as_uri())
    press(second, "y")
    select(second, 18, 22)
    press(second, "m")
    expect(first.locator("mark")).to_have_text("১৯১৫")


def test_an_export_brings_marks_back(open_page: Open, write_page: Write, tmp_path: Path) -> None:
    page = open_page(write_page(asks_spans=True, answer=THUMB))
    press(page, "y")
    for place in ((0, 4), (10, 14)):
        select(page, *place)
        press(page, "m")
    press(page, "ArrowRight", "n")
    path = exported(page, tmp_path)
    before = [column(path, name) for name in ("is_hallucinated", "spans")]
    assert column(path, "spans") == ["[[0,2],[8,12]]", "[]", ""]
    forget(page, "local", "database")
    page.set_input_files("#file", path)
    expect(page.locator("#count")).to_contain_text("2 of 3 labelled")
    press(page, "ArrowLeft")
    assert marked(page) == ["👍🏽", "1999"]
    path = exported(page, tmp_path)
    assert [column(path, name) for name in ("is_hallucinated", "spans")] == before


def test_import_asks_before_it_replaces_marks(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    page = open_page(write_page(asks_spans=True, answer=ANSWER))
    asked = answer_dialogs(page, Dialog.dismiss)
    press(page, "y")
    select(page, 18, 22)
    press(page, "m")
    path = exported(page, tmp_path)
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("1 labels imported")
    assert asked == []
    page.click("mark")
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("0 labels imported")
    assert len(asked) == 1
    assert marked(page) == []


def test_a_file_of_a_page_without_marks_leaves_them(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    """Earlier exports have no column of spans; their labels count, and marks made since stay."""
    page = open_page(write_page(answer=ANSWER))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    path = exported(page, tmp_path)
    assert "spans" not in path.read_text(encoding="utf-8-sig").splitlines()[0].split(",")
    page.goto(write_page(asks_spans=True, answer=ANSWER).as_uri())
    select(page, 18, 22)
    press(page, "m")
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("1 labels imported")
    assert marked(page) == ["১৯১৫"]


@pytest.mark.parametrize(
    "cell",
    ["[[18,99]]", "[[22,18]]", "[[-1,2]]", "[[1.5,2]]", "[18,22]", "[[18]]", '"x"', "{}", "[[0,4"],
)
def test_spans_that_are_none_are_not_imported(
    open_page: Open, write_page: Write, tmp_path: Path, cell: str
) -> None:
    page = open_page(write_page(asks_spans=True, answer=ANSWER))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    select(page, 18, 22)
    press(page, "m")
    path = exported(page, tmp_path)
    text = path.read_bytes().decode()
    quoted = cell.replace('"', '""')
    path.write_bytes(text.replace('"[[18,22]]"', f'"{quoted}"').encode())
    page.click("mark")
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("Nothing was imported")
    assert marked(page) == []


def test_a_page_that_asks_for_no_marks_has_none(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    for path in (write_page(), write_page("conversion", asks_spans=True)):
        page = open_page(path)
        assert page.locator("#mark").count() == 0
        press(page, "m")
        assert page.locator("mark").count() == 0
        assert "spans" not in exported(page, tmp_path).read_text(encoding="utf-8-sig")
        page.context.close()


def test_marking_speaks_bangla(browser: Browser, write_page: Write) -> None:
    page = browser(locale="bn-BD").new_page()
    page.goto(write_page(asks_spans=True, answer=ANSWER).as_uri())
    press(page, "y")
    assert page.inner_text("#bare") == "দাগ ছাড়া ‘হ্যাঁ’: ১টি"
    select(page, 18, 22)
    page.get_by_role("button", name="দাগ দিন").click()
    assert page.inner_text("#status") == "দাগ দেওয়া হয়েছে: ১৯১৫"
    assert "হ্যালুসিনেশনের অংশে দাগ দেওয়া" in page.inner_text("[data-guideline=bn]")


@pytest.mark.parametrize(
    ("options", "lang"), [(LAPTOP, "en-GB"), (PHONE, "bn-BD")], ids=["laptop", "phone"]
)
def test_no_accessibility_violation_with_marks(
    browser: Browser, write_page: Write, options: BrowserOptions, lang: str
) -> None:
    """axe-core finds nothing at all, with marks by night and while the keyboard selects by day."""
    page = browser(locale=lang, **options).new_page()
    page.emulate_media(reduced_motion="reduce", color_scheme="dark")
    page.goto(write_page(asks_spans=True, answer=ANSWER).as_uri())
    press(page, "y")
    select(page, 18, 22)
    press(page, "m")
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []
    page.emulate_media(color_scheme="light")
    press(page, "m")
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []


def test_a_mark_is_more_than_a_colour(open_page: Open, write_page: Write) -> None:
    page = open_page(write_page(asks_spans=True, answer=ANSWER))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    select(page, 18, 22)
    press(page, "m")
    style = page.locator("mark").evaluate("mark => getComputedStyle(mark).textDecorationLine")
    assert style == "underline"


def test_marks_do_not_widen_a_phones_page(browser: Browser, write_page: Write) -> None:
    page = browser(viewport={"width": 360, "height": 640}).new_page()
    page.goto(write_page(asks_spans=True, answer="ক" * 500).as_uri())
    press(page, "y")
    select(page, 3, 490)
    press(page, "m")
    page.click("#menu")
    for _ in range(10):
        page.click("#larger")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
