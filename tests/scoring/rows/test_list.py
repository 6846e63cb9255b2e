"""The list of rows and the panel of one, by mouse, keyboard and screen reader, at both sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from tests.scoring.rows.conftest import CITED, HOSTILE, Written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Scheme = Literal["light", "dark"]
FOCUSED = "Number(document.activeElement.dataset.place)"
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def focus_first(page: Page) -> None:
    """Put the focus on the first row, as Tab does."""
    page.locator(".rows-row").first.focus()


def open_row(page: Page, text: str) -> None:
    """Open the first row that holds a text."""
    page.fill("input[name=text]", text)
    focus_first(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("#rows-details[open]")


def test_only_rows_in_sight_are_made(page: Page) -> None:
    """400 rows have their height, few of them elements; scrolling brings the last in sight."""
    assert page.locator(".rows-row").count() < 60
    page.evaluate("document.getElementById('rows-list').scrollTop = 1e9")
    page.wait_for_selector(".rows-row[aria-rowindex='401']")
    assert page.locator(".rows-row").count() < 60
    assert page.locator("#rows-list").get_attribute("aria-rowcount") == "401"


def test_the_keyboard_moves_opens_and_closes(page: Page) -> None:
    """Arrows and End move, Enter opens, arrows lead on, Escape leads back to the row."""
    focus_first(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == 2
    page.keyboard.press("End")
    assert page.evaluate(FOCUSED) == 399
    page.keyboard.press("PageUp")
    assert 380 < page.evaluate(FOCUSED) < 399
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert page.locator("#rows-position").inner_text() == "1 of 400"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator("#rows-position").inner_text() == "3 of 400"
    page.keyboard.press("Escape")
    assert not page.locator("#rows-details").is_visible()
    assert page.evaluate(FOCUSED) == 2
    assert page.evaluate("location.hash") == "#rows"


def test_the_focus_outlives_scrolling(page: Page) -> None:
    """A focused row that is scrolled out of sight keeps the focus, and arrows go on from it."""
    focus_first(page)
    page.keyboard.press("ArrowDown")
    page.evaluate("document.getElementById('rows-list').scrollTop = 5000")
    page.evaluate(SETTLED)
    assert page.evaluate(FOCUSED) == 1
    indexes = page.locator(".rows-row").evaluate_all("rows => rows.map(r => r.ariaRowIndex * 1)")
    assert indexes == sorted(indexes)
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == 2
    assert page.locator(".rows-row:focus").is_visible()


def test_one_row_is_in_the_tab_order(page: Page) -> None:
    """Tab passes the list in one step."""
    focus_first(page)
    page.keyboard.press("ArrowDown")
    assert page.locator(".rows-row[tabindex='0']").count() == 1


def test_headers_sort(page: Page) -> None:
    """A press on a header sorts by it, another the other way round; the focus stays there."""
    if page.viewport_size == {"width": 390, "height": 844}:
        assert not page.locator(".rows-head").is_visible()
        return
    page.get_by_role("columnheader", name="Wrong").get_by_role("button").click()
    assert page.locator("[aria-sort=ascending]").inner_text() == "Wrong ↑"
    page.keyboard.press("Enter")
    assert page.locator("[aria-sort=descending]").inner_text() == "Wrong ↓"
    assert page.locator(".rows-row").first.get_by_role("gridcell").nth(6).inner_text() == "3/3"


def test_a_row_shows_all_of_itself(page: Page, written: Written) -> None:
    """Id, texts, right answer, each judge's label, p, tokens, reason and reply."""
    open_row(page, "42::inference")
    item = written.items.query("id == '42::inference'").iloc[0]
    said = page.locator(".rows-inside").inner_text()
    for text in (
        item["context"],
        item["question"],
        item["output"],
        "Right answer",
        "id 42::inference · source source-42",
    ):
        assert text in said
    assert f"alpha says {item['alpha']}, p {item['p']:g}" in said
    assert f"tokens: {item['i'] + 100} asked, 3 replied" in said
    assert said.count("alpha said") == 1
    assert "supported: নদীর কথা (“নদীর নাম পদ্মা”)" in said
    page.keyboard.press("Escape")
    open_row(page, written.items.query("why == 'timeout' and track != 'main'")["id"].iloc[0])
    assert "unknown because: timeout" in page.locator(".rows-inside").inner_text()


def test_spans_and_citations_are_coloured(page: Page) -> None:
    """Unsupported words in the output, cited ones in the evidence, words that differ in both."""
    open_row(page, "42::inference")
    unsupported = page.locator("mark.rows-unsupported").first
    assert unsupported.inner_text() == "যমুনা"
    assert "alpha: 'যমুনা' নয়" in (unsupported.get_attribute("title") or "")
    cited = page.locator(".rows-part mark.rows-cited").all_text_contents()
    assert "".join(cited) == CITED
    assert page.locator(".rows-part mark.rows-against").all_text_contents() == ["পদ্মা"]
    assert page.locator("mark.rows-differs").all_inner_texts() == ["যমুনা", "42", "inference", "পদ্মা"]


def test_spans_count_code_points(page: Page) -> None:
    """A span behind letters of two UTF-16 units covers the letters that Python counts."""
    open_row(page, "𝒜")
    marked = page.locator(".rows-part mark.rows-unsupported").all_text_contents()
    assert "".join(marked) == "𝒜𝒜 যম"


def test_text_from_data_is_shown_as_text(page: Page) -> None:
    """Markup in outputs, replies, reasons and judge names is read, never run."""
    open_row(page, "7::inference")
    said = page.locator(".rows-inside").inner_text()
    assert said.count(HOSTILE) >= 4
    assert page.locator("#rows-viewer :is(script, img, b)").count() == 0
    assert page.evaluate("window.hacked") is None


def test_the_panel_fits_the_screen(page: Page) -> None:
    """On a phone it has all its width; nothing makes the page wider than the screen."""
    open_row(page, "7::inference")
    box = page.locator("#rows-details").bounding_box()
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert box is not None
    assert box["width"] == min(width, 832)
    assert box["x"] + box["width"] == width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    inside = page.locator(".rows-inside")
    assert inside.evaluate("inside => inside.scrollWidth <= inside.clientWidth")


@pytest.mark.parametrize(("scheme", "is_open"), [("light", False), ("dark", True)])
def test_axe_finds_nothing(page: Page, scheme: Scheme, is_open: bool) -> None:
    """axe-core has no finding in the section, with the list by day and a row open by night."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme)
    if is_open:
        open_row(page, "42::inference")
    assert [found["id"] for found in axe.run(page, "#rows").response["violations"]] == []


def test_paper_has_no_controls(page: Page) -> None:
    """In print the list gives way to a sentence."""
    page.emulate_media(media="print")
    try:
        assert not page.locator("#rows-filters").is_visible()
        assert not page.locator("#rows-list").is_visible()
        assert page.locator(".rows-printed").is_visible()
    finally:
        page.emulate_media(media="screen")


def test_browsers_that_cannot_show_rows_say_so(rows_browser: Browser, written: Written) -> None:
    """Without scripts, without decompression, or with damaged data there is a plain sentence."""
    bare = rows_browser.new_context(java_script_enabled=False).new_page()
    bare.goto(written.path.as_uri())
    assert "allow scripts for this page" in (bare.locator("noscript").text_content() or "")
    assert not bare.locator("#rows-viewer").is_visible()
    old = rows_browser.new_page()
    old.add_init_script("delete window.DecompressionStream")
    old.goto(written.path.as_uri())
    assert "cannot unpack the rows" in old.locator("#rows-status").inner_text()
    damaged = written.path.with_name("damaged.html")
    text = written.path.read_text(encoding="utf-8")
    cut = text.index('id="rows-data">') + 2000
    damaged.write_text(text[:cut] + text[text.index("</script>", cut) :], encoding="utf-8")
    old = rows_browser.new_page()
    old.goto(damaged.as_uri())
    old.wait_for_function(
        "document.getElementById('rows-status').textContent.includes('cannot be read')"
    )
    assert not old.locator("#rows-viewer").is_visible()
