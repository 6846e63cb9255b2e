"""How fast the rows of report.html are: 20,000 rows of 6 judges, contexts of 2,000 characters.

python bench/report_page.py [--rows 20000] [--judges 6] [--output page.html]

Texts are made up of Bangla words. It prints the time to read, score and pack them, the size of
the page and, where Chromium and Playwright are installed, how long the page takes to open and to
filter, and how many frames a second it draws while it scrolls. Of a filter it prints the time of
the page's main thread, too, which other programs on the machine do not lengthen.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from banglahallueval.io import tables
from banglahallueval.scoring.load import load
from banglahallueval.scoring.report import write_report
from banglahallueval.scoring.results import results
from banglahallueval.scoring.rows.packing import pack

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

_PATTERNS = ("factualness", "comprehension", "specificity", "inference")
_OWN = ("id", "source_id", "pattern", "context", "question", "right_answer")
_CONTEXT = 2000  # characters
_LETTERS = "কখগঘচছজটডতথদধনপফবভমযরলশসহ"
_SIGNS = ("", "া", "ি", "ী", "ু", "ে", "ো")
_SEARCHES = ("নদী ১৯৭১", "প্রশ্ন 1234", "কাকা")
_FILTERS = ("#rows&least=6", "#rows&judge=any&says=wrong&sort=p:judge0", "#rows&track=main")

_TIMED = """fragment => new Promise(resolve => {
  const start = performance.now();
  addEventListener("hashchange", () => resolve(performance.now() - start), { once: true });
  location.hash = fragment;
})"""
_SCROLLED = """() => new Promise(resolve => {
  const list = document.getElementById("rows-list");
  let frames = 0, worst = 0, last = performance.now();
  const start = last;
  const step = (now) => {
    frames++; worst = Math.max(worst, now - last); last = now;
    list.scrollTop += 160;
    if (now - start < 3000) requestAnimationFrame(step);
    else resolve([frames / ((now - start) / 1000), worst]);
  };
  requestAnimationFrame(step);
})"""


def write(folder: Path, judges: int, rows: int) -> None:
    """Write labelled files: per source one main row and four candidates."""
    rng = random.Random(1)
    words = [
        "".join(rng.choice(_LETTERS) + rng.choice(_SIGNS) for _ in range(rng.randint(1, 4)))
        for _ in range(5000)
    ]

    def text(length: int) -> str:
        return " ".join(rng.choices(words, k=length // 5))[:length] + f" {rng.randint(0, 9999)}।"

    made: dict[str, tuple[list[str], list[list[str]]]] = {
        "main": (["id", "context", "question", "correct_answer"], []),
        "candidates": (
            [*_OWN, "hallucinated_answer"],
            [],
        ),
    }
    for n in range(rows // 5):
        context, question, right = text(_CONTEXT), f"প্রশ্ন {n}?", text(80)
        made["main"][1].append([str(n), context, question, right])
        made["candidates"][1].extend(
            [f"{n}::{pattern}", str(n), pattern, context, question, right, text(80)]
            for pattern in _PATTERNS
        )
    added = ["is_hallucinated", "p_hallucinated", "raw_response"]
    for judge in range(judges):
        for track, (header, cells) in made.items():
            path = folder / f"qa_{track}_judge{judge}.csv"
            with tables.writing(path, [*header, *added]) as writer:
                for row in cells:
                    p = min(max(rng.gauss(0.6 if track == "candidates" else 0.4, 0.2), 0), 1)
                    label = "yes" if p > 0.5 else "no"
                    writer.writerow([*row, label, f"{p:.4f}", f"{label}: {text(150)}"])


def build(folder: Path, page: Path) -> None:
    """Write the page, and print what each part takes."""
    start = time.perf_counter()
    labelled = load([folder])
    read = time.perf_counter()
    found = results(labelled)
    scored = time.perf_counter()
    rows = pack(labelled, None)
    packed = time.perf_counter()
    write_report(found, {}, page, "bench", rows=rows)
    end = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{rows.shown:,} rows x {rows.judges} judges: page of {page.stat().st_size / 1e6:.1f} MB; "
        f"read {read - start:.1f} s, score {scored - read:.1f} s, pack {packed - scored:.1f} s, "
        f"write {end - packed:.1f} s; peak {peak:,.0f} MB"
    )


def browse(page: Path) -> None:
    """Open the page as a reviewer would, and print how long that and filtering take."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("the page was not opened: playwright is not installed")
        return
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("the page was not opened: chromium is not installed")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for size in ((1280, 800), (390, 844)):
            opened = browser.new_page(viewport={"width": size[0], "height": size[1]})
            start = time.perf_counter()
            opened.goto(page.as_uri())
            opened.wait_for_selector(".rows-row")
            loaded = time.perf_counter() - start
            print(f"{size[0]} px: opened in {loaded:.1f} s")
            session = opened.context.new_cdp_session(opened)
            session.send("Performance.enable")

            def busy(session: CDPSession = session) -> float:
                metrics = session.send("Performance.getMetrics")["metrics"]
                return float(next(m["value"] for m in metrics if m["name"] == "ThreadTime"))

            for fragment in (*(f"#rows&text={text}" for text in _SEARCHES), *_FILTERS):
                before = busy()
                took = opened.evaluate(_TIMED, fragment)
                print(f"  {fragment}: {took:.0f} ms, {1000 * (busy() - before):.0f} ms of work")
            opened.evaluate(_TIMED, "#rows&order=desc")
            frames, worst = opened.evaluate(_SCROLLED)
            print(f"  scrolls at {frames:.0f} frames/s, the longest {worst:.0f} ms")
            opened.close()
        browser.close()


def main() -> None:
    """Build the page and measure it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--judges", type=int, default=6)
    parser.add_argument("--output", type=Path, help="keep the page here")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), args.judges, args.rows)
        page = args.output or Path(name) / "page.html"
        build(Path(name), page.resolve())
        browse(page.resolve())


if __name__ == "__main__":
    main()
