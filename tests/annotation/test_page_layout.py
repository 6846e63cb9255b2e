"""How the page uses a phone's screen, upright and on its side, and a laptop's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Page, expect

from tests.annotation.conftest import BrowserOptions
from tests.annotation.using_page import ANSWER, LAPTOP, PHONE, SIDEWAYS, Browser, Write, press

LONG = "ঢাকা বুড়িগঙ্গার তীরে। " * 150
SIZES = pytest.mark.parametrize(
    "options", [LAPTOP, PHONE, SIDEWAYS], ids=["laptop", "phone", "sideways"]
)


def opened(browser: Browser, write_page: Write, options: BrowserOptions, **texts: str) -> Page:
    page = browser(locale="en-GB", **options).new_page()
    page.goto(write_page(**texts).as_uri())
    return page


def in_view(page: Page, *selectors: str) -> list[str]:
    """Those of the elements that the window shows whole, uncovered by others, without scrolling."""
    return [
        selector
        for selector in selectors
        if page.locator(selector).first.evaluate(
            """(node) => {
              const box = node.getBoundingClientRect();
              const isInside = box.width > 0 && box.top >= 0 && box.left >= 0 &&
                box.bottom <= innerHeight && box.right <= innerWidth;
              const seen = document.elementFromPoint(box.left + box.width / 2, box.bottom - 4);
              return isInside && (node.contains(seen) || seen.contains(node));
            }"""
        )
    ]


@SIZES
def test_a_short_item_needs_no_scrolling(
    browser: Browser, write_page: Write, options: BrowserOptions
) -> None:
    page = opened(browser, write_page, options, answer=ANSWER)
    shown = (".evidence .text", ".asked .text", ".output .text", "button.yes", "button.no", "#next")
    assert in_view(page, *shown) == [*shown]
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@SIZES
def test_long_evidence_leaves_the_judged_text_in_view(
    browser: Browser, write_page: Write, options: BrowserOptions
) -> None:
    """Folded or not, and whatever is scrolled, the judged text and the buttons stay."""
    page = opened(browser, write_page, options, context=LONG, answer=ANSWER)
    shown = (".output .text", "button.yes", "button.no", "#unsure", "#undo", "#next")
    assert in_view(page, *shown) == [*shown]
    if options is not LAPTOP:
        expect(page.locator("#fold")).to_have_attribute("aria-expanded", "false")
        expect(page.locator(".evidence-pane")).to_be_hidden()
        page.click("#fold")
    expect(page.locator(".evidence-pane")).to_be_visible()
    page.locator(".evidence-pane").evaluate("pane => pane.scrollTo(0, 1e6)")
    assert in_view(page, *shown) == [*shown]


@pytest.mark.parametrize("options", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_buttons_jump_to_evidence_guidelines_and_output(
    browser: Browser, write_page: Write, options: BrowserOptions
) -> None:
    page = opened(browser, write_page, options, context=LONG, answer=ANSWER)
    page.tap("#to-guidelines")
    expect(page.locator("[data-guideline=en]")).to_be_visible()
    assert in_view(page, ".output .text", "button.yes") == [".output .text", "button.yes"]
    page.tap("#to-evidence")
    expect(page.locator("[data-guideline=en]")).to_be_hidden()
    expect(page.locator(".evidence-pane")).to_be_focused()
    page.tap("#to-output")
    expect(page.locator(".output-pane")).to_be_focused()
    page.tap("#next")
    page.tap("#previous")
    # What was opened once stays open on the next items.
    expect(page.locator(".evidence-pane")).to_be_visible()


def test_yes_and_no_fill_the_row(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page, PHONE)
    yes, no = (page.locator(f"button.{name}").bounding_box() for name in ("yes", "no"))
    assert yes is not None
    assert no is not None
    assert yes["y"] == no["y"]
    assert yes["width"] + no["width"] > 0.9 * 390
    heights = page.locator("footer button, #jump button, #menu").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().height)"
    )
    assert min(heights) >= 44


def test_on_its_side_buttons_stand_beside_the_texts(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page, SIDEWAYS, context=LONG)
    text, yes = (page.locator(name).bounding_box() for name in (".output", "button.yes"))
    assert text is not None
    assert yes is not None
    assert text["x"] + text["width"] <= yes["x"]


def test_a_long_judged_text_scrolls_by_itself(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page, PHONE, context=LONG, answer=LONG)
    pane = page.locator(".output-pane")
    assert pane.evaluate("pane => pane.scrollHeight > pane.clientHeight")
    assert in_view(page, "button.yes", "#next") == ["button.yes", "#next"]


def test_arrows_scroll_the_evidence(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page, LAPTOP, context=LONG)
    press(page, "PageDown", "ArrowDown", "ArrowUp")
    assert page.locator(".evidence-pane").evaluate("pane => pane.scrollTop") == 300


def test_the_menu_holds_what_a_phone_has_no_room_for(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page, PHONE)
    expect(page.locator("#export")).to_be_hidden()
    page.tap("#menu")
    expect(page.locator("#export")).to_be_visible()
    expect(page.locator("#count")).to_have_text("0 of 3 labelled, 3 left")
    page.tap("#noting")
    page.keyboard.type("yes")
    page.tap("#next")
    page.tap("#previous")
    assert page.input_value("#note") == "yes"
    assert page.get_attribute("button.yes", "aria-pressed") == "false"


@pytest.mark.parametrize("form", ["qa", "conversion"])
@pytest.mark.parametrize("options", [LAPTOP, PHONE, SIDEWAYS], ids=["laptop", "phone", "sideways"])
def test_no_accessibility_violation(
    browser: Callable[..., BrowserContext], write_page: Write, form: str, options: BrowserOptions
) -> None:
    """axe-core finds nothing, by day or night, in both languages, with and without guidelines.

    The menu, the note, the list of items and the reminder are open, where there are any.
    """
    page = browser(locale="en-GB", **options).new_page()
    page.emulate_media(reduced_motion="reduce")
    field = "answer" if form == "qa" else "bangla_context"
    page.goto(write_page(form, **{field: LONG}).as_uri())
    press(page, "y", "u")
    press(page, "4", "ArrowRight", "y", "4", "ArrowRight", "y", "4")
    if options is not LAPTOP:
        page.click("#noting")
        page.click("#menu")
    expect(page.locator("#reminder")).to_be_visible()
    page.evaluate("document.getElementById('overview').open = true")
    for step in ("#language", "#to-guidelines"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            found = Axe().run(page).response["violations"]
            assert [(scheme, v["id"], v["nodes"][0]["html"]) for v in found] == []
        if page.is_visible(step):
            page.click(step)


def test_nothing_is_cut_off_on_a_phone(browser: Browser, write_page: Write) -> None:
    """At 360 pixels even a long unbroken text and large letters do not widen the page."""
    page = opened(
        browser, write_page, {"viewport": {"width": 360, "height": 640}}, answer="ক" * 500
    )
    page.click("#menu")
    for _ in range(10):
        page.click("#larger")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_without_scripts_the_page_says_so(browser: Browser, write_page: Write) -> None:
    page = opened(browser, write_page, {"java_script_enabled": False})
    # Playwright's own matchers take a noscript element for empty.
    shown = page.locator("noscript").evaluate("node => node.innerText")
    assert "needs JavaScript" in shown
    assert "JavaScript দরকার" in shown
    expect(page.locator("#app")).to_be_hidden()
