"""The evidence judge's weights, as fitted by `tools/fit_evidence.py`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from banglahallueval.tasks import TaskName


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Weights of features, by feature name.

    Equal only to itself, so that results can be cached per set of weights.

    Attributes:
        provenance: What they were fitted on, and by which program.
        location: Of the features of a token of a context that may be the answer.
        answer: Of the features of an answer (qa and codemix).
        summary: Of the features of a summary.
        intercepts: Of the logit, by task.
    """

    provenance: Mapping[str, object]
    location: Mapping[str, float]
    answer: Mapping[str, float]
    summary: Mapping[str, float]
    intercepts: Mapping[TaskName, float]

    def probability(self, task: TaskName, features: Mapping[str, float]) -> float:
        """Return the probability, 0 to 1, that an output with these features is hallucinated."""
        weights = self.summary if task == "summarization" else self.answer
        logit = self.intercepts[task] + sum(weights[name] * features[name] for name in weights)
        return 1 / (1 + math.exp(-logit))


@cache
def shipped_weights() -> Weights:
    """Load the weights that the package ships, once."""
    text = files("banglahallueval.judges.evidence").joinpath("weights.json").read_text("utf-8")
    return Weights(**json.loads(text))
