"""An OpenAI-compatible server that completes texts, too, and says how likely a given text is.

Its tokens are code points, counted from the endpoints by which vLLM shows its tokenizer.
"""

from __future__ import annotations

import math
from typing import Any

from aiohttp import web

from tests.servers.answers import Body, hashed_p_yes
from tests.servers.base import Exchange
from tests.servers.openai_server import OpenAIServer

# What a spelling of yes and of no has of the probability of either; the rest goes elsewhere.
SHARES = {"yes": 0.6, "Yes": 0.2, "no": 0.6, "No": 0.2}
_END = "\x03"


class CompletionsServer(OpenAIServer):
    """Like `OpenAIServer`; of a prompt that ends in yes or no it says how likely that end is."""

    async def respond(self, exchange: Exchange) -> web.StreamResponse:
        """Route a request."""
        body = exchange.body or {}
        match exchange.request.path:
            case "/tokenizer_info":
                return web.json_response({"eos_token": _END, "chat_template": None})
            case "/tokenize":
                return web.json_response({"tokens": [ord(each) for each in body["prompt"]]})
            case "/detokenize":
                return web.json_response({"prompt": "".join(map(chr, body["tokens"]))})
            case "/v1/completions":
                return web.json_response(self._echoed(body))
        return await super().respond(exchange)

    def _echoed(self, body: Body) -> dict[str, Any]:
        prompt, _, said = body["prompt"].rpartition(" ")
        p_yes = hashed_p_yes(prompt)
        p = SHARES[said] * (p_yes if said.lower() == "yes" else 1 - p_yes)
        count = len(body["prompt"]) + 1  # one token is generated
        of_tokens: list[float | None] = [None, *[0.0] * (count - 1)]
        of_tokens[-2] = math.log(p)
        logprobs = {
            "token_logprobs": of_tokens,
            "top_logprobs": [{"x": each} for each in of_tokens],
        }
        choice = {"index": 0, "text": body["prompt"] + _END, "logprobs": logprobs}
        return {"object": "text_completion", "model": body["model"], "choices": [choice]}
