"""What tokens cost, from the price list of the genai-prices package."""

from __future__ import annotations

# Tokens per code point of Bangla for a current multilingual tokenizer: 2.3 a word of 6 to 7.
# Older ones (Llama 3) need three times as many.
_TOKENS_PER_CODE_POINT = 0.35

_FREE = ("ollama", "hf")  # they run on hardware that is paid by the hour, not by the token


def cost(provider: str, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """US dollars for these tokens at list price.

    Returns:
        0 for models that run on one's own hardware; None for a model whose price is not known.
    """
    if provider in _FREE:
        return 0.0
    from genai_prices import Usage, calc_price  # a quarter of a second that most calls need not pay

    try:
        price = calc_price(
            Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens),
            model_ref=model,
        )
    except LookupError:
        return None
    return float(price.total_price)


def estimate(characters: int, replies: int, reply_tokens: int) -> tuple[int, int]:
    """Prompt and completion tokens that a run will about need.

    Args:
        characters: Code points of all prompts.
        replies: How many replies.
        reply_tokens: Reply budget in tokens; taken as used up, so the estimate is an upper one.
    """
    return round(characters * _TOKENS_PER_CODE_POINT), replies * reply_tokens
