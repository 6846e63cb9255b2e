"""The page, used in a real browser as annotators use it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import UndefinedError
from playwright.sync_api import BrowserContext, expect

from banglahallueval.annotation import templates
from banglahallueval.annotation.page import script_json
from tests.annotation.using_page import Open, Write, column, exported, leave, press, reload


def test_keys_label_flag_and_move(open_page: Open, write_page: Write, tmp_path: Path) -> None:
    """y, n, u and the arrows are enough to label a sheet, and the export has what was pressed."""
    page = open_page(write_page())
    press(page, "y", "ArrowRight", "n", "u", "ArrowRight", "ArrowLeft", "ArrowRight", "y")
    path = exported(page, tmp_path)
    assert path.name == "pilot_qa_asha.csv"
    assert column(path, "is_hallucinated") == ["yes", "no", "yes"]
    assert column(path, "unsure") == ["", "yes", ""]
    assert set(column(path, "annotator")) == {"asha"}


def test_a_reload_loses_no_label(open_page: Open, write_page: Write) -> None:
    """A label, a flag and a note are there again after a reload, and so is the place."""
    page = open_page(write_page())
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y", "ArrowRight", "n", "u")
    page.fill("#note", 'দাঁড়ি, "উদ্ধৃতি"\nনতুন লাইন')
    assert page.inner_text("#place") == "Item 2 of 3"
    reload(page)
    assert page.inner_text("#place") == "Item 2 of 3"
    assert page.get_attribute("button.no", "aria-pressed") == "true"
    assert page.get_attribute("#unsure", "aria-pressed") == "true"
    assert page.input_value("#note") == 'দাঁড়ি, "উদ্ধৃতি"\nনতুন লাইন'
    assert page.inner_text("#count") == "2 of 3 labelled, 1 left"


def test_labels_of_two_annotators_do_not_mix(open_page: Open, write_page: Write) -> None:
    """Two pages in one browser keep their labels apart: the key holds the annotator."""
    page = open_page(write_page(annotator="asha"))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    page.goto(write_page(annotator="bithi").as_uri())
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"


def test_labels_of_another_sheet_do_not_mix(open_page: Open, write_page: Write) -> None:
    """A new sheet under an old name starts without labels: the key holds the sheet's digest."""
    page = open_page(write_page(answer="প্রথম"))
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "y")
    page.goto(write_page(answer="দ্বিতীয়").as_uri())
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"


def test_two_tabs_do_not_write_over_each_other(
    browser: Callable[..., BrowserContext], write_page: Write
) -> None:
    """A label given in a second tab appears in the first and is kept when the first goes on."""
    path, context = write_page(), browser()
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(path.as_uri())
        page.locator("#app[data-copies=joined]").wait_for()
    expect(first.locator("#warning")).to_contain_text("another tab")
    press(second, "ArrowRight", "n")
    expect(first.locator("#count")).to_contain_text("1 of 3 labelled")
    press(first, "y")
    expect(second.locator("#count")).to_contain_text("2 of 3 labelled")
    leave(second)
    expect(first.locator("#warning")).to_be_hidden()


HOSTILE = '<img src=x onerror="document.title=1"></script><b>ক</b>&amp;\u2028{{ 1 }}'


def test_html_in_an_item_is_text(open_page: Open, write_page: Write) -> None:
    """Markup in an item is shown letter by letter; nothing of it becomes an element or runs."""
    page = open_page(write_page(answer=HOSTILE))
    assert page.locator(".output .text").evaluate("p => p.textContent") == HOSTILE
    assert page.locator(".output .text *").count() == 0
    assert page.title() == "pilot · qa · asha"


def test_embedded_json_cannot_end_its_element() -> None:
    """Signs that end a script element or a line of JavaScript are escaped in the data."""
    text = script_json({"text": "</script><!-- & \u2028\u2029"})
    assert not set("<>&\u2028\u2029") & set(text)


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("{{ strings.keys }}", {"strings": {"keys": "Keyboard shortcuts"}}),
        ("{{ strings.skip }}", {"strings": {}}),
        ("{{ title }}", {}),
        ("{{ count }}", {"count": 3}),
    ],
)
def test_templates_print_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, values: dict[str, object]
) -> None:
    """A template that prints a method, a missing name or a number raises an error."""
    (tmp_path / "t.j2").write_text(source, encoding="utf-8")
    monkeypatch.setattr(templates, "FOLDER", tmp_path)
    with pytest.raises((TypeError, UndefinedError)):
        templates.render("t.j2", **values)


def test_the_page_allows_no_foreign_script(
    browser: Callable[..., BrowserContext], write_page: Write
) -> None:
    """The content security policy stops a script that gets into the page all the same."""
    page = browser().new_page()
    page.goto(write_page().as_uri())
    ran = page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.foreign = true";
          document.body.append(script);
          return window.foreign === true;
        }"""
    )
    assert not ran


def test_nobody_ends_by_skipping(open_page: Open, write_page: Write) -> None:
    """Past the last item the page goes to the first one without a label, and says so."""
    page = open_page(write_page())
    press(page, "y", "ArrowRight", "ArrowRight", "y", "ArrowRight")
    assert page.inner_text("#place") == "Item 2 of 3"
    assert "1 items still have no label" in page.inner_text("#status")
    press(page, "n")
    assert "All items are labelled" in page.inner_text("#status")


def test_the_same_key_again_takes_a_label_back(open_page: Open, write_page: Write) -> None:
    """A slip can be undone without giving the other label."""
    page = open_page(write_page())
    press(page, "y", "y")
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"


def test_typing_a_note_gives_no_labels(open_page: Open, write_page: Write) -> None:
    """Letters typed into the note are not shortcuts; Escape leaves the note."""
    page = open_page(write_page())
    page.click("#note")
    page.keyboard.type("yes 5 no u")
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"
    press(page, "Escape", "y")
    assert page.inner_text("#count") == "1 of 3 labelled, 2 left"


def test_shortcuts_work_on_a_bangla_keyboard(open_page: Open, write_page: Write) -> None:
    """Where the y key types a Bangla letter, its place on the keyboard counts."""
    page = open_page(write_page())
    page.evaluate(
        """() => document.dispatchEvent(
          Object.defineProperty(new KeyboardEvent("keydown", { key: "য়", code: "KeyY" }),
            "target", { value: document.body }))"""
    )
    assert page.get_attribute("button.yes", "aria-pressed") == "true"


def test_conversion_asks_for_meaning_and_naturalness(
    open_page: Open, write_page: Write, tmp_path: Path
) -> None:
    """An item of the conversion form is done when both labels are given."""
    page = open_page(write_page("conversion"))
    press(page, "n")
    assert page.inner_text("#count") == "0 of 3 labelled, 3 left"
    press(page, "4")
    assert page.inner_text("#count") == "1 of 3 labelled, 2 left"
    path = exported(page, tmp_path)
    assert column(path, "meaning_preserved")[0] == "no"
    assert column(path, "naturalness_1to5")[0] == "4"


def test_bangla_and_english(open_page: Open, write_page: Write) -> None:
    """One button switches interface, digits and guidelines; the choice is remembered."""
    page = open_page(write_page())
    page.click("#language")
    assert page.inner_text("#place") == "আইটেম ১ / ৩"
    assert page.get_attribute("html", "lang") == "bn"
    assert "অনুচ্ছেদ ধরে দেখলে" in page.inner_text("[data-guideline=bn]")
    assert not page.is_visible("[data-guideline=en]")

    def is_remembered() -> bool:
        reload(page)
        return page.inner_text("#place") == "আইটেম ১ / ৩"

    # Under load Chromium may read its storage for a new page before it has what the old one wrote.
    assert any(is_remembered() for _ in range(10))
