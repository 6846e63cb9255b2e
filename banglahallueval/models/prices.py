"""What tokens cost, from the price list of the genai-prices package."""

from __future__ import annotations

# Tokens per code point of Bangla for current multilingual tokenizers: 2.3 per word of 6 to 7 code
# points. Older tokenizers (Llama 3) need three times as many.
_TOKENS_PER_CODE_POINT = 0.35

_FREE = ("ollama", "hf")  # run on hardware that is paid by the hour, not by the token


def cost(provider: str, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Compute the list price of these tokens in US dollars.

    Returns:
        0 for models on one's own hardware; None for a model whose price is not known.
    """
    if provider in _FREE:
        return 0.0
    from genai_prices import Usage, calc_price  # takes a quarter of a second to load

    try:
        price = calc_price(
            Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens),
            model_ref=model,
        )
    except LookupError:
        return None
    return float(price.total_price)


def estimate(characters: int, replies: int, reply_tokens: int) -> tuple[int, int]:
    """Estimate the prompt and completion tokens of a run.

    Args:
        characters: Code points of all prompts.
        replies: Number of replies.
        reply_tokens: Reply budget in tokens; assumed to be used up, which gives an upper bound.
    """
    return round(characters * _TOKENS_PER_CODE_POINT), replies * reply_tokens
