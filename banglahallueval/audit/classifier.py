r"""The train-a-classifier test: can a classifier that sees outputs alone tell the tracks apart?

It never sees the evidence, so whatever it finds is no hallucination but a habit of whoever wrote
the outputs: an annotation artifact (Gururangan et al. 2018, arXiv:1803.02324). Logistic regressions
on character n-grams, word n-grams and surface features are fitted in five folds that keep each
source whole, and the ranks of the outputs in their held-out fold make the AUROC.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import regex
from scipy.sparse import csr_matrix, hstack
from scipy.stats import rankdata
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from banglahallueval.audit.checks import FEW, LEAK, Check
from banglahallueval.audit.intervals import Bools, Floats, Ints, separation
from banglahallueval.audit.leaks import surface_features
from banglahallueval.audit.outputs import Outputs

_FOLDS = 5
# Small files are split again and again, for the AUROC of one split depends on its luck.
_PREDICTIONS = 3_000
_MOST_REPEATS = 20
_SEED = 42
_LONGEST_GRAM = 4  # characters
_LONGEST_PHRASE = 2  # words
_SHOWN = 5  # n-grams
_START, _END = "⟨", "⟩"
_TOKEN = r"[\p{L}\p{M}]+|\p{Nd}+|\*\*|[^\s\p{L}\p{M}\p{Nd}]"


def train_classifiers(outputs: Outputs) -> Iterator[Check]:
    """Measure how well a classifier tells gold outputs and candidates apart by their form.

    Args:
        outputs: The outputs of both tracks.

    Yields:
        A check per kind of feature and one for all together, with the n-grams that carry it; none
        where there are fewer sources than folds.
    """
    if outputs.draws.sources < _FOLDS:
        return
    texts = [f"{_START}{item.output.strip()}{_END}" for item in outputs.items]
    raw = [item.output for item in outputs.items]
    characters = CountVectorizer(
        analyzer="char", ngram_range=(1, _LONGEST_GRAM), lowercase=False, min_df=_least(texts)
    )
    words = CountVectorizer(
        tokenizer=regex.compile(_TOKEN).findall,
        token_pattern=None,
        ngram_range=(1, _LONGEST_PHRASE),
        lowercase=False,
        min_df=_least(texts),
    )
    counts = {"character n-grams": (characters, texts), "word n-grams": (words, raw)}
    matrices: dict[str, csr_matrix] = {}
    carriers: dict[str, str] = {}
    for kind, (vectoriser, given) in counts.items():
        found = vectoriser.fit_transform(given)
        matrices[kind] = TfidfTransformer(sublinear_tf=True).fit_transform(found)
        names = vectoriser.get_feature_names_out().tolist()
        carriers[kind] = _carriers(matrices[kind], found > 0, names, outputs.truth)
    surface = StandardScaler().fit_transform(surface_features(outputs))
    matrices["surface features"] = csr_matrix(surface / np.sqrt(surface.shape[1]))
    matrices["all of these"] = hstack(list(matrices.values())).tocsr()
    splits = _splits(outputs.sources)
    for kind, matrix in matrices.items():
        scores = np.array([_held_out_ranks(matrix, outputs.truth, folds) for folds in splits])
        found_here = separation(scores, outputs.truth, outputs.draws)
        yield Check(
            outputs.where,
            f"a classifier tells by {kind}",
            auroc=found_here.auroc,
            low=found_here.low,
            high=found_here.high,
            warning=found_here.auroc - 0.5 > LEAK and found_here.low > 0.5,
            detail=carriers.get(kind, ""),
        )


def _least(texts: Sequence[str]) -> int:
    """Minimum number of outputs that hold an n-gram: what fewer hold carries no AUROC."""
    return max(2, len(texts) // 200)


def _splits(sources: Ints) -> list[Ints]:
    """Number each output's fold, in as many random splits of the sources as the size asks for."""
    rng = np.random.default_rng(_SEED)
    repeats = min(_MOST_REPEATS, max(1, _PREDICTIONS // len(sources)))
    number = int(sources.max()) + 1
    return [rng.permutation(number)[sources] % _FOLDS for _ in range(repeats)]


def _held_out_ranks(matrix: csr_matrix, truth: Bools, folds: Ints) -> Floats:
    """Rank each output in its fold by a model fitted on the others, 0 to 1.

    Scores of different folds come from different models and are not comparable; ranks are.
    """
    ranks = np.zeros(len(truth))
    for number in range(_FOLDS):
        held_out = folds == number
        if len(np.unique(truth[~held_out])) < 2 or not held_out.any():
            continue
        model = _classifier().fit(matrix[~held_out], truth[~held_out])
        ranks[held_out] = rankdata(model.decision_function(matrix[held_out])) / held_out.sum()
    return ranks


def _classifier() -> LogisticRegression:
    return LogisticRegression(class_weight="balanced", solver="liblinear", C=10.0)


def _carriers(matrix: csr_matrix, holds: csr_matrix, names: list[str], truth: Bools) -> str:
    """Name the n-grams that carry a classifier.

    The weight of an n-gram times the difference of its means in candidates and gold outputs is
    what it adds to the gap between their mean scores. Of n-grams that hold each other only the
    strongest is named, and none that both tracks hold about equally often.
    """
    weights = _classifier().fit(matrix, truth).coef_[0]
    gap = np.asarray(matrix[truth].mean(axis=0) - matrix[~truth].mean(axis=0)).ravel()
    shares = [np.asarray(holds[track].mean(axis=0)).ravel() for track in (truth, ~truth)]
    shown: list[int] = []
    for at in np.argsort(-weights * gap).tolist():
        if len(shown) == _SHOWN:
            break
        nested = any(names[at] in names[k] or names[k] in names[at] for k in shown)
        if not nested and abs(shares[0][at] - shares[1][at]) > FEW:
            shown.append(at)
    return "; ".join(
        f"{names[at].replace(' ', '␣')!r} in {shares[0][at]:.0%} of candidates, "
        f"{shares[1][at]:.0%} of gold"
        for at in shown
    )
