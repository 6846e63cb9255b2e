"""Tables of the agreement on marks: summary, pairs, annotators and items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from banglahallueval.annotation.labels import Labels
from banglahallueval.annotation.marks import agreed
from banglahallueval.annotation.span_agreement import pairwise_iou, span_agreement
from banglahallueval.io.span_columns import listed
from banglahallueval.scoring.tables import ReportTable, interval_columns

_NOTE = (
    "Over items that at least two annotators judged: labelled no (nothing marked), or labelled yes "
    "and marked. iou: the characters that both of a pair marked by those that either did, 1 if "
    "neither marked any; mean over pairs, then items. alpha_u: Krippendorff's alpha for unitizing "
    "(1995, 2004), each item a continuum. Brackets: 95 % bootstrap interval over items."
)
_ANNOTATORS_NOTE = "Mean IoU against the characters that any, or that all, of the others marked."


def span_tables(labels: Labels, texts: Mapping[str, str]) -> Iterator[ReportTable]:
    """Make the tables of one form's marks.

    Args:
        labels: The annotators' labels.
        texts: The judged text by blind id.
    """
    form = labels.form.name
    found = span_agreement(labels, texts)
    bare = {name: labels.bare(name) for name in labels.annotators}
    summary = {
        "items": len(labels.items),
        "judged": found.items,
        "yes_without_mark": sum(map(len, bare.values())),
        **interval_columns("iou", found.iou),
        **interval_columns("alpha_u", found.alpha),
    }
    title = f"{form}: agreement of {len(labels.annotators)} annotators on marked characters"
    yield ReportTable(f"{form}_spans", title, pd.DataFrame([summary]), _NOTE)
    pairs = [
        {
            "first": first,
            "second": second,
            "items": pair.iou.rows,
            **interval_columns("iou", pair.iou),
            "shared_characters": pair.shared,
            "either_characters": pair.either,
        }
        for (first, second), pair in found.pairs.items()
    ]
    yield ReportTable(f"{form}_span_pairs", f"{form}: marks by pair", pd.DataFrame(pairs))
    annotators = [
        {
            "annotator": name,
            "items": each.union.rows,
            "yes_without_mark": len(bare[name]),
            **interval_columns("iou_union", each.union),
            **interval_columns("iou_intersection", each.intersection),
        }
        for name, each in found.annotators.items()
    ]
    title = f"{form}: each annotator's marks against the others'"
    yield ReportTable(f"{form}_span_annotators", title, pd.DataFrame(annotators), _ANNOTATORS_NOTE)
    yield ReportTable(f"{form}_span_items", f"{form}: marks by item", _item_table(labels))


def _item_table(labels: Labels) -> pd.DataFrame:
    rows = []
    for item in labels.items:
        markings = labels.markings_of(item)
        by_annotator = {
            name: listed(markings[name]) if name in markings else "" for name in labels.annotators
        }
        judged = list(markings.values())
        rows.append(
            {
                "blind_id": item,
                **by_annotator,
                "judged": len(judged),
                "iou": pairwise_iou(judged),
                "majority": listed(agreed(judged)) if judged else "",
            }
        )
    return pd.DataFrame(rows)


def bare_lines(labels: Labels) -> Iterator[str]:
    """Say which items each annotator labelled yes without marking them."""
    for annotator in labels.annotators:
        if bare := labels.bare(annotator):
            shown = ", ".join(bare[:10]) + (", …" if len(bare) > 10 else "")
            yield (
                f"{labels.form.name}: {annotator}: {len(bare)} labelled yes without a mark: {shown}"
            )
