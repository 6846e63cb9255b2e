"""Marking what is hallucinated, on a laptop and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from tests.annotation.conftest import BrowserOptions
from tests.annotation.using_page import (
    Open,
    Write,
    answer_dialogs,
    column,
    exported,
    marked,
    press,
    reload,
    select,
)

Browser = Callable[..., BrowserContext]
LAPTOP: BrowserOptions = {"viewport": {"width": 1280, "height": 800}, "accept_downloads": True}
PHONE: BrowserOptions = {
    "viewport": {"width": 390, "height": 844},
    "accept_downloads": True,
    "has_touch": True,
    "is_mobile": True,
}
ANSWER = "রবীন্দ্রনাথ ঠাকুর ১৯১৫ সালে নোবেল পুরস্কার পান।"
THUMB = "👍🏽 ঢাকা 1999"


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


def test_marks_outlive_reload_and_browser(browser: Browser, write_page: Write) -> None:
    path = write_page(asks_spans=True, answer=THUMB)
    page = open_on(browser, path, LAPTOP)
    press(page, "y")
    select(page, 10, 14)
    press(page, "m")
    reload(page)
    assert marked(page) == ["1999"]
    page.context.close()
    assert marked(open_on(browser, path, LAPTOP)) == ["1999"]


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
    before = path.read_bytes()
    assert column(path, "spans") == ["[[0,2],[8,12]]", "[]", ""]
    page.evaluate("localStorage.clear()")
    reload(page)
    page.set_input_files("#file", path)
    expect(page.locator("#count")).to_contain_text("2 of 3 labelled")
    press(page, "ArrowLeft")
    assert marked(page) == ["👍🏽", "1999"]
    assert exported(page, tmp_path).read_bytes() == before


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


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en-GB", "bn-BD"])
def test_no_accessibility_violation_with_marks(
    browser: Browser, write_page: Write, options: BrowserOptions, scheme: str, lang: str
) -> None:
    """axe-core finds nothing at all, with marks and while the keyboard selects."""
    page = browser(locale=lang, color_scheme=scheme, **options).new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(write_page(asks_spans=True, answer=ANSWER).as_uri())
    press(page, "y")
    select(page, 18, 22)
    press(page, "m")
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []
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
    for _ in range(10):
        page.click("#larger")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
