"""Mu-SHROOM: answers with soft and hard labels, one file per language.

Source: Vázquez et al. 2025, https://helsinki-nlp.github.io/shroom. The data has no evidence.
"""

from __future__ import annotations

from banglahallueval.spans.formats.notes import Notes
from banglahallueval.spans.mushroom import hard_spans
from banglahallueval.spans.offsets import read_soft_spans, read_spans_of
from banglahallueval.spans.records import Record
from banglahallueval.spans.types import Sample


def sample(record: Record, notes: Notes) -> Sample:
    """Read a row; hard labels that are missing are derived from the soft ones.

    Raises:
        UsageError: If labels are invalid.
    """
    answer = record.text("model_output_text")
    hard, soft = record.json("hard_labels"), record.json("soft_labels")
    shares = () if soft is None else read_soft_spans(soft, len(answer), record.where)
    if hard is not None:
        spans = read_spans_of(hard, answer, record.where)
    elif soft is not None:
        spans = hard_spans(shares)
    else:
        spans = None
        notes.add("no labels", record.where)
    question, language = record.text("model_input", ""), record.text("lang", "").lower()
    return Sample(
        record.id(),
        answer,
        spans,
        shares,
        question=question,
        language=language,
        model=record.text("model_id", ""),
        # Several models answer one question.
        source=f"{language}:{question}" if question else "",
    )
