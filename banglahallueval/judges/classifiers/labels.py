"""Which of a classifier's labels say that a text is supported, read from its config."""

from __future__ import annotations

from collections.abc import Mapping

import regex

from banglahallueval.errors import UsageError

# Names of published models, lower case, letters and digits only.
_SUPPORTED = frozenset(
    (
        *("supported", "support", "supports", "entailment", "entailed", "entail", "faithful"),
        *("consistent", "factual", "grounded", "nothallucinated", "nonhallucinated", "clean"),
    )
)
_HALLUCINATED = frozenset(("hallucinated", "hallucination", "hal", "unsupported"))
# The label of tokens outside every span, in tagging schemes such as BIO.
_OUTSIDE = frozenset(("o", "outside"))
# LettuceDetect and PsiloQA train with two labels and write no names: 1 is hallucinated.
_UNNAMED_TOKENS = (("label0", "label1"), ("0", "1"))
# MiniCheck writes bare numbers: 1 is supported. Other unnamed labels may mean anything.
MINICHECK = ("0", "1")


def supported_token_labels(names: Mapping[int, str], model: str) -> frozenset[int]:
    """Find the labels of a token classifier that are no hallucination.

    All others are kinds of hallucination.

    Args:
        names: The config's `id2label`.
        model: The model's name, for the message.

    Raises:
        UsageError: If the names do not tell.
    """
    plain = _plain(names)
    found = frozenset(i for i, name in plain.items() if name in _SUPPORTED | _OUTSIDE)
    if not found and _listed(plain) in _UNNAMED_TOKENS:
        found = frozenset((0,))
    if not found and len(plain) == 2:
        rest = frozenset(i for i, name in plain.items() if name not in _HALLUCINATED)
        found = rest if len(rest) == 1 else found
    if not found or len(found) == len(plain):
        raise UsageError(_unknown(names, model, "supported"))
    return found


def supported_label(names: Mapping[int, str], model: str) -> int:
    """Find the label of a pair classifier that says that the evidence carries the text.

    Args:
        names: The config's `id2label`.
        model: The model's name, for the message.

    Raises:
        UsageError: If the names do not tell.
    """
    plain = _plain(names)
    found = [i for i, name in plain.items() if name in _SUPPORTED]
    if not found and is_minicheck(names):
        found = [1]
    if len(found) != 1 or len(plain) < 2:
        raise UsageError(_unknown(names, model, "entailment or supported"))
    return found[0]


def is_minicheck(names: Mapping[int, str]) -> bool:
    """Whether the labels are those of MiniCheck's published encoders."""
    return _listed(_plain(names)) == MINICHECK


def _plain(names: Mapping[int, str]) -> dict[int, str]:
    return {int(i): regex.sub(r"[^\p{L}\p{N}]", "", str(n)).lower() for i, n in names.items()}


def _listed(plain: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(plain[i] for i in sorted(plain))


def _unknown(names: Mapping[int, str], model: str, wanted: str) -> str:
    listed = ", ".join(str(name) for name in names.values())
    return (
        f"--model {model}: its labels are {listed}, and none is known as {wanted}; name them in "
        "id2label in its config.json"
    )
