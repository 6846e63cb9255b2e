"""Small classifiers for tests, made in a moment: a byte-level tokenizer and random weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_LINES = [
    "ঢাকা বাংলাদেশের রাজধানী। নদীর দৈর্ঘ্য ১৯৭১ কিলোমিটার।",
    "The river is 42 km long. User request: how long is it?",
]


def tokenizer(lines: Sequence[str] = _LINES, vocabulary: int = 320) -> Any:
    """Make a byte-level BPE tokenizer with NFC, so that code points have several tokens or none."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.normalizer = normalizers.NFC()
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    raw.train_from_iterator(list(lines) * 5, trainer)
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    made: Any = PreTrainedTokenizerFast
    return made(
        tokenizer_object=raw,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        unk_token="[UNK]",
    )


def random_classifier(
    folder: Path,
    kind: str = "BertForTokenClassification",
    labels: Mapping[int, str] | None = None,
    *,
    positions: int = 512,
    spread: float = 0.5,
    lines: Sequence[str] = _LINES,
    vocabulary: int = 320,
) -> str:
    """Write a tiny BERT or ModernBERT with random weights; returns its folder.

    Args:
        folder: Where to.
        kind: Its class in transformers.
        labels: Its `id2label`; None for `LABEL_0` and `LABEL_1`.
        positions: Tokens that it reads at once.
        spread: Of the weights; larger than usual, so that probabilities differ.
        lines: What its tokenizer is trained on.
        vocabulary: The size of its vocabulary.
    """
    import torch
    import transformers

    made: Any = transformers
    tokens = tokenizer(lines, vocabulary)
    torch.manual_seed(7)
    names = dict(labels or {0: "LABEL_0", 1: "LABEL_1"})
    family = kind.partition("For")[0].removesuffix("Model")
    config = getattr(made, f"{family}Config")(
        vocab_size=len(tokens),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=positions,
        initializer_range=spread,
        pad_token_id=0,
        cls_token_id=1,
        sep_token_id=2,
        id2label=names,
        label2id={name: number for number, name in names.items()},
    )
    getattr(made, kind)(config).save_pretrained(folder)
    tokens.save_pretrained(folder)
    return str(folder)
