"""What goes wrong while labelling: slips of the hand, two tabs, odd files, browsers that hang."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.using_page import (
    ANSWER,
    LAPTOP,
    PHONE,
    SIDEWAYS,
    Browser,
    Write,
    answer_dialogs,
    column,
    exported,
    press,
)


def opened(browser: Browser, path: Path) -> Page:
    page = browser(locale="en-GB", **LAPTOP).new_page()
    page.goto(path.as_uri())
    page.locator("#app[data-copies=joined]").wait_for()
    return page


def test_only_letters_and_digits_of_the_number_pad_label(
    browser: Browser, write_page: Write
) -> None:
    """Its signs, and its keys without Num Lock, have codes that end like those of labels."""
    page = opened(browser, write_page("conversion"))
    send = """([key, code]) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true }))"""
    pressed = page.locator(".answer[aria-pressed=true]")
    for key, code in (("*", "NumpadMultiply"), ("End", "Numpad1"), ("Clear", "Numpad5")):
        page.evaluate(send, [key, code])
        expect(pressed).to_have_count(0)
    page.evaluate(send, ["৪", "Numpad4"])
    expect(pressed).to_have_text(["4"])


def test_undo_takes_back_only_what_its_step_changed(browser: Browser, write_page: Write) -> None:
    """A note written in another tab in the meantime stays."""
    path = write_page()
    first = opened(browser, path)
    press(first, "y")
    second = first.context.new_page()
    second.goto(path.as_uri())
    second.locator("#app[data-copies=joined]").wait_for()
    second.fill("#note", "কেন")
    expect(first.locator("#note")).to_have_value("কেন")
    first.click("#undo")
    assert first.get_attribute("button.yes", "aria-pressed") == "false"
    assert first.input_value("#note") == "কেন"
    expect(second.locator("button.yes")).to_have_attribute("aria-pressed", "false")


def test_undo_keeps_what_was_written_on_an_earlier_visit(
    browser: Browser, write_page: Write
) -> None:
    page = opened(browser, write_page())
    for words in ("কেন", " কে"):
        page.click("#note")
        press(page, "Control+End")
        page.keyboard.type(words)
        press(page, "Escape", "ArrowRight", "ArrowLeft")
    press(page, "Control+z")
    assert page.input_value("#note") == "কেন"


def test_a_filter_that_becomes_empty_says_so(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page(items=2))
    page.select_option("#filter", "open")
    press(page, "ArrowRight")
    expect(page.locator("#previous")).to_be_enabled()
    press(page, "y", "ArrowRight", "y")
    expect(page.locator("#previous")).to_be_disabled()
    press(page, "ArrowRight")
    expect(page.locator("#status")).to_have_text("There is no other item like that")
    assert page.locator("#filter option").nth(1).inner_text() == "Without label (0)"


def test_notes_come_back_as_they_were_and_run_in_no_spreadsheet(
    browser: Browser, write_page: Write, tmp_path: Path
) -> None:
    page = opened(browser, write_page(items=4))
    asked = answer_dialogs(page, lambda dialog: dialog.dismiss())
    notes = ['=1+1 "q"\nক', "'- কেন", "'কেন'", " শেষে ফাঁক \n"]
    for note in notes:
        page.fill("#note", note)
        press(page, "Escape", "ArrowRight")
    path = exported(page, tmp_path)
    cells = column(path, "note")
    assert cells[:3] == ["'" + notes[0], "'" + notes[1], notes[2]]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").replace(b"\r\r\n", b"\r\n"))
    page.set_input_files("#file", path)
    expect(page.locator("#status")).to_have_text("4 labels imported")
    assert asked == []
    again = column(exported(page, tmp_path), "note")
    assert [cell.strip() for cell in again] == [cell.strip() for cell in cells]


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n\x1a\n\0", b"a,b\r\n1,2\r\n", b'"blind_id', b"\xff\xfeb\0"]
)
def test_files_that_are_no_exports_change_nothing(
    browser: Browser, write_page: Write, tmp_path: Path, content: bytes
) -> None:
    page = opened(browser, write_page())
    press(page, "y")
    (tmp_path / "wrong.csv").write_bytes(content)
    page.set_input_files("#file", tmp_path / "wrong.csv")
    expect(page.locator("#status")).to_contain_text("Nothing was imported")
    expect(page.locator("#count")).to_have_text("1 of 3 labelled, 2 left")


def test_a_database_that_never_answers_counts_as_none(browser: Browser, write_page: Write) -> None:
    page = browser(locale="en-GB", **LAPTOP).new_page()
    page.add_init_script("indexedDB.open = () => ({});")
    page.clock.install()
    page.goto(write_page().as_uri())
    press(page, "y")
    expect(page.locator("#saved")).to_have_attribute("data-state", "saving")
    page.clock.fast_forward(5_001)
    expect(page.locator("#saved")).to_have_attribute("data-state", "saved")
    expect(page.locator("#warning")).to_contain_text("one copy")
    page.reload()
    expect(page.locator("#count")).to_have_text("1 of 3 labelled, 2 left")


def test_a_tab_that_nobody_saw_has_no_time(
    browser: Browser, write_page: Write, tmp_path: Path
) -> None:
    page = browser(locale="en-GB", **LAPTOP).new_page()
    page.add_init_script(
        "Object.defineProperty(document, 'visibilityState', { get: () => window.seen ?? 'hidden' })"
    )
    page.clock.install(time="2100-01-01T00:00:00")
    page.clock.pause_at("2100-01-01T01:00:00")
    page.goto(write_page().as_uri())
    page.clock.run_for(3_600_000)
    page.evaluate("seen = 'visible'; document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(9_000)
    press(page, "y")
    assert float(column(exported(page, tmp_path), "seconds")[0]) == pytest.approx(9, abs=0.2)


def test_large_letters_leave_every_button_within_the_width(
    browser: Browser, write_page: Write
) -> None:
    """At 200 %, as phones are set by who reads badly, nothing is cut off or widens the page."""
    path = write_page(asks_spans=True, answer=ANSWER)
    for options in (PHONE, {**PHONE, "viewport": {"width": 360, "height": 640}}, SIDEWAYS):
        page = browser(locale="bn-BD", **options).new_page()
        page.goto(path.as_uri())
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        press(page, "y", "u")
        assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
        wide = page.locator("footer button, #menu, #jump button").evaluate_all(
            "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth).map((n) => n.id)"
        )
        assert wide == []
        page.close()
