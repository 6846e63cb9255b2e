"""The offline verdict on an output that abstains."""

from __future__ import annotations

from typing import Final

from banglahallueval.verdicts import Verdict

# What claims nothing has nothing to be hallucinated in; that is so by definition, and certain.
ABSTAINED: Final = Verdict(
    "no",
    p_hallucinated=0.0,
    raw="The output says that it does not know, and claims nothing.",
)
