"""What tokens cost, from the price list of the genai-prices package."""

from __future__ import annotations

from dataclasses import dataclass

# Tokens per code point of Bangla for a current multilingual tokenizer: 2.3 a word of 6 to 7.
# Older ones (Llama 3) need three times as many.
_TOKENS_PER_CODE_POINT = 0.35

_FREE = ("ollama", "hf")  # run on hardware that is paid by the hour, not by the token


def cost(provider: str, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Price these tokens in US dollars at list price.

    Returns:
        0 for models on one's own hardware; None for a model whose price is not known.
    """
    if provider in _FREE:
        return 0.0
    if provider == "gemini":
        model = model.rpartition("/")[2]  # publishers/google/models/NAME
    from genai_prices import Usage, calc_price  # takes a quarter of a second to load

    try:
        price = calc_price(
            Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens),
            model_ref=model,
        )
    except LookupError:
        return None
    return float(price.total_price)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will about need.

    Attributes:
        requests: Number of requests.
        prompt_tokens: Tokens of all prompts.
        reply_tokens: Reply budgets added up, so an upper bound.
        dollars: Their price in US dollars; None where it is not known.
        picture_tokens: Those of the prompt tokens that are for pictures, estimated by size alone.
    """

    requests: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    dollars: float | None = 0.0
    picture_tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:
        """Add two estimates up."""
        known = self.dollars is not None and other.dollars is not None
        return Estimate(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.reply_tokens + other.reply_tokens,
            (self.dollars or 0.0) + (other.dollars or 0.0) if known else None,
            self.picture_tokens + other.picture_tokens,
        )

    def __str__(self) -> str:
        """Say it in one line."""
        price = "price not known" if self.dollars is None else f"about ${self.dollars:.2f}"
        of_pictures = ""
        if self.picture_tokens:
            of_pictures = (
                f" ({self.picture_tokens:,} of them for pictures, a rough estimate by their size)"
            )
        return (
            f"about {self.prompt_tokens:,} prompt tokens{of_pictures} and at most "
            f"{self.reply_tokens:,} reply tokens: {price}"
        )


def estimate(
    provider: str,
    model: str,
    *,
    requests: int,
    characters: int,
    reply_tokens: int,
    picture_tokens: int = 0,
) -> Estimate:
    """Estimate what a run will need.

    Args:
        provider: Who serves the model.
        model: Its name there.
        requests: Number of requests.
        characters: Code points of all prompts.
        reply_tokens: Reply budgets added up.
        picture_tokens: `models.pictures.estimated_tokens` of all pictures, added up over requests.
    """
    prompt_tokens = round(characters * _TOKENS_PER_CODE_POINT) + picture_tokens
    dollars = cost(provider, model, prompt_tokens, reply_tokens)
    return Estimate(requests, prompt_tokens, reply_tokens, dollars, picture_tokens)
