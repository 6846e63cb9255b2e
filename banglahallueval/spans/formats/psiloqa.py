"""PsiloQA in its three forms: the published data, its pipeline's files, its annotators' files.

Source: Rykov et al. 2025, https://huggingface.co/datasets/s-nlp/PsiloQA and the repository
s-nlp/PsiloQA. Labels are code points of the answer, end exclusive.
"""

from __future__ import annotations

import regex

from banglahallueval.spans.formats.notes import Notes
from banglahallueval.spans.offsets import read_spans_of
from banglahallueval.spans.records import Record
from banglahallueval.spans.tags import read_tagged
from banglahallueval.spans.types import Sample, Span

_WIKIPEDIA = regex.compile(r"https?://(?P<language>[a-z-]+)\.(?:m\.)?wikipedia\.org")


def published(record: Record, notes: Notes) -> Sample:
    """Read a row of the data set.

    `labels` decide. Where the tags of `annotated_span` say something else, the row is noted; where
    `labels` are null, the tags decide.

    Raises:
        UsageError: If labels or tags are invalid.
    """
    answer = record.text("llm_answer")
    annotated = record.text("annotated_span", "")
    labels = record.json("labels")
    spans = None if labels is None else read_spans_of(labels, answer, record.where)
    if annotated:
        plain, tags = read_tagged(annotated, record.where)
        if plain != answer:
            notes.add("annotated_span is another text than llm_answer", record.where)
        elif spans is None:
            spans = tags
        elif spans != tags:
            notes.add("annotated_span marks other characters than labels", record.where)
    return _sample(record, answer, spans)


def pipeline(record: Record, notes: Notes) -> Sample:
    """Read a row of the generation pipeline, annotated or filtered.

    A row whose annotation failed, or holds another text than the answer, has no spans and is noted;
    the pipeline's own filter drops such rows.

    Raises:
        UsageError: If tags are invalid.
    """
    answer = record.text("hypothesis")
    annotation = record.fields.get("annotation")
    spans = None
    # A failed annotation is an empty list in the pipeline's files.
    if not isinstance(annotation, str) or not annotation:
        notes.add("not annotated", record.where)
    else:
        plain, tags = read_tagged(annotation, record.where)
        if plain == answer:
            spans = tags
        else:
            notes.add("annotation is another text than hypothesis", record.where)
    language = record.text("language", "")
    return Sample(
        record.id(),
        answer,
        spans,
        evidence=record.text("passage", ""),
        question=record.text("question", ""),
        language=language,
        model=record.text("model_id", "") or record.text("model", ""),
        source=record.text("url", "") or _page(language, record.text("title", "")),
    )


def annotator(record: Record) -> Sample:
    """Read a row of one annotator: the answer is its tagged text without the tags.

    The annotators' files differ in line breaks that became spaces; `agreement.same_answer` allows
    for that, and nothing is changed here.

    Raises:
        UsageError: If tags are invalid.
    """
    answer, spans = read_tagged(record.text("annotated_span"), record.where)
    return _sample(record, answer, spans)


def _sample(record: Record, answer: str, spans: tuple[Span, ...] | None) -> Sample:
    """Take what the data set and the annotators' files have in common."""
    url, title = record.text("wiki_url", ""), record.text("wiki_title", "")
    language = record.text("lang", "") or _language(url)
    return Sample(
        record.id(),
        answer,
        spans,
        evidence=record.text("wiki_passage", ""),
        question=record.text("question", ""),
        language=language,
        model=record.text("llm_checkpoint", ""),
        source=url or _page(language, title),
    )


def _language(url: str) -> str:
    found = _WIKIPEDIA.match(url)
    return found["language"] if found else ""


def _page(language: str, title: str) -> str:
    return f"{language}:{title}" if title else ""
