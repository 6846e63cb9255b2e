"""A chat as the tokens that a Hugging Face model was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import regex

from banglahallueval.models.chat import fold_system
from banglahallueval.models.http import one_line
from banglahallueval.models.types import ImagePart, Message, ModelError, TextPart

_QUESTION = (Message("user", "QUESTION"),)
_PICTURE = ImagePart(b"", "image/png")
_TYPE = regex.compile(r"""['"]type['"]""")  # of a part that a template has not taken apart


class ChatTemplate:
    """A tokenizer's chat template, with what has to be known about it.

    A tokenizer without one gets the texts of the turns, a blank line between two and a line end
    after the last.

    Attributes:
        exists: Whether the tokenizer has a template.
        shows_pictures: Whether the template has a place for a picture.
        folds_system: Whether system text is put into the first user turn, for the template has no
            system role: some raise at it, some drop it silently.
        opens_thinking: Whether the template itself writes the `<think>` that begins a reply.
    """

    def __init__(
        self, tokenizer: Any, *, template: str | None = None, of_pictures: bool = False
    ) -> None:
        """Try out what the template does.

        Args:
            tokenizer: The tokenizer.
            template: The template, where it is not the tokenizer's own.
            of_pictures: Whether it is that of a model which may be shown pictures.
        """
        self._tokenizer = tokenizer
        self._template = template if isinstance(template, str) else None
        self._of_pictures = of_pictures
        self.exists = bool(self._template) or tokenizer.chat_template is not None
        self.folds_system = False
        # Most templates of models with eyes take every message in parts, some only text as text.
        self._takes_parts = of_pictures
        if not self._is_taken_apart(_QUESTION):
            self._takes_parts = False
        seen = (Message("user", (_PICTURE, TextPart("QUESTION"))),)
        self.shows_pictures = (
            of_pictures
            and self.exists
            and self._is_taken_apart(seen)
            and self._try(seen) != self._try(_QUESTION)
        )
        shown = self._try((Message("system", "SYSTEM"), *_QUESTION))
        self.folds_system = "SYSTEM" not in shown or _TYPE.search(shown) is not None
        self.opens_thinking = self._try(_QUESTION).rstrip().endswith("<think>")

    def tokens(self, messages: Sequence[Message], opening: str = "") -> list[int]:
        """Encode a chat without pictures up to where the reply begins.

        Args:
            messages: The chat.
            opening: Text that the reply already has.

        Raises:
            ModelError: If the template refuses the chat, as many refuse two turns of one role.
        """
        text = self.render(messages) + opening
        encoded = self._tokenizer(text, add_special_tokens=self.lacks_special_tokens(text))
        return list(encoded["input_ids"])

    def render(self, messages: Sequence[Message]) -> str:
        """Write a chat up to where the reply begins, with a mark in the place of each picture.

        Raises:
            ModelError: If the template refuses it.
        """
        try:
            return self._text(messages)
        except ModelError:
            raise
        except Exception as error:  # a template raises what it likes
            told = f"the chat template refuses the chat: {one_line(str(error))}"
            advice = "use another prompt or model"
            raise ModelError("request refused", told, advice=advice, retry=False) from None

    def lacks_special_tokens(self, text: str) -> bool:
        """Whether the tokenizer has to add its special tokens to a chat that was written.

        A template writes them itself; but those of models with eyes often leave it to the
        processor, which transformers then has add them unless the text begins with one.
        """
        if not self.exists:
            return True
        begin = self._tokenizer.bos_token
        return self._of_pictures and not (begin and text.startswith(begin))

    def end_of_turn(self) -> list[int]:
        """Find the token that the template puts after a reply; many models do not name it."""
        if not self.exists:
            return []
        chat = self._try((*_QUESTION, Message("assistant", "REPLY")), reply_follows=False)
        _, found, after = chat.rpartition("REPLY")
        ids = self._tokenizer(after, add_special_tokens=False)["input_ids"] if found else []
        return [token for token in ids[:1] if token in self._tokenizer.added_tokens_decoder]

    def _is_taken_apart(self, messages: Sequence[Message]) -> bool:
        """Whether the template writes the text of a message, and not its parts as they are."""
        shown = self._try(messages)
        return "QUESTION" in shown and _TYPE.search(shown) is None

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
        turns = [{"role": turn.role, "content": self._content(turn)} for turn in messages]
        rendered = self._tokenizer.apply_chat_template(
            turns,
            chat_template=self._template,
            tokenize=False,
            add_generation_prompt=reply_follows,
        )
        return str(rendered)

    def _content(self, message: Message) -> str | list[dict[str, str]]:
        if not self._of_pictures or not (self._takes_parts or message.pictures):
            return message.text
        return [
            {"type": "image"}
            if isinstance(part, ImagePart)
            else {"type": "text", "text": part.text}
            for part in message.parts
        ]
