"""What the page keeps besides labels: undone steps, filters, times, copies and reminders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.conftest import BrowserOptions
from tests.annotation.using_page import (
    ANSWER,
    LAPTOP,
    PHONE,
    Browser,
    Write,
    column,
    exported,
    forget,
    leave,
    marked,
    press,
    select,
    stored,
)

SIZES = pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])


def opened(browser: Browser, path: Path, options: BrowserOptions = LAPTOP) -> Page:
    page = browser(locale="en-GB", **options).new_page()
    page.goto(path.as_uri())
    page.locator("#app[data-copies=joined]").wait_for()
    return page


@SIZES
def test_steps_are_undone_one_by_one(
    browser: Browser, write_page: Write, tmp_path: Path, options: BrowserOptions
) -> None:
    """Keys and the button take back labels, flags, notes and marks, and show the item."""
    page = opened(browser, write_page(asks_spans=True, answer=ANSWER), options)
    expect(page.locator("#undo")).to_be_disabled()
    press(page, "y")
    select(page, 18, 22)
    press(page, "m", "ArrowRight", "n", "u")
    if options is PHONE:
        page.click("#noting")
    page.click("#note")
    page.keyboard.type("কেন")
    press(page, "Escape", "Control+z")
    assert page.input_value("#note") == ""
    assert page.get_attribute("#unsure", "aria-pressed") == "true"
    page.click("#undo")
    assert page.get_attribute("#unsure", "aria-pressed") == "false"
    press(page, "Meta+z")
    assert page.get_attribute("button.no", "aria-pressed") == "false"
    press(page, "Control+z")
    assert page.inner_text("#place") == "Item 1 of 3"
    assert marked(page) == []
    press(page, "Control+z", "Control+z")
    expect(page.locator("#status")).to_have_text("There is nothing to undo")
    assert column(exported(page, tmp_path), "is_hallucinated") == ["", "", ""]


def test_in_a_note_the_browser_undoes_the_typing(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page())
    press(page, "y")
    page.click("#note")
    page.keyboard.type("x")
    press(page, "Control+z")
    assert page.input_value("#note") == ""
    assert page.get_attribute("button.yes", "aria-pressed") == "true"


@SIZES
def test_filters_choose_where_next_leads(
    browser: Browser, write_page: Write, options: BrowserOptions
) -> None:
    page = opened(browser, write_page(items=5), options)
    press(page, "y", "ArrowRight", "u", "ArrowRight", "n", "ArrowRight", "u", "n")
    if options is PHONE:
        page.click("#noting")
    page.fill("#note", "কেন")
    if options is PHONE:
        page.click("#menu")
    counts = page.locator("#filter option").all_inner_texts()
    assert counts == ["All items (5)", "Without label (2)", "Unsure (2)", "With notes (1)"]
    page.select_option("#filter", "unsure")
    assert page.inner_text("#place") == "Item 4 of 5"
    page.click("#next")
    assert page.inner_text("#place") == "Item 2 of 5"
    page.click("#next")
    assert page.inner_text("#place") == "Item 4 of 5"
    page.click("#previous")
    assert page.inner_text("#place") == "Item 2 of 5"
    page.select_option("#filter", "open")
    page.click("#next")
    assert page.inner_text("#place") == "Item 5 of 5"
    page.select_option("#filter", "notes")
    assert page.inner_text("#place") == "Item 4 of 5"
    if options is PHONE:
        page.click("#noting")
    page.fill("#note", "")
    page.select_option("#filter", "all")
    page.select_option("#filter", "notes")
    expect(page.locator("#status")).to_contain_text("No item is like that")
    assert page.input_value("#filter") == "all"


def test_the_export_has_the_seconds_each_item_was_in_use(
    browser: Browser, write_page: Write, tmp_path: Path
) -> None:
    """A pause counts two minutes at most; a second visit is added; an unseen item has none."""
    page = browser(locale="en-GB", **LAPTOP).new_page()
    page.clock.install(time="2100-01-01T00:00:00")
    page.clock.pause_at("2100-01-01T01:00:00")
    page.goto(write_page().as_uri())
    page.clock.run_for(30_000)
    press(page, "y")
    page.clock.run_for(5_000)
    press(page, "ArrowRight")
    page.clock.run_for(3_600_000)
    press(page, "n", "ArrowLeft")
    page.clock.run_for(10_000)
    cells = column(exported(page, tmp_path), "seconds")
    assert [float(cell or "0") for cell in cells] == pytest.approx([45, 120, 0], abs=0.2)


def test_an_import_brings_times_back_and_files_without_them_are_read(
    browser: Browser, write_page: Write, tmp_path: Path
) -> None:
    page = opened(browser, write_page())
    page.on("dialog", lambda dialog: dialog.accept())
    header = "blind_id,is_hallucinated,unsure,note,seconds,annotator,study,sheet"
    path = exported(page, tmp_path)
    sheet = column(path, "sheet")[0]
    path.write_text(f"{header}\nqa-001,yes,,,7.5,asha,pilot,{sheet}\n", encoding="utf-8")
    page.set_input_files("#file", path)
    expect(page.locator("#count")).to_contain_text("1 of 3")
    assert float(column(exported(page, tmp_path), "seconds")[0]) >= 7.5
    older = header.replace("seconds,", "")
    path.write_text(f"{older}\nqa-002,no,,,asha,pilot,{sheet}\n", encoding="utf-8")
    page.set_input_files("#file", path)
    expect(page.locator("#count")).to_contain_text("2 of 3")
    path.write_text(f"{header}\nqa-001,yes,,,soon,asha,pilot,{sheet}\n", encoding="utf-8")
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_contain_text("Nothing was imported")


@pytest.mark.parametrize("lost", ["local", "database"])
def test_either_copy_restores_the_other(browser: Browser, write_page: Write, lost: str) -> None:
    page = opened(browser, write_page())
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y", "ArrowRight", "n", "u")
    forget(page, lost)
    expect(page.locator("#count")).to_have_text("2 of 3 labelled, 1 left")
    if lost == "local":
        assert "restored from the second copy" in page.inner_text("#status")
    forget(page, "database" if lost == "local" else "local")
    expect(page.locator("#count")).to_have_text("2 of 3 labelled, 1 left")


def test_the_newer_of_two_copies_counts(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page())
    press(page, "y")
    stored(page)
    address = leave(page)
    page.evaluate(
        """() => {
          const key = Object.keys(localStorage).find((key) => key.endsWith("item:qa-001"));
          localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage[key]), n: 0,
            answers: { is_hallucinated: "no" } }));
        }"""
    )
    page.goto(address)
    page.locator("#app[data-copies=joined]").wait_for()
    press(page, "ArrowLeft")
    assert page.get_attribute("button.yes", "aria-pressed") == "true"


def test_labels_of_an_earlier_version_are_there(browser: Browser, write_page: Write) -> None:
    """Before there were two copies, localStorage had records without counts, times and seconds."""
    path = write_page()
    page = opened(browser, path)
    press(page, "y")
    stored(page)
    key = page.evaluate("Object.keys(localStorage).find((key) => key.endsWith('item:qa-001'))")
    record = {"answers": {"is_hallucinated": "no"}, "unsure": True, "note": "ক", "exported": False}
    page = browser(locale="en-GB", **LAPTOP).new_page()
    page.goto(path.with_name("blank.html").as_uri())
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, json.dumps(record)])
    page.goto(path.as_uri())
    page.locator("#app[data-copies=joined]").wait_for()
    expect(page.locator("#count")).to_have_text("1 of 3 labelled, 2 left")
    forget(page, "local")
    press(page, "ArrowLeft")
    assert page.get_attribute("button.no", "aria-pressed") == "true"
    assert page.input_value("#note") == "ক"


def test_a_moved_file_finds_its_labels(browser: Browser, write_page: Write, tmp_path: Path) -> None:
    path = write_page()
    page = opened(browser, path)
    press(page, "y")
    stored(page)
    moved = path.rename(tmp_path / "moved.html")
    page.goto(moved.as_uri())
    expect(page.locator("#count")).to_have_text("1 of 3 labelled, 2 left")


@SIZES
def test_a_reminder_to_export_comes_after_twenty_labels_and_at_the_end(
    browser: Browser, write_page: Write, tmp_path: Path, options: BrowserOptions
) -> None:
    page = opened(browser, write_page(items=22), options)
    reminder = page.locator("#reminder")
    for _ in range(19):
        press(page, "y", "ArrowRight")
    expect(reminder).to_be_hidden()
    press(page, "y")
    expect(reminder).to_contain_text("Not exported yet: 20")
    page.click("#later")
    expect(reminder).to_be_hidden()
    press(page, "ArrowRight", "y", "ArrowRight", "y")
    expect(reminder).to_contain_text("All is labelled")
    with page.expect_download():
        page.click("#export-now")
    expect(reminder).to_be_hidden()


def test_a_reminder_comes_after_half_an_hour(browser: Browser, write_page: Write) -> None:
    page = browser(locale="en-GB", **LAPTOP).new_page()
    page.clock.install()
    page.goto(write_page().as_uri())
    press(page, "y")
    page.clock.fast_forward("30:01")
    press(page, "u")
    expect(page.locator("#reminder")).to_be_visible()


def test_taps_select_words_to_mark(browser: Browser, write_page: Write) -> None:
    """A finger selects a word, a second tap all up to there; one inside begins anew."""
    page = opened(browser, write_page(asks_spans=True, answer=ANSWER), PHONE)
    page.tap("button.yes")

    def tap(place: int) -> None:
        x, y = page.evaluate(
            """(place) => {
              const range = document.createRange();
              const node = document.querySelector(".output .text").firstChild;
              range.setStart(node, place);
              range.setEnd(node, place + 1);
              const box = range.getBoundingClientRect();
              return [box.left + box.width / 2, box.top + box.height / 2];
            }""",
            place,
        )
        page.touchscreen.tap(x, y)

    tap(19)
    expect(page.locator("#status")).to_have_text("Selected: ১৯১৫")
    tap(28)
    expect(page.locator("#status")).to_have_text("Selected: ১৯১৫ সালে নোবেল")
    tap(24)
    expect(page.locator("#status")).to_have_text("Selected: সালে")
    page.tap("#mark")
    assert marked(page) == ["সালে"]
