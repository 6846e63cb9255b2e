"""Marking what is hallucinated, on a laptop and on a phone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.annotation.conftest import BrowserOptions
from tests.annotation.using_page import (
    ANSWER,
    LAPTOP,
    PHONE,
    THUMB,
    Browser,
    Open,
    Write,
    drag,
    exported,
    marked,
    open_on,
    press,
    select,
    spans,
)


def test_a_mouse_selects_a_button_marks_and_a_click_undoes(
    browser: Browser, write_page: Write, tmp_path: Path
) -> None:
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), LAPTOP)
    page.click("button.yes")
    drag(page, 18, 22)
    page.click("#mark")
    assert marked(page) == ["১৯১৫"]
    expect(page.get_by_role("status")).to_have_text("Marked: ১৯১৫")
    assert spans(page, tmp_path) == ["[[18,22]]", "", ""]
    page.click("mark")
    assert marked(page) == []
    expect(page.get_by_role("status")).to_have_text("Mark removed: ১৯১৫")
    assert spans(page, tmp_path) == ["", "", ""]


def test_a_finger_marks_and_undoes(browser: Browser, write_page: Write, tmp_path: Path) -> None:
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), PHONE)
    page.tap("button.yes")
    select(page, 18, 22)
    page.tap("#mark")
    assert marked(page) == ["১৯১৫"]
    assert spans(page, tmp_path)[0] == "[[18,22]]"
    page.tap("mark")
    assert marked(page) == []


def test_a_tap_that_ends_the_selection_marks_it_all_the_same(
    browser: Browser, write_page: Write
) -> None:
    """Browsers of phones drop a selection before the tap becomes a click."""
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), PHONE)
    page.evaluate(
        "document.addEventListener('mousedown', () => getSelection().removeAllRanges(), true)"
    )
    page.tap("button.yes")
    select(page, 18, 22)
    page.tap("#mark")
    assert marked(page) == ["১৯১৫"]
    page.tap("#mark")
    assert marked(page) == ["১৯১৫"]
    assert "First select" in page.inner_text("#status")


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_selection_alone_marks_nothing(
    browser: Browser, write_page: Write, options: BrowserOptions
) -> None:
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), options)
    page.click("button.yes")
    select(page, 0, 10)
    select(page, 18, 22)
    assert marked(page) == []


def test_only_the_judged_text_is_marked(browser: Browser, write_page: Write) -> None:
    """A selection in the evidence is none; one that goes beyond the judged text ends with it."""
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), LAPTOP)
    page.click("button.yes")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.evidence'))")
    page.click("#mark")
    assert marked(page) == []
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#item'))")
    press(page, "m")
    assert marked(page) == [ANSWER]


def test_marks_wait_for_a_yes(browser: Browser, write_page: Write, tmp_path: Path) -> None:
    """No and no label have nothing to mark; a yes taken back by a slip keeps its marks."""
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), LAPTOP)
    select(page, 18, 22)
    expect(page.locator("#mark")).to_be_disabled()
    press(page, "m")
    assert marked(page) == []
    press(page, "y", "m")
    assert marked(page) == ["১৯১৫"]
    press(page, "n")
    assert marked(page) == []
    expect(page.locator("#mark")).to_be_disabled()
    assert spans(page, tmp_path)[0] == "[]"
    press(page, "n")
    assert spans(page, tmp_path)[0] == ""
    press(page, "y")
    assert marked(page) == ["১৯১৫"]


@pytest.mark.parametrize(
    ("selections", "expected"),
    [
        ([(18, 22), (20, 27)], [[18, 27]]),
        ([(23, 27), (18, 27)], [[18, 27]]),
        ([(18, 20), (20, 22)], [[18, 22]]),
        ([(18, 22), (0, 11)], [[0, 11], [18, 22]]),
        ([(0, 11), (18, 22), (5, 20)], [[0, 22]]),
    ],
)
def test_marks_that_overlap_or_touch_are_one(
    open_page: Open,
    write_page: Write,
    tmp_path: Path,
    selections: list[tuple[int, int]],
    expected: list[list[int]],
) -> None:
    page = open_page(write_page(asks_spans=True, answer=ANSWER))
    press(page, "y")
    for start, end in selections:
        select(page, start, end)
        press(page, "m")
    assert json.loads(spans(page, tmp_path)[0]) == expected


@pytest.mark.parametrize(
    ("answer", "selection", "expected"),
    [
        pytest.param(THUMB, (10, 14), [8, 12], id="code points, not UTF-16"),
        pytest.param(THUMB, (0, 2), [0, 2], id="modifier"),
        pytest.param(THUMB, (2, 4), [0, 2], id="modifier alone"),
        pytest.param("👩‍👩‍👧 মা", (3, 5), [0, 5], id="joined emoji"),
        pytest.param("কি ভালো", (0, 1), [0, 2], id="vowel sign"),
        pytest.param("ভালো কি", (5, 6), [5, 7], id="vowel sign at the end"),
        pytest.param("ক\u09c7\u09be কি", (0, 2), [0, 3], id="two-part vowel sign"),
        pytest.param("\u09af\u09bc হয়", (0, 1), [0, 2], id="nukta"),
        pytest.param("\u09df হয়", (0, 1), [0, 1], id="one letter"),
        pytest.param("র\u200d\u09cdযাব", (0, 1), [0, 5], id="joiner"),
        pytest.param("ঢাকা না, ঢাকা", (4, 9), [5, 8], id="white space"),
        pytest.param("ক\nখ গ", (0, 3), [0, 3], id="line break"),
    ],
)
def test_whole_clusters_are_marked_in_code_points_of_the_raw_text(
    open_page: Open,
    write_page: Write,
    tmp_path: Path,
    answer: str,
    selection: tuple[int, int],
    expected: list[int],
) -> None:
    page = open_page(write_page(asks_spans=True, answer=answer))
    press(page, "y")
    select(page, *selection)
    press(page, "m")
    assert json.loads(spans(page, tmp_path)[0]) == [expected]
    assert marked(page) == [answer[slice(*expected)]]
    assert page.locator(".output .text").evaluate("p => p.textContent") == answer


def test_white_space_alone_is_not_marked(open_page: Open, write_page: Write) -> None:
    page = open_page(write_page(asks_spans=True, answer="ঢাকা না"))
    press(page, "y")
    select(page, 4, 5)
    page.click("#mark")
    assert marked(page) == []


def test_dragging_over_a_mark_does_not_undo_it(browser: Browser, write_page: Write) -> None:
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), LAPTOP)
    press(page, "y")
    select(page, 0, 17)
    press(page, "m")
    drag(page, 2, 14)
    assert len(marked(page)) == 1


def test_markup_in_a_mark_is_text(open_page: Open, write_page: Write) -> None:
    answer = "<b>ক</b> <img src=x onerror=alert(1)>"
    page = open_page(write_page(asks_spans=True, answer=answer))
    press(page, "y")
    select(page, 0, len(answer))
    press(page, "m")
    assert marked(page) == [answer]
    assert page.locator(".output mark *").count() == 0


def test_a_yes_without_a_mark_is_counted_and_found(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    page = open_page(write_page(asks_spans=True))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y", "ArrowRight", "n", "ArrowRight", "y")
    assert page.inner_text("#bare") == "Yes without a mark: 2"
    assert "2 answered Yes have no mark yet" in page.inner_text("#status")
    exported(page, tmp_path)
    assert "2 items answered Yes have no mark" in page.inner_text("#status")
    page.click("#next-open")
    assert page.inner_text("#place") == "Item 1 of 3"
    select(page, 0, 6)
    press(page, "m")
    page.click("#next-open")
    assert page.inner_text("#place") == "Item 3 of 3"
    page.click("#overview summary")
    assert page.locator("#list button").all_inner_texts() == [
        "1: Yes",
        "2: No",
        "3: Yes · no mark",
    ]
    select(page, 0, 6)
    press(page, "m")
    assert page.inner_text("#bare") == ""


def test_going_on_after_a_label_waits_for_the_mark(open_page: Open, write_page: Write) -> None:
    page = open_page(write_page(asks_spans=True))
    page.check("#advance")
    page.locator("#item").focus()
    press(page, "y")
    assert page.inner_text("#place") == "Item 1 of 3"
    press(page, "n")
    assert page.inner_text("#place") == "Item 2 of 3"


def test_keys_alone_select_mark_and_undo(open_page: Open, write_page: Write) -> None:
    """M begins with the first word; arrows select letters, words and sentences, Shift extends."""
    page = open_page(write_page(asks_spans=True, answer="ঢাকা কি বড়? হ্যাঁ, বড়।"))
    page.on("dialog", lambda dialog: dialog.accept())
    selected = page.locator("#status")
    press(page, "y", "m")
    expect(selected).to_contain_text("until Esc")
    for keys, expected in (
        ("Control+ArrowRight", "কি"),
        ("Shift+Control+ArrowRight", "কি বড়"),
        ("Shift+ArrowLeft", "কি ব"),
        ("ArrowRight", "ড়"),
        ("ArrowLeft", "ব"),
        ("ArrowDown", "ড়?"),
        ("ArrowDown", "হ্যাঁ, বড়।"),
        ("ArrowUp", "ঢাকা কি বড়?"),
    ):
        press(page, keys)
        expect(selected).to_have_text(f"Selected: {expected}")
    press(page, "Control+ArrowRight", "Enter")
    assert marked(page) == ["হ্যাঁ"]
    press(page, "Control+ArrowRight", "Control+ArrowRight", "m")
    assert marked(page) == ["হ্যাঁ", "বড়"]
    press(page, "Escape", "ArrowRight")
    assert page.inner_text("#place") == "Item 2 of 3"
    press(page, "ArrowLeft")
    page.locator("mark").first.focus()
    press(page, "Backspace")
    assert marked(page) == ["বড়"]
    page.locator("mark").first.focus()
    press(page, "Delete")
    assert marked(page) == []
    expect(selected).to_have_text("Mark removed: বড়")


def test_shift_and_arrows_change_what_the_mouse_selected(
    browser: Browser, write_page: Write
) -> None:
    page = open_on(browser, write_page(asks_spans=True, answer=ANSWER), LAPTOP)
    press(page, "y")
    drag(page, 18, 21)
    press(page, "Shift+ArrowRight", "Enter")
    assert marked(page) == ["১৯১৫"]


def test_the_button_works_without_shortcuts_or_mouse(open_page: Open, write_page: Write) -> None:
    page = open_page(write_page(asks_spans=True, answer=ANSWER))
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("button.yes")
    page.uncheck("#keys")
    page.locator("#mark").focus()
    press(page, "Enter")
    assert page.locator(".output .text").get_attribute("role") == "application"
    press(page, "Control+ArrowRight", "Enter", "Tab")
    assert marked(page) == ["ঠাকুর"]
    assert page.locator(".output .text").get_attribute("role") is None
