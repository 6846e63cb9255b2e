"""How a vision-language model of transformers is given pictures: its processor, once a batch."""

from __future__ import annotations

import copy
import io
from collections.abc import Sequence
from typing import Any

from PIL import Image

from banglahallueval.models.http import one_line
from banglahallueval.models.huggingface.batches import Job
from banglahallueval.models.huggingface.chat_template import ChatTemplate
from banglahallueval.models.types import ImagePart, Message, ModelError


class Sight:
    """A model's processor, which makes tokens and pixels of a chat with pictures.

    A prompt is processed twice: to count its tokens, and again with its batch. In between the
    pixels, which may be tens of megabytes a prompt, are not kept.

    Attributes:
        name: What processes the pictures, for the record.
    """

    def __init__(self, processor: Any, model: Any, chat: ChatTemplate) -> None:
        """Prepare the processor.

        Args:
            processor: Of transformers.
            model: The model that it is for.
            chat: The chat template.
        """
        self.name = type(processor.image_processor).__name__
        self._model = model
        self._chat = chat
        self._mark = str(getattr(processor, "image_token", "") or "")
        self._single = processor
        # A tokenizer that is told to pad, in another thread, fails whoever encodes meanwhile.
        self._batching = copy.deepcopy(processor)

    def tokens(self, messages: Sequence[Message], opening: str = "") -> tuple[str, list[int]]:
        """Write a chat with pictures, and encode it up to where the reply begins.

        Args:
            messages: The chat.
            opening: Text that the reply already has.

        Returns:
            The chat as text, and its tokens, those of the pictures among them.

        Raises:
            ModelError: If the chat template or the processor refuses it.
        """
        if self._mark and any(self._mark in message.words for message in messages):
            told = f"the text holds {self._mark}, which is the model's mark for a picture"
            raise ModelError("request refused", told, advice="take it out", retry=False)
        text = self._chat.render(messages) + opening
        pictures = [part for message in messages for part in message.pictures]
        try:
            encoded = self._single(
                text=[text],
                images=[[_rgb(part) for part in pictures]],
                add_special_tokens=self._chat.lacks_special_tokens(text),
                return_tensors="pt",
            )
        except Exception as error:  # processors raise what they like
            told = f"the model's processor refuses the prompt: {one_line(str(error))}"
            advice = "use another picture or model"
            raise ModelError("request refused", told, advice=advice, retry=False) from None
        return text, encoded["input_ids"][0].tolist()

    def inputs(self, batch: Sequence[Job], pad: int) -> dict[str, Any]:
        """Process the prompts of a batch, each of which holds as many pictures as the others.

        Args:
            batch: The prompts.
            pad: The token that fills shorter ones up, on their left.
        """
        processor = self._batching
        tokenizer = processor.tokenizer
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.convert_ids_to_tokens(pad)
        encoded = processor(
            text=[job.text for job in batch],
            images=[[_rgb(part) for part in job.pictures] for job in batch],
            add_special_tokens=self._chat.lacks_special_tokens(batch[0].text),
            padding=True,
            padding_side="left",
            return_tensors="pt",
        )
        device, dtype = self._model.device, self._model.dtype
        return {
            name: tensor.to(device, dtype) if tensor.is_floating_point() else tensor.to(device)
            for name, tensor in encoded.items()
        }


def _rgb(part: ImagePart) -> Image.Image:
    with Image.open(io.BytesIO(part.data)) as image:
        return image.convert("RGB")
