"""How long annotators took for items, and which they labelled faster than they can be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import pandas as pd

from banglahallueval.annotation.forms import Sheet
from banglahallueval.annotation.labels import Labels
from banglahallueval.scoring.tables import ReportTable

# Silent readers of 17 languages read 863 characters a minute (Trauzettel-Klosinski & Dietz 2012,
# IOVS 53), 14 a second; a character of Bangla is 1.4 code points on average. Three times that is
# no reading.
CODE_POINTS_PER_SECOND = 60.0
SHORTEST = 2.0

_NOTE = (
    "items, median_seconds: labelled items alone. total_minutes: all that were looked at, with the "
    "page visible and in use. too_fast: labelled in less than 2 seconds, or "
    "than one for each 60 characters of the item's texts, three times a usual reading speed. "
    "Evidence that was read with another item need not be read again."
)


def pace_tables(labels: Labels, sheet: Sheet | None) -> Iterator[ReportTable]:
    """Make the tables of one form's times; none where no file has them.

    Args:
        labels: The annotators' labels.
        sheet: The sheet, whose texts say how long reading takes; None if it is not known.
    """
    if not any(labels.seconds.values()):
        return
    form = labels.form.name
    hasty = {name: too_fast(labels, name, sheet) for name in labels.annotators}
    rows = []
    for name, seconds in labels.seconds.items():
        labelled = _labelled_seconds(labels, name)
        rows.append(
            {
                "annotator": name,
                "items": len(labelled),
                "median_seconds": median(labelled.values()) if labelled else float("nan"),
                "total_minutes": sum(seconds.values()) / 60,
                "too_fast": len(hasty[name]),
            }
        )
    yield ReportTable(f"{form}_pace", f"{form}: time per item", pd.DataFrame(rows), _NOTE)
    items = [
        {"annotator": name, "blind_id": item, "seconds": labels.seconds[name][item], "least": least}
        for name, found in hasty.items()
        for item, least in found.items()
    ]
    columns = ["annotator", "blind_id", "seconds", "least"]
    title = f"{form}: labelled faster than it can be read"
    yield ReportTable(f"{form}_too_fast_items", title, pd.DataFrame(items, columns=columns))


def too_fast(labels: Labels, annotator: str, sheet: Sheet | None) -> Mapping[str, float]:
    """Find the items an annotator labelled too fast, with the seconds that reading takes at least.

    Items that were not labelled are none of them.
    """
    texts = {} if sheet is None else dict(sheet.rows)
    found = {}
    for item, seconds in _labelled_seconds(labels, annotator).items():
        length = sum(map(len, texts.get(item, {}).values()))
        least = max(SHORTEST, length / CODE_POINTS_PER_SECOND)
        if seconds < least:
            found[item] = round(least, 1)
    return found


def _labelled_seconds(labels: Labels, annotator: str) -> Mapping[str, float]:
    """Return the seconds of the items an annotator labelled; looking at others is no labelling."""
    answers = labels.answers[annotator].values()
    return {
        item: seconds
        for item, seconds in labels.seconds[annotator].items()
        if any(item in given for given in answers)
    }


def pace_lines(labels: Labels, sheet: Sheet | None) -> Iterator[str]:
    """Name the items that each annotator labelled too fast."""
    for name in labels.seconds:
        if found := too_fast(labels, name, sheet):
            seconds = labels.seconds[name]
            shown = [f"{i} ({seconds[i]:.1f} s of {least:.1f})" for i, least in found.items()]
            more = ", …" if len(shown) > 10 else ""
            yield (
                f"{labels.form.name}: {name}: {len(found)} labelled faster than they can be read: "
                f"{', '.join(shown[:10])}{more}"
            )
