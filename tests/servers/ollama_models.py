"""The models that a loopback Ollama server has pulled."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Model:
    """A pulled model.

    Attributes:
        name: With its tag.
        context: Most tokens of context it supports.
        thinking: `field`: thinks in `message.thinking`, and says so in its capabilities; `inline`:
            in `<think>` inside the content, and says nothing; None: does not.
        architecture: Prefix of the keys of `model_info`.
        vision: Whether it takes pictures, of 576 tokens each.
    """

    name: str
    context: int = 131072
    thinking: Literal["field", "inline"] | None = None
    architecture: str = "llama"
    vision: bool = False

    @property
    def digest(self) -> str:
        """The digest that /api/tags lists."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def details(self) -> dict[str, Any]:
        """What tags and show both tell."""
        family = self.architecture
        return {
            "parent_model": "",
            "format": "gguf",
            "family": family,
            "families": [family],
            "parameter_size": "8.0B",
            "quantization_level": "Q4_K_M",
        }

    def shown(self) -> dict[str, Any]:
        """The reply of /api/show."""
        thinks = ["thinking"] if self.thinking == "field" else []
        sees = ["vision"] if self.vision else []
        return {
            "modelfile": f"FROM {self.name}",
            "template": "{{ .Prompt }}",
            "details": self.details,
            "model_info": {
                "general.architecture": self.architecture,
                f"{self.architecture}.context_length": self.context,
                f"{self.architecture}.embedding_length": 4096,
            },
            "capabilities": ["completion", "tools", *thinks, *sees],
            "modified_at": "2026-01-01T00:00:00Z",
        }


def parse(text: str) -> Model:
    """A model from the command line: NAME, then `+thinking`, `+inline`, `+vision`, `+CONTEXT`."""
    name, *marks = text.split("+")
    context = next((int(mark) for mark in marks if mark.isdigit()), 131072)
    kind: Literal["field", "inline"] | None = "field" if "thinking" in marks else None
    thinking = "inline" if "inline" in marks else kind
    return Model(name, context, thinking, vision="vision" in marks)
