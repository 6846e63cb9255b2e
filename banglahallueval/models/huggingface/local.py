"""What every model on this machine needs to be loaded, and what tells its weights apart."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import regex

from banglahallueval.errors import UsageError
from banglahallueval.models.huggingface.batches import OutOfMemoryError
from banglahallueval.models.types import ModelError

_CONFIGS = ("config.json", "adapter_config.json")
_SAMPLE_BYTES = 1 << 20  # of each end of a file, for a folder's fingerprint
_NO_MEMORY = regex.compile(r"out of memory|allocate memory|not enough memory", regex.I)


def refuse_missing(model: str, packages: Sequence[str], device: str) -> None:
    """Refuse what a user can mend before seconds of loading.

    Args:
        model: Name on the hub, or a path.
        packages: The packages that it needs.
        device: As torch names it, or `auto`.

    Raises:
        UsageError: If a package, the path or the device does not exist.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"a Hugging Face model needs {', '.join(missing)}:"
            " pip install 'banglahallueval[hf]' (in a clone: pip install -e '.[hf]')"
        )
    path = Path(model).expanduser()
    looks_local = path.is_absolute() or model.startswith((".", "~"))
    if (looks_local or path.suffix == ".gguf") and not path.exists():
        raise UsageError(f"--model {model}: there is no such folder or file")
    if path.is_dir() and not any((path / name).is_file() for name in _CONFIGS):
        raise UsageError(f"--model {model}: there is no model in this folder, no {_CONFIGS[0]}")
    import torch

    if device.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError(f"--device {device}: torch finds no CUDA GPU here")
    number = device.removeprefix("cuda:")
    if number.isdecimal() and int(number) >= torch.cuda.device_count():
        raise UsageError(f"--device {device}: it is not among the GPUs that torch finds here")


def is_here(model: str) -> bool:
    """Whether a model is on this disk: as a path, or in the cache of the Hugging Face hub."""
    if Path(model).expanduser().exists() or find_spec("huggingface_hub") is None:
        return True
    from huggingface_hub import try_to_load_from_cache

    try:
        return any(isinstance(try_to_load_from_cache(model, name), str) for name in _CONFIGS)
    except ValueError:  # no name that the hub could have; who loads it says so
        return True


def source_of(model: str) -> str:
    """Tell where a model is loaded from: its path where that exists, else its name on the hub."""
    path = Path(model).expanduser()
    return str(path) if path.exists() else model


def revision(loaded: Any, model: str) -> str:
    """Find a loaded model's commit on the hub; of local files, hash names, sizes and ends."""
    path = Path(model).expanduser()
    if not path.exists():
        return str(getattr(loaded.config, "_commit_hash", None) or "")
    digest = hashlib.sha256()
    files = [path] if path.is_file() else sorted(file for file in path.iterdir() if file.is_file())
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode())
        with file.open("rb") as stream:
            digest.update(stream.read(_SAMPLE_BYTES))
            stream.seek(max(0, size - _SAMPLE_BYTES))
            digest.update(stream.read())
    return digest.hexdigest()


def device_failure(error: RuntimeError) -> Exception:
    """Name what torch raised: OutOfMemoryError for a batch too large, else a ModelError."""
    if _NO_MEMORY.search(str(error)):
        return OutOfMemoryError()
    told = f"the model failed on its device: {' '.join(str(error).split())[:300]}"
    advice = "check --device and --dtype"
    return ModelError("server error", told, advice=advice, retry=False, fatal=True)
