"""From the tokens of an answer to its characters, without holes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from banglahallueval.text.spans import Place, merged, whole

THRESHOLD = 0.5  # from here on a character is marked


def spread(text: str, scored: Iterable[tuple[Place, float]]) -> tuple[float, ...]:
    """Give each character the score of its tokens.

    Of several tokens of one code point the highest counts. A code point without a token, as a
    normaliser leaves some, has the score of the character before it, of which it is a part; at the
    beginning, of the one after it. A blank has the lower of its neighbours' scores, however a
    tokenizer treats blanks.

    Args:
        text: The raw text.
        scored: Places in it with their scores, 0 to 1.

    Returns:
        One score per code point; empty where no token has a place.
    """
    scores: list[float | None] = [None] * len(text)
    for (start, end), score in scored:
        for at in range(start, end):
            known = scores[at]
            scores[at] = score if known is None else max(known, score)
    words = [None if char.isspace() else scores[at] for at, char in enumerate(text)]
    before = _carried(words)
    after = _carried(words[::-1])[::-1]
    found = []
    for char, left, right in zip(text, before, after, strict=True):
        near = [score for score in (left, right) if score is not None]
        if not near:
            return ()
        found.append(min(near) if char.isspace() else near[0])
    return tuple(found)


def _carried(scores: Sequence[float | None]) -> list[float | None]:
    """Fill each gap with the score before it."""
    filled: list[float | None] = []
    last = None
    for score in scores:
        last = last if score is None else score
        filled.append(last)
    return filled


def joined(length: int, parts: Sequence[tuple[Place, Sequence[float]]]) -> tuple[float, ...]:
    """Join the scores of overlapping pieces of a text.

    In an overlap each piece counts up to its middle: there both have seen as much around it.

    Args:
        length: Code points of the text.
        parts: The pieces in order, each with a score per code point; together they cover the text.
    """
    scores = [0.0] * length
    at = 0
    for number, ((start, end), values) in enumerate(parts):
        following = parts[number + 1][0][0] if number + 1 < len(parts) else end
        stop = (following + end) // 2
        scores[at:stop] = values[at - start : stop - start]
        at = stop
    return tuple(scores)


def marked(text: str, scores: Iterable[float], threshold: float = THRESHOLD) -> tuple[Place, ...]:
    """List the stretches whose characters reach a threshold, without blanks at their edges.

    They are widened to whole letters and numbers: a token may end between a letter and its vowel
    sign, or within a year. Scores stay those of code points.

    Args:
        text: The raw text.
        scores: One score per code point of it.
        threshold: The least score of a marked character.
    """
    places = []
    reached = ((at, at + 1) for at, score in enumerate(scores) if score >= threshold)
    for start, end in whole(text, merged(reached)):
        words = text[start:end].strip()
        if words:
            first = text.index(words, start)
            places.append((first, first + len(words)))
    return tuple(places)
