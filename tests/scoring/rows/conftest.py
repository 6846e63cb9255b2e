"""A page with 400 rows of three judges, opened once at each size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from banglahallueval.scoring.load import load
from banglahallueval.scoring.report import write_report
from banglahallueval.scoring.results import results
from banglahallueval.scoring.rows.packing import pack
from tests.browsing import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='hacked=1'>"
ALPHA, BETA, GAMMA = "alpha", "<b>beta</b>", "gamma"
PATTERNS = ("factualness", "comprehension", "inference")
SOURCES = 100
# Outputs unlike all others: markup, and letters of two UTF-16 units.
ODD = {(7, "inference"): HOSTILE, (8, "inference"): "𝒜𝒜 যমুনা"}
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
# য় as one code point and as two; a judge's citation stands in the second sentence.
CONTEXT = "ঢাকায\u09bc {n} জন। নদীর নাম পদ্মা।"
CITED = "নদীর নাম পদ্মা"


def make_items() -> pd.DataFrame:
    """What the files say, before they are written: each row with every judge's label.

    Row i: alpha is wrong where 5 divides i, beta where 10 does, gamma where 20 does; beta is
    unknown where i leaves 3 by 7.
    """
    rows = []
    for n in range(SOURCES):
        context = CONTEXT.format(
            n=str(1900 + n).translate(str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯"))
        )
        same = {"context": context, "question": f"নদীর নাম কী? {n}", "right": "পদ্মা নদী"}
        rows.append({"track": "main", "id": str(n), "pattern": "", "output": "পদ্মা নদী", **same})
        for pattern in PATTERNS:
            output = ODD.get((n, pattern), f"যমুনা নদী {n} {pattern}")
            rows.append(
                {
                    "track": "candidates",
                    "id": f"{n}::{pattern}",
                    "pattern": pattern,
                    "output": output,
                    **same,
                }
            )
    items = pd.DataFrame(rows)
    items["i"] = items.index
    expected = items["track"].map({"main": "no", "candidates": "yes"})
    other = expected.map({"yes": "no", "no": "yes"})
    for judge, every in ((ALPHA, 5), (BETA, 10), (GAMMA, 20)):
        items[judge] = expected.where(items["i"] % every != 0, other)
    unknown = items["i"] % 7 == 3
    items[BETA] = items[BETA].where(~unknown, "unknown")
    items["why"] = unknown.map({True: "timeout", False: ""})
    items.loc[items["i"] % 14 == 3, "why"] = "refused"
    items["p"] = items["i"] * 37 % 100 / 100
    items["wrong"] = sum(
        items[judge].ne(expected) & items[judge].ne("unknown") for judge in (ALPHA, BETA, GAMMA)
    )
    return items


def write_files(folder: Path, items: pd.DataFrame) -> None:
    """Write the items as labelled files, one per judge and track."""
    for judge in (ALPHA, BETA, GAMMA):
        for track, rows in items.groupby("track", sort=False):
            output = "correct_answer" if track == "main" else "hallucinated_answer"
            frame = rows[["id", "context", "question"]].assign(**{output: rows["output"]})
            if track == "candidates":
                frame = frame.assign(
                    pattern=rows["pattern"],
                    right_answer=rows["right"],
                    source_id="source-" + rows["id"].str.partition("::")[0],
                )
            frame = frame.assign(
                judge=judge, is_hallucinated=rows[judge], raw_response=f"{judge} said {HOSTILE}"
            )
            if judge == ALPHA:
                span = {
                    "start": 0,
                    "end": 5,
                    "field": "output",
                    "reason": f"'যমুনা' নয়, 'পদ্মা' {HOSTILE}",
                }
                frame = frame.assign(
                    p_hallucinated=rows["p"].map(str),
                    prompt_tokens=(rows["i"] + 100).map(str),
                    completion_tokens="3",
                    unsupported_spans=json.dumps([span]) if track == "candidates" else "",
                )
            elif judge == BETA:
                frame = frame.assign(unknown_reason=rows["why"])
            else:
                start = CONTEXT.format(n="০০০০").index(CITED)
                claim = {
                    "claim": "নদীর কথা",
                    "supported_by": [CITED],
                    "status": "supported",
                    "found_in": "context",
                    "spans": [[start, start + len(CITED)]],
                }
                frame = frame.assign(claims_json=json.dumps([claim]))
            frame.to_csv(folder / f"qa_{track}_{judge[:3].strip('<')}.csv", index=False)


@dataclass(frozen=True)
class Written:
    """The page, and what it holds."""

    path: Path
    items: pd.DataFrame


@pytest.fixture(scope="package")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The page of those rows."""
    folder = tmp_path_factory.mktemp("rows")
    items = make_items()
    write_files(folder, items)
    labelled = load([folder])
    write_report(results(labelled), {}, folder / "report.html", "rows", rows=pack(labelled))
    return Written(folder / "report.html", items)


@pytest.fixture(scope="package")
def rows_browser() -> Iterator[Browser]:
    """A fresh chromium without network services."""
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="package", params=SIZES)
def opened(
    request: pytest.FixtureRequest, rows_browser: Browser, written: Written
) -> Iterator[Page]:
    """The page, opened once at a size; it must neither raise nor ask for anything else."""
    width, height = SIZES[request.param]
    context = rows_browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="light", accept_downloads=True
    )
    page = context.new_page()
    page.set_default_timeout(10_000)
    asked: list[str] = []
    errors: list[object] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(written.path.as_uri())
    page.wait_for_selector(".rows-row")
    page.evaluate("document.getElementById('rows-more').open = true")
    yield page
    assert errors == []
    assert len(asked) == 1
    assert page.evaluate("window.hacked") is None
    context.close()


@pytest.fixture
def page(opened: Page) -> Page:
    """That page without filters, and with no row open."""
    if opened.locator("#rows-details").is_visible():
        opened.keyboard.press("Escape")
    opened.click("#rows-clear")
    return opened
