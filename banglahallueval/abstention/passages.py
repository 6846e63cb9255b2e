"""Find passages that do not answer a question, of its topic where there are some."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from banglahallueval.judges.evidence.answer_location import locate_answer
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, index_evidence
from banglahallueval.judges.evidence.questions import parse_question
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.tokens import tokenise
from banglahallueval.judges.evidence.weights import shipped_weights
from banglahallueval.tasks import Item

# Cosine from which on two passages count as versions of one. On the published QA passages, 95 in
# 100 are less than 0.3 alike to their nearest neighbour.
_SAME_PASSAGE = 0.6
_SAME_TOPIC = 0.15  # cosine with the own passage plus cosine with the question
# Share of the question's words, weighted by their nearness to the question word, from which on a
# passage may be about what is asked. Three in four gold passages of QA reach 0.6.
_COVERED = 0.5
_SAME_WORD = 0.85  # similarity from which on a word of the gold answer counts as found


class Passages:
    """Passages, searched by topic.

    Words count by their sound, so that spellings and both scripts are one, and by how rare they
    are (TF-IDF).
    """

    def __init__(self, texts: Collection[str]) -> None:
        """Index passages, of which equal ones count once."""
        # Sorted, so that which of two equally near ones is found does not depend on their order.
        self._texts = sorted(set(texts))
        self._places = {text: place for place, text in enumerate(self._texts)}
        self._vectoriser = TfidfVectorizer(analyzer=_terms, sublinear_tf=True)
        self._vectors = self._vectoriser.fit_transform(self._texts)

    def unanswering(
        self, item: Item, taken: Collection[str] = (), *, any_topic: bool = False
    ) -> str | None:
        """Find the passage nearest to a question and its own passage that does not answer it.

        It has no number and fewer than half of the other words by which the gold answer differs
        from the question, in whatever spelling and inflection; it has less than half of what the
        question asks about, and does not count what it asks the number of.

        Args:
            item: The question with its own passage, which is one of these, and its gold answer.
            taken: Passages not to find.
            any_topic: Whether to find one of another topic where none is of the same.

        Returns:
            The passage; None if there is none, or if the gold answer has no words of its own to
            look for.
        """
        if not _own_words(item):
            return None
        for text in self._by_nearness(item, 0.0 if any_topic else _SAME_TOPIC):
            if text not in taken and not may_answer(item, text):
                return text
        return None

    def _by_nearness(self, item: Item, least: float) -> Iterator[str]:
        """Yield passages at least so near, the nearest first, without versions of the own one."""
        own = self._vectors[self._places[item.context]]
        alike = (self._vectors @ own.T).toarray().ravel()
        asked = self._vectoriser.transform([item.question])
        nearness = alike + (self._vectors @ asked.T).toarray().ravel()
        for place in np.argsort(-nearness, kind="stable").tolist():
            if nearness[place] >= least and alike[place] < _SAME_PASSAGE:
                yield self._texts[place]


def may_answer(item: Item, passage: str) -> bool:
    """Whether a passage holds the gold answer of a question, or perhaps another one."""
    if _holds_gold(item, index_evidence(passage)):
        return True
    location = locate_answer(item.question, passage, shipped_weights())
    return location.coverage >= _COVERED or bool(location.unit_counts)


def _holds_gold(item: Item, passage: EvidenceIndex) -> bool:
    words = 0
    found = 0
    for token in _own_words(item):
        if token.value is not None and token.value in passage.values:
            return True
        if not token.word.is_digits:
            words += 1
            found += passage.find_spelling(token.word).similarity >= _SAME_WORD
    return words > 0 and 2 * found >= words


def _own_words(item: Item) -> Sequence[Token]:
    """List the words and numbers that the gold answer adds to the question."""
    question = parse_question(item.question)
    return [
        token
        for token in tokenise(item.output)
        if not (token.word.is_stopword or token.word.is_article or question.contains(token))
    ]


def _terms(text: str) -> list[str]:
    return [
        token.word.key
        for token in tokenise(text)
        if not (token.word.is_stopword or token.word.is_digits)
    ]
