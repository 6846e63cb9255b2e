"""Models named as `provider:model`, in every flag that takes several."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.io.paths import slug
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import NamedModel, ProviderName


def read_models(
    text: str, flag: str, *, provider: ProviderName | None = None, separator: str = ","
) -> tuple[NamedModel, ...]:
    """Read models, as in `openai:gpt-4.1-mini,ollama:qwen2.5:32b`.

    Args:
        text: What the flag was given.
        flag: The flag, for messages.
        provider: Whose models those are that are named without one; None to refuse them. A name
            that begins with a provider's and a colon is always that provider's.
        separator: What stands between two of them.

    Raises:
        UsageError: If there is none, one has no provider, or two would share files or columns.
    """
    names = [name.strip() for name in text.split(separator) if name.strip()]
    models = tuple(_read(name, flag, provider) for name in names)
    if not models:
        raise UsageError(f"{flag}: name at least one model, as in openai:gpt-4.1-mini")
    refuse_alike([str(model) for model in models], flag)
    return models


def refuse_alike(names: Iterable[str], flag: str) -> None:
    """Refuse names that would be one in file and column names.

    Raises:
        UsageError: If there are two of them.
    """
    seen: dict[str, str] = {}
    for name in names:
        if slug(name) in seen:
            other = seen[slug(name)]
            how = "is there twice" if name == other else f"is {other} in all but signs"
            raise UsageError(f"{flag}: {name} {how}; leave one out")
        seen[slug(name)] = name


def read_weights(text: str | None, members: int) -> tuple[Fraction, ...]:
    """Read `--weights`: one number above 0 per member; equal ones where it is not given.

    Raises:
        UsageError: If it is anything else.
    """
    if text is None:
        return (Fraction(1),) * members
    try:
        # Exact, so that 0.1 and 0.2 tie with 0.3.
        weights = tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        weights = ()
    if len(weights) != members or min(weights) <= 0:
        raise UsageError(
            f"--weights {text}: give one number above 0 for each of the {members} models, as in "
            f"{','.join(['2', *['1'] * (members - 1)])}"
        )
    return weights


def _read(name: str, flag: str, provider: ProviderName | None) -> NamedModel:
    before, colon, model = name.partition(":")
    if colon and before in PROVIDERS and model:
        return NamedModel(before, model)
    if provider is not None and not (before in PROVIDERS and colon):
        return NamedModel(provider, name)
    raise UsageError(
        f"{flag} {name}: give PROVIDER:MODEL, as in openai:gpt-4.1-mini"
        f"{suggestion(before, PROVIDERS) if colon else ''} (PROVIDER is one of "
        f"{', '.join(PROVIDERS)})"
    )
