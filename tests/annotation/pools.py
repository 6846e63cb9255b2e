"""Pools to draw from, without anybody's data."""

from __future__ import annotations

import random

from banglahallueval.annotation.forms import FORMS, FormName, Sheet, blind_ids
from banglahallueval.annotation.pool import Entry, Pool
from banglahallueval.annotation.sampling import Sample
from banglahallueval.tasks import Item, Track

WORDS = list("কখগঘচছজঝটঠডঢতথদধনপফবভমযরলশসহ")
WORDS = [a + "া" + b for a in WORDS for b in "কনরল"]
PATTERNS = ("factualness", "comprehension", "specificity", "inference")


def qa_pool(sources: int = 300, seed: int = 1, form: FormName = "qa") -> Pool:
    """QA rows whose candidates are mostly long sentences and whose gold mostly short, as published.

    A sixth of each track has the other's length, so that matches exist.
    """
    draw = random.Random(seed)
    pool = Pool(FORMS[form])
    for number in range(sources):
        context = f"অনুচ্ছেদ {number} " + " ".join(draw.choices(WORDS, k=20))
        for pattern in ("", *PATTERNS):
            track: Track = "candidates" if pattern else "main"
            long = (track == "candidates") != (draw.random() < 1 / 6)
            answer = " ".join(draw.choices(WORDS, k=draw.randint(6, 10) if long else 2))
            texts = {"context": context, "question": f"প্রশ্ন {number}?", "answer": answer}
            item = Item("qa", texts["question"], context, answer)
            source = context.encode()
            pool.add(Entry(texts, source, pattern, track, str(number), "f", number, item))
    return pool


def as_sheet(pool: Pool, sample: Sample) -> tuple[Sheet, dict[str, Track], dict[str, str]]:
    """The sheet, its tracks and its matched sets."""
    drawn = list(zip(blind_ids(pool.form, len(sample.entries)), sample.entries, strict=True))
    rows = [(blind_id, entry.texts) for blind_id, entry in drawn]
    tracks = {blind_id: entry.track for blind_id, entry in drawn if entry.track}
    sets = {i: str(entry.matched_set) for i, entry in drawn if entry.matched_set is not None}
    return Sheet("pilot", pool.form, rows), tracks, sets


def published_way(pool: Pool, gold: int = 50) -> Sample:
    """A sample as the published study drew it: the same passages five times, nothing matched."""
    sources = [entry.source for entry in pool.entries if entry.track == "main"][:gold]
    entries = [entry for entry in pool.entries if entry.source in set(sources)]
    random.Random(42).shuffle(entries)
    return Sample(entries, 0)
