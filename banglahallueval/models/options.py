"""Which model is asked and how, as settled once at the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

ProviderName = Literal["openai", "ollama", "gemini", "hf"]
Decode = Literal["generate", "score"]
OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_URL = "http://localhost:11434"
GEMINI_URL = "https://generativelanguage.googleapis.com"
DTYPES = ("auto", "float32", "bfloat16", "float16")

# Requests in flight unless --concurrency says otherwise. A local server works on few at a time; a
# Hugging Face model needs enough waiting rows to form full batches.
CONCURRENCY: dict[ProviderName, int] = {"openai": 16, "ollama": 4, "gemini": 16, "hf": 64}


@dataclass(frozen=True, slots=True)
class OpenAIOptions:
    """An OpenAI-compatible server.

    Attributes:
        base_url: Its address up to and including `/v1`; None for what `address` says, else OpenAI.
        address: The environment variable for its address.
        key: The environment variable for its key.
    """

    base_url: str | None = None
    address: str = "OPENAI_BASE_URL"
    key: str = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class OllamaOptions:
    """An Ollama server.

    Attributes:
        url: Its address; None for OLLAMA_BASE_URL, else this machine.
        num_ctx: Context length in tokens; None for what the longest prompt needs.
    """

    url: str | None = None
    num_ctx: int | None = None


@dataclass(frozen=True, slots=True)
class GeminiOptions:
    """A Gemini model; which API serves it is set by the environment.

    Attributes:
        thinking_budget: Tokens that it may think for before it answers: 0 for none, -1 for as many
            as it likes; None for none where it can think.
    """

    thinking_budget: int | None = None


@dataclass(frozen=True, slots=True)
class HuggingFaceOptions:
    """A model run on this machine by transformers.

    Attributes:
        decode: `generate` lets the model write; `score` compares the probabilities of yes and no.
        batch_size: Rows generated together, of up to 1,024 tokens each; fewer of longer ones.
        dtype: One of `DTYPES`; `auto` takes what the model was saved in.
        device: `auto` spreads the model over what there is; else as torch names it.
        load_in_4bit: Whether to load it quantised to 4 bits, which needs a CUDA GPU.
    """

    decode: Decode = "generate"
    batch_size: int = 8
    dtype: str = "auto"
    device: str = "auto"
    load_in_4bit: bool = False


@dataclass(frozen=True, slots=True)
class ClassifierOptions:
    """A trained token or sequence classifier run on this machine by transformers.

    Attributes:
        model: Name on the hub, or a folder.
        batch_size: Inputs run together, of up to 1,024 tokens each; fewer of longer ones.
        dtype: One of `DTYPES`; `auto` takes what the model was saved in, float32 on a processor.
        device: `auto` takes a GPU where there is one; else as torch names it.
        template: How a token classifier is given evidence and question; empty for what its config
            says, else LettuceDetect's. See `judges.classifiers.templates`.
    """

    model: str
    batch_size: int = 8
    dtype: str = "auto"
    device: str = "auto"
    template: str = ""


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """The options of every provider, for scripts that ask models of several."""

    openai: OpenAIOptions = field(default_factory=OpenAIOptions)
    ollama: OllamaOptions = field(default_factory=OllamaOptions)
    gemini: GeminiOptions = field(default_factory=GeminiOptions)
    hf: HuggingFaceOptions = field(default_factory=HuggingFaceOptions)


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model and who serves it.

    Attributes:
        provider: Who serves the model.
        model: Its name there.
    """

    provider: ProviderName
    model: str

    def __str__(self) -> str:
        """As flags take it."""
        return f"{self.provider}:{self.model}"


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Which model is asked, and how.

    Attributes:
        provider: Who serves the model.
        model: Its name there.
        providers: The options of every provider.
        max_tokens: Reply budget in tokens; None for the prompt's own.
        max_in_flight: Maximum number of requests in flight; None for the provider's default.
        rpm_limit: Maximum number of requests started in a minute; None for no limit.
        max_retries: How often a failed request is asked again.
        timeout: Seconds that a reply may take once the server has time for it.
        store: The reply store; None for one beside the output.
    """

    provider: ProviderName
    model: str
    providers: ProviderOptions = field(default_factory=ProviderOptions)
    max_tokens: int | None = None
    max_in_flight: int | None = None
    rpm_limit: float | None = None
    max_retries: int = 6
    timeout: float = 120.0
    store: Path | None = None

    @property
    def concurrency(self) -> int:
        """Maximum number of requests in flight."""
        return self.max_in_flight or CONCURRENCY[self.provider]
