"""The page as a reviewer reads it: at a desk and on a phone, by keyboard, and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from banglahallueval.scoring.report import write_report
from banglahallueval.scoring.sections import Section
from banglahallueval.scoring.tables import ReportTable
from tests.scoring.page.conftest import JUDGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
PAPER = 703  # pixels between the margins of A4
LEAD = ["judge", "BHS", "detection", "false alarms"]
# What reaches beyond the page's right edge and is not inside of something that scrolls.
BEYOND = """() => [...document.querySelectorAll("body *")].filter((each) =>
  each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".scroll > *")
  && each.checkVisibility()).map((each) => each.outerHTML.slice(0, 80))"""

UNPRINTED = """(paper) => [...document.querySelectorAll(".data, figure svg")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width === 0 || box.right > paper + 1;
}).map((each) => each.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module", params=SIZES)
def page(request: pytest.FixtureRequest, browser: Browser, written: Path) -> Iterator[Page]:
    """The page at a size, all that folds unfolded."""
    width, height = SIZES[request.param]
    opened = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    opened.goto(written.as_uri())
    opened.evaluate("document.querySelectorAll('details.more').forEach((each) => each.open = true)")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def tables(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of one section with a table of mixed cells, and no rows."""
    frame = pd.DataFrame(
        {
            "name": ["b", "ক", "a", "খ", "অ", "item 10", "item 9"],
            "score": [2.0, float("nan"), 10.0, 2.0, -1.0, 0.5, 0.5],
            "score_low": [0.0, float("nan"), 9.0, 1.0, -2.0, 0.4, 0.4],
            "score_high": [3.0, float("nan"), 11.0, 4.0, 0.0, 0.6, 0.6],
            "rows": [1_000, 20, 3, 4, 5, 6, 7],
            "empty": ["–", "", None, "", "", "", ""],
        }
    )
    table = ReportTable("mixed", "Mixed", frame, "A note.")
    output = tmp_path_factory.mktemp("tables") / "tables.html"
    name = "Results/" + "summarization_" * 8 + "candidates.csv"
    section = Section("Own", name, [table], [], ["Said."], {"rows": 1})
    write_report(None, {}, output, "Tables", sections=[section])
    opened = browser.new_page()
    opened.goto(output.as_uri())
    yield opened
    opened.close()


def column(page: Page, number: int) -> list[str]:
    """The cells of a column of the table, from above, without their intervals."""
    cells = page.locator(f"tbody tr > :nth-child({number})").all_inner_texts()
    return [cell.split()[0] if number > 1 else cell for cell in cells]


def test_a_long_file_name_does_not_widen_the_page(tables: Page) -> None:
    before = tables.viewport_size
    assert before
    tables.set_viewport_size({"width": 390, "height": 844})
    assert tables.locator("summary", has_text="summarization_").is_visible()
    assert tables.evaluate("document.documentElement.scrollWidth") <= 390
    tables.set_viewport_size(before)


def test_what_matters_is_in_view(page: Page) -> None:
    """The first four columns and their intervals need no scrolling."""
    heads = page.locator("#table-scores thead th button").all_inner_texts()
    assert heads[:4] == LEAD
    for row in page.locator("#table-scores tbody tr:not(.group)").all():
        box = row.locator(":scope > :nth-child(4)").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= page.viewport_size["width"]  # type: ignore[index]
        assert row.locator("small").count() == 3
    assert "prompt" not in heads


def test_the_page_never_scrolls_sideways(page: Page) -> None:
    """Nothing but what scrolls by itself reaches beyond the edge."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(BEYOND) == []


def test_what_goes_on_says_so_and_can_be_scrolled_by_keyboard(page: Page) -> None:
    """A region is a stop of the keyboard exactly where it has more to show."""
    wrong = """() => [...document.querySelectorAll(".scroll")].filter((each) => {
      const goesOn = each.scrollWidth > each.clientWidth + 1;
      return goesOn !== (each.tabIndex === 0) || goesOn === each.nextElementSibling.hidden;
    }).map((each) => each.ariaLabel)"""
    assert page.evaluate(wrong) == []


def test_every_figure_says_what_to_take_from_it(page: Page) -> None:
    """Sentences with this report's judges, not the caption alone."""
    for figure in page.locator("figure").all():
        sentences = " ".join(figure.locator("figcaption .plain li").all_inner_texts())
        assert any(name in sentences for name in (*JUDGES, "factualness"))


def test_the_page_tells_of_judges_the_wrong_way_round_and_of_ranks(page: Page) -> None:
    """AUROC below a half is explained; a few own rows have no rank."""
    assert "turned round 1.000" in page.locator("#calibration").inner_text()
    scores = page.locator("#scores").inner_text()
    assert "Not ranked on qa: good" in scores
    assert "(this run)" not in scores


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: str) -> None:
    """No violation of any impact, by day or night."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    # The rows have a test of their own, and to a screen reader a figure is its label.
    context = {"exclude": [["figure svg"], ["#rows"]]}
    found = Axe().run(page, context=context).response["violations"]
    page.emulate_media(color_scheme="light")
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_the_keyboard_skips_to_the_results_and_shows_where_it_is(page: Page) -> None:
    """The first stop leads past the header, and stops are outlined."""
    page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0  # type: ignore[index]
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    for _ in range(4):
        page.keyboard.press("Tab")
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(style) == "solid"
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_paper_shows_all_and_cuts_nothing_off(page: Page) -> None:
    """Tables fit the paper, folded ones too; what cannot be used on paper is left out."""
    size = page.viewport_size
    page.set_viewport_size({"width": PAPER, "height": 900})
    page.evaluate("document.querySelectorAll('details.more').forEach((each) => each.open = false)")
    page.emulate_media(media="print")
    try:
        assert page.evaluate(BEYOND) == []
        assert page.evaluate(UNPRINTED, PAPER) == []
        for hidden in ("nav", ".skip", "#theme"):
            assert not page.locator(hidden).first.is_visible()
        assert page.pdf(format="A4").startswith(b"%PDF")
    finally:
        page.emulate_media(media="screen")
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate(
            "document.querySelectorAll('details.more').forEach((each) => each.open = true)"
        )


def test_rows_are_sorted_within_their_task(page: Page) -> None:
    """A press of a heading sorts each task's rows and says so; the task's name stays above."""
    head = page.locator("#table-scores th", has_text="false alarms")
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    for body in page.locator("#table-scores tbody").all():
        rows = body.locator("tr")
        assert rows.first.get_attribute("class") == "group"
        shares = [
            float(row.locator("> :nth-child(4)").get_attribute("data-number") or "nan")
            for row in rows.all()[1:]
        ]
        assert shares == sorted(shares)


def test_figures_sort_as_numbers_and_unknown_ones_last(tables: Page) -> None:
    """Both ways, by mouse and by keyboard, and rows that are equal keep their order."""
    button = tables.locator("thead button", has_text="score")
    button.click()
    assert column(tables, 2) == ["-1.0000", "0.5000", "0.5000", "2.0000", "2.0000", "10.0000", "–"]
    assert column(tables, 1)[1:5] == ["item 10", "item 9", "b", "খ"]
    button.press("Space")
    assert tables.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    assert column(tables, 2) == ["10.0000", "2.0000", "2.0000", "0.5000", "0.5000", "-1.0000", "–"]
    assert column(tables, 1)[1:5] == ["b", "খ", "item 10", "item 9"]
    tables.locator("thead button", has_text="rows").click()
    assert column(tables, 3)[-1] == "1,000"
    assert tables.locator("th[aria-sort]").count() == 1


def test_texts_sort_in_bengali_order_and_numbers_in_them_as_numbers(tables: Page) -> None:
    """Vowels before consonants; item 9 before item 10."""
    tables.locator("thead button", has_text="name").press("Enter")
    names = column(tables, 1)
    assert [name for name in names if name in "অকখ"] == ["অ", "ক", "খ"]
    assert names.index("item 9") < names.index("item 10")


def test_columns_without_a_value_are_left_out(tables: Page) -> None:
    """Blanks and dashes alike."""
    assert tables.locator("thead button").all_inner_texts() == ["name", "score", "rows"]
