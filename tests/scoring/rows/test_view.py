"""Filters, sorting, links and the CSV of the rows, at both sizes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.scoring.rows.conftest import ALPHA, BETA, GAMMA, HOSTILE, Written

if TYPE_CHECKING:
    from playwright.sync_api import Page


def shown(page: Page) -> int:
    """How many rows pass the filters."""
    return int(page.locator("#rows-shown").inner_text().split(" of ")[0].replace(",", ""))


def judged(page: Page, *conditions: tuple[str, str]) -> None:
    """Set conditions on judges."""
    for number, (who, what) in enumerate(conditions):
        if number:
            page.click("#rows-add")
        page.locator("select[name=who]").nth(number).select_option(label=who)
        page.locator("select[name=says]").nth(number).select_option(label=what)


def downloaded(page: Page, tmp_path: Path) -> list[dict[str, str]]:
    """The rows of the CSV."""
    with page.expect_download() as download:
        page.click("#rows-csv")
    path = tmp_path / "rows.csv"
    download.value.save_as(path)
    text = path.read_bytes().decode("utf-8")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_all_rows_are_there(page: Page) -> None:
    """400 rows, and the page says so."""
    assert page.locator("#rows-shown").inner_text() == "400 of 400 rows"
    assert "All 400 rows are in this page." in page.locator("#rows > .note").inner_text()


def test_the_number_of_wrong_judges(page: Page, written: Written) -> None:
    """From and to together give the rows that exactly so many judges get wrong."""
    for wrong in range(4):
        page.select_option("select[name=least]", str(wrong))
        page.select_option("select[name=most]", str(wrong))
        assert shown(page) == (written.items["wrong"] == wrong).sum() > 0


def test_filters_combine(page: Page, written: Written) -> None:
    """Track, pattern and several judges hold at once."""
    items = written.items
    page.select_option("select[name=track]", "candidates")
    page.select_option("select[name=pattern]", "inference")
    judged(page, (ALPHA, "is wrong"), (GAMMA, "says yes"))
    found = items[
        (items["pattern"] == "inference") & (items[ALPHA] == "no") & (items[GAMMA] == "yes")
    ]
    assert shown(page) == len(found) > 0
    assert page.locator("#rows-used").inner_text() == " (4)"


@pytest.mark.parametrize(
    ("condition", "query"),
    [
        ((BETA, "unknown: refused"), "why == 'refused'"),
        (("any judge", "is unknown"), "why != ''"),
        (("every judge", "is wrong"), "wrong == 3"),
        (("no judge", "is wrong"), "wrong == 0"),
        ((BETA, "is right"), "i % 10 != 0 and why == ''"),
        ((BETA, "has no label"), "i < 0"),
    ],
)
def test_conditions_on_judges(
    page: Page, written: Written, condition: tuple[str, str], query: str
) -> None:
    """One judge, any, every, none; unknown with its reason is neither right nor wrong."""
    judged(page, condition)
    assert shown(page) == len(written.items.query(query))
    assert page.locator("#rows-none").is_visible() == (shown(page) == 0)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1942", 4),  # Bengali digits in the context
        ("১৯৪২", 4),
        ("ঢাকা\u09df", 400),  # one code point; two in the file
        ("ঢাকায\u09bc", 400),
        ("PADMA", 0),
        ("ALPHA SAID", 400),  # in raw replies
        ("42::INFER", 1),
        ("SOURCE-42", 3),  # the source's id, which main rows lack here
    ],
)
def test_text_is_found_however_it_is_written(page: Page, text: str, rows: int) -> None:
    """Digits, forms of য় and case do not matter; ids, texts and replies are searched."""
    page.fill("input[name=text]", text)
    assert shown(page) == rows


@pytest.mark.parametrize(("order", "ascending"), [("", True), ("desc", False)])
def test_rows_are_sorted(
    page: Page, written: Written, tmp_path: Path, order: str, ascending: bool
) -> None:
    """By numbers and texts, both ways; what is blank comes last, equals in the files' order."""
    in_files = written.items.sort_values("track", kind="stable")  # candidates are read first
    page.select_option("select[name=order]", order)
    for column, by in (("p:alpha", "p"), ("tokens:alpha", "i"), ("pattern", "pattern")):
        page.select_option("select[name=sort]", column)
        right = in_files.assign(key=in_files[by].replace("", None))
        right = right.sort_values("key", ascending=ascending, kind="stable")
        assert [row["id"] for row in downloaded(page, tmp_path)] == right["id"].to_list()
    page.select_option("select[name=sort]", "id")
    numbers = [int(row["id"].partition("::")[0]) for row in downloaded(page, tmp_path)]
    assert numbers == sorted(numbers, reverse=not ascending)


def test_the_csv_is_what_is_shown(page: Page, written: Written, tmp_path: Path) -> None:
    """Every row that passes the filters, in the order shown, texts as they are."""
    page.select_option("select[name=pattern]", "inference")
    page.fill("input[name=text]", "1907")
    (row,) = downloaded(page, tmp_path)
    item = written.items.query("id == '7::inference'").iloc[0]
    assert row["output"] == HOSTILE
    assert row["evidence"] == item["context"]
    assert row["source_id"] == "source-7"
    assert row["right_answer"] == "পদ্মা নদী"
    assert (row["expected"], row["judges_wrong"]) == ("yes", str(item["wrong"]))
    assert row["label alpha"] == item[ALPHA]
    assert float(row["p alpha"]) == item["p"]
    assert (row["prompt_tokens alpha"], row["completion_tokens alpha"]) == (
        str(item["i"] + 100),
        "3",
    )
    assert row[f"raw_response {BETA}"] == f"{BETA} said {HOSTILE}"


def test_a_link_restores_the_view(page: Page, written: Written) -> None:
    """Filters, order and the open row come back in another tab, and Copy link copies that link."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.select_option("select[name=track]", "candidates")
    page.fill("input[name=text]", "নদী")
    judged(page, (ALPHA, "is wrong"), ("any judge", "unknown: timeout"))
    page.select_option("select[name=sort]", "p:alpha")
    page.select_option("select[name=order]", "desc")
    page.click("#rows-link")
    page.wait_for_function("document.getElementById('rows-said').textContent === 'Link copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.locator(".rows-row").nth(1).click()
    title = page.locator("#rows-title").inner_text()
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("#rows-details[open]")
    assert other.locator("#rows-title").inner_text() == title
    assert (
        other.locator("#rows-position").inner_text() == page.locator("#rows-position").inner_text()
    )
    assert other.locator("#rows-shown").inner_text() == page.locator("#rows-shown").inner_text()
    assert other.locator("select[name=who]").count() == 2
    assert other.locator("select[name=sort]").input_value() == "p:alpha"
    other.close()


def test_a_link_to_what_is_not_there_says_so(page: Page) -> None:
    """What the page lacks is named, and the rest of the link holds."""
    page.evaluate("location.hash = '#rows&task=sums&track=main&judge=%3Ddelta&says=yes&row=qa.x.1'")
    page.wait_for_function("document.getElementById('rows-said').textContent")
    said = page.locator("#rows-said").inner_text()
    assert (
        said == "This page does not have all that the link names: task sums, row qa.x.1, delta yes."
    )
    assert shown(page) == 100


def test_links_to_sections_change_no_filter(page: Page) -> None:
    """The page's own links leave the view as it is."""
    page.select_option("select[name=track]", "main")
    page.evaluate("location.hash = '#scores'")
    page.evaluate("location.hash = '#rows'")
    assert shown(page) == 100


def names(page: Page) -> Sequence[str]:
    """The options of a sorting column."""
    return page.locator("select[name=sort] option").all_inner_texts()


def test_every_column_can_be_sorted_by(page: Page) -> None:
    """Texts, numbers, and of each judge what it has."""
    assert {"id", "question", "evidence", "right answer", "judges wrong", "row number"} <= {
        *names(page)
    }
    assert [name for name in names(page) if ":" in name] == [
        "alpha: p",
        "alpha: label",
        "alpha: tokens",
        f"{BETA}: label",
        "gamma: label",
    ]
