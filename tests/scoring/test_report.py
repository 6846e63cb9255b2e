"""The report, read by a browser as a reviewer would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from banglahallueval.scoring.report_command import report
from tests.browsing import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "</textarea></script><script>window.hacked = 1</script><img src=x onerror='hacked=1'>"
SHAPED = "ক্ষুদ্র স্ত্রী জ্ঞান হৃদয়"


def make_rows(folder: Path) -> None:
    """Two judges on six sources, who differ on the third to fifth; one text is markup."""
    sources = range(6)
    contexts = [f"{SHAPED} নম্বর {n}। নদীর নাম পদ্মা।" for n in sources]
    main = pd.DataFrame(
        {"id": sources, "context": contexts, "question": "নাম কী?", "correct_answer": "পদ্মা"}
    )
    candidates = pd.DataFrame(
        {
            "id": [f"{n}::factualness" for n in sources],
            "source_id": sources,
            "pattern": "factualness",
            "context": contexts,
            "question": "নাম কী?",
            "hallucinated_answer": ["যমুনা", "যমুনা", "মেঘনা নদী", HOSTILE, "যমুনা", "যমুনা"],
        }
    )
    spans = json.dumps([{"start": 0, "end": 5, "field": "output", "reason": f"নেই {HOSTILE}"}])
    for judge, every in (("alpha", 2), ("<b>beta</b>$x$", 3)):
        for track, frame in (("main", main), ("candidates", candidates)):
            yes = [(n % every == 0) == (track == "candidates") for n in sources]
            frame.assign(
                judge=judge,
                is_hallucinated=["yes" if y else "no" for y in yes[:-1]] + ["unknown"],
                unknown_reason=[""] * 5 + ["timeout"],
                p_hallucinated=[0.9 if y else 0.2 for y in yes[:-1]] + [""],
                raw_response=HOSTILE,
                unsupported_spans=spans,
            ).to_csv(folder / f"qa_{track}_{every}.csv", index=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of those rows, with plots."""
    folder = tmp_path_factory.mktemp("report")
    make_rows(folder)
    output = folder / "page" / "report.html"
    arguments = [str(folder), "--output", str(output), "--plots", str(folder / "plots")]
    assert report("doc", arguments) == 0
    return output


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A fresh chromium without network services."""
    with chromium() as launched:
        yield launched


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The report opened; it must neither raise nor ask for anything else."""
    opened = browser.new_page(color_scheme="light")
    requests: list[str] = []
    errors: list[object] = []
    opened.on("request", lambda request: requests.append(request.url))
    opened.on("pageerror", lambda error: errors.append(error))  # its handlers take no built-ins
    opened.goto(written.as_uri())
    yield opened
    assert errors == []
    assert [url for url in requests if not url.startswith(("file://", "data:"))] == []
    assert len(requests) == 1
    opened.close()


def test_the_leaderboard_is_there(page: Page) -> None:
    """Both judges stand in the table with their BHS and its interval."""
    text = page.locator("#table-scores").inner_text()
    assert "alpha" in text
    assert "<b>beta</b>$x$" in text
    assert page.locator("#table-scores tbody tr:not(.group)").count() == 2
    assert page.locator("figure svg").count() == 7
    assert page.locator("figure svg text", has_text="<b>beta</b>$x$").count() >= 3


def test_text_from_data_is_shown_as_text(page: Page) -> None:
    """Markup in names of judges is read, never run; of rows, tests/scoring/rows tells."""
    assert page.evaluate("window.hacked") is None
    assert page.locator("svg b, caption b, td b").count() == 0


def test_bangla_is_shaped(page: Page) -> None:
    """Conjuncts are narrower than their letters apart, so the font shapes them."""
    width = """text => { const s = document.createElement('span'); s.textContent = text;
      document.body.append(s); const w = s.getBoundingClientRect().width; s.remove(); return w; }"""
    assert page.evaluate(width, "ক্ষ") < 0.8 * page.evaluate(width, "ক\u200cষ\u200c্")
    assert page.evaluate(width, "স্ত্রী") < page.evaluate(width, "সতরী")


def test_the_keyboard_is_enough(page: Page) -> None:
    """The theme turns by the button, dark or light."""
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.locator("#theme").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(back) != light


def test_it_follows_the_reader_into_the_dark_and_onto_paper(page: Page) -> None:
    """A dark scheme darkens the page; print is light and without controls."""
    back = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(back) == "rgb(22, 24, 28)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(back) == "rgb(255, 255, 255)"
    assert not page.locator("#rows-filters").is_visible()


def test_plots_are_files_too(written: Path) -> None:
    """Each figure is there as PNG and as SVG."""
    plots = written.parents[1] / "plots"
    assert {path.stem for path in plots.glob("*.png")} == {
        "bhs",
        "errors",
        "patterns",
        "unknown",
        "risk_coverage",
        "calibration",
        "agreement",
    }
    assert len(list(plots.glob("*.svg"))) == 7
