"""A chat as the tokens that a Hugging Face model was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banglahallueval.models.chat import fold_system
from banglahallueval.models.http import one_line
from banglahallueval.models.types import Message, ModelError

_QUESTION = (Message("user", "QUESTION"),)


class ChatTemplate:
    """A tokenizer's chat template, with what has to be known about it.

    A tokenizer without one gets the texts of the turns, a blank line between two and a line end
    after the last.

    Attributes:
        exists: Whether the tokenizer has a template.
        folds_system: Whether system text is put into the first user turn, for the template has no
            system role: some raise at it, some drop it silently.
        opens_thinking: Whether the template itself writes the `<think>` that begins a reply.
    """

    def __init__(self, tokenizer: Any) -> None:
        """Try out what the template does."""
        self._tokenizer = tokenizer
        self.exists = tokenizer.chat_template is not None
        self.folds_system = False
        shown = self._try((Message("system", "SYSTEM"), *_QUESTION))
        self.folds_system = "SYSTEM" not in shown
        self.opens_thinking = self._try(_QUESTION).rstrip().endswith("<think>")

    def tokens(self, messages: Sequence[Message], opening: str = "") -> list[int]:
        """Encode a chat up to where the reply begins.

        Args:
            messages: The chat.
            opening: Text that the reply already has.

        Raises:
            ModelError: If the template refuses the chat, as many refuse two turns of one role.
        """
        try:
            text = self._text(messages)
        except ModelError:
            raise
        except Exception as error:  # a template raises what it likes
            told = f"the chat template refuses the chat: {one_line(str(error))}"
            advice = "use another prompt or model"
            raise ModelError("request refused", told, advice=advice, retry=False) from None
        # A template writes the special tokens itself.
        encoded = self._tokenizer(text + opening, add_special_tokens=not self.exists)
        return list(encoded["input_ids"])

    def end_of_turn(self) -> list[int]:
        """Find the token that the template puts after a reply; many models do not name it."""
        if not self.exists:
            return []
        chat = self._try((*_QUESTION, Message("assistant", "REPLY")), reply_follows=False)
        _, found, after = chat.rpartition("REPLY")
        ids = self._tokenizer(after, add_special_tokens=False)["input_ids"] if found else []
        return [token for token in ids[:1] if token in self._tokenizer.added_tokens_decoder]

    def _try(self, messages: Sequence[Message], *, reply_follows: bool = True) -> str:
        try:
            return self._text(messages, reply_follows=reply_follows)
        except Exception:  # a template raises what it likes
            return ""

    def _text(self, messages: Sequence[Message], *, reply_follows: bool = True) -> str:
        if self.folds_system:
            messages = fold_system(messages)
        if not self.exists:
            return "\n\n".join(message.text for message in messages) + "\n"
        turns = [{"role": message.role, "content": message.text} for message in messages]
        rendered = self._tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=reply_follows
        )
        return str(rendered)
