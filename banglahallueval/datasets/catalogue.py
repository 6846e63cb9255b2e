"""Every data set: its home, licence and files, and where the scripts expect them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

_GITHUB = "https://raw.githubusercontent.com"
_HUB = "https://huggingface.co/datasets"
_NO_LICENCE = "none stated"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a published file holds.

    Attributes:
        rows: Number of rows; 0 where it is not known.
        columns: Columns that scripts read.
        ids: Number of distinct values of `id` (published files repeat some); 0 where not known.
    """

    rows: int = 0
    columns: tuple[str, ...] = ()
    ids: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """One file of a data set.

    Attributes:
        target: Its place below the root.
        paths: Its possible places below the home, the first found is taken: names have changed.
        expected: What it should hold.
        sha256: Its published checksum in hex; empty where there is none.
    """

    target: str
    paths: tuple[str, ...]
    expected: Expected = Expected()
    sha256: str = ""

    @property
    def name(self) -> str:
        """Its name at home."""
        return self.paths[0].rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set.

    Attributes:
        name: Its name on the command line of `fetch_datasets.py`.
        title: What it is.
        home: Its public page.
        base: The URL that the files' paths are relative to.
        licence: Its licence, or that none is stated.
        files: Its files.
        derived: Files made from them in the form that the scripts read.
        note: Anything else a user should know.
    """

    name: str
    title: str
    home: str
    base: str
    licence: str
    files: tuple[File, ...]
    derived: tuple[str, ...] = ()
    note: str = ""

    def urls(self, file: File) -> list[str]:
        """List the URLs at which a file may be."""
        return [f"{self.base}/{quote(path, safe='/%')}" for path in file.paths]


_CANDIDATE = ("id", "source_id", "pattern")
_CHAIN = ("id", "question", "hallucination_type", "hallucinated_chain", "hallucinated_answer")
_CODEMIX = ("codemix_context", "codemix_question", "codemix_answer")
_BENCHMARK = "AASani29/BanglaHalluEval"


def _benchmark(name: str, title: str, *files: File, note: str = "") -> Dataset:
    return Dataset(
        name,
        f"BanglaHalluEval, {title}",
        f"https://github.com/{_BENCHMARK}",
        f"{_GITHUB}/{_BENCHMARK}/HEAD",
        f"{_NO_LICENCE} (the paper, arXiv 2605.31483, is CC BY 4.0)",
        files,
        note=note,
    )


_ANSWERS = "Hallucination Generated Answers"
_SUMMARIES = "banglahallueval_summarization_dataset_1000.csv"

CATALOGUE: tuple[Dataset, ...] = (
    _benchmark(
        "qa",
        "question answering",
        File(
            "QA/1000 Selected Samples/banglahallueval_qa_1000.csv",
            (
                "BanglaHalluEval Datasets/banglahallueval_qa_1000.csv",
                "QA/1000 Selected Samples/banglahallueval_qa_1000.csv",
                "QA/qa_gt_1000.csv",
            ),
            Expected(1000, ("id", "context", "question", "correct_answer"), 997),
        ),
        File(
            f"{_ANSWERS}/qa_4000.csv",
            (f"{_ANSWERS}/qa_4000.csv",),
            Expected(
                4000,
                (*_CANDIDATE, "context", "question", "right_answer", "hallucinated_answer"),
            ),
        ),
    ),
    _benchmark(
        "summarization",
        "summarization",
        File(
            f"Summarization/1000 Selected Samples/{_SUMMARIES}",
            (
                f"Summarization/1000 Selected Samples/{_SUMMARIES}",
                f"Sample Selection for Summ/{_SUMMARIES}",
            ),
            Expected(1000, ("id", "question", "summary"), 1000),
        ),
        File(
            f"{_ANSWERS}/summarization_3000_corrected.csv",
            (f"{_ANSWERS}/summarization_3000_corrected.csv",),
            Expected(
                3000,
                (*_CANDIDATE, "document", "right_summary", "hallucinated_summary"),
                3000,
            ),
        ),
        note="3000_hallucinated_summarization_generations.csv is another, wrong file: its "
        "documents are questions",
    ),
    _benchmark(
        "reasoning",
        "mathematical reasoning",
        File(
            "Reasoning/1000 Selected Samples/somadhan_1000_main.csv",
            (
                "Reasoning/1000 Selected Samples/somadhan_1000_main.csv",
                "Reasoning/1000 Selected Samples/somadhan_1000_main_ordered.csv",
                "Reasoning/1000_main_dataset/somadhan_1000_main.csv",
            ),
            Expected(1000, ("question_id", "question", "answer")),
        ),
        File(
            f"{_ANSWERS}/reasoning_1000.csv",
            (f"{_ANSWERS}/reasoning_1000.csv",),
            Expected(1000, _CHAIN, 1000),
        ),
    ),
    _benchmark(
        "codemix",
        "code-mixed question answering",
        File(
            "Codemix/Main dataset/codemix_1000.csv",
            ("Codemix/Main dataset/codemix_1000.csv",),
            Expected(1000, ("id", *_CODEMIX), 997),
        ),
        File(
            f"{_ANSWERS}/codemix_4000.csv",
            (f"{_ANSWERS}/codemix_4000.csv",),
            Expected(4000, (*_CANDIDATE, *_CODEMIX, "hallucinated_answer"), 3988),
        ),
    ),
    Dataset(
        "tydiqa",
        "TyDiQA-GoldP, the source of question answering; its Bengali part is taken",
        "https://github.com/google-research-datasets/tydiqa",
        "https://storage.googleapis.com/tydiqa/v1.1",
        "Apache-2.0",
        tuple(
            File(f"QA/Sample Selection/Source Dataset/{name}", (name,))
            for name in ("tydiqa-goldp-v1.1-train.json", "tydiqa-goldp-v1.1-dev.json")
        ),
        ("QA/Sample Selection/tydiqa_goldp_bengali.csv",),
    ),
    Dataset(
        "banglachq-summ",
        "BanglaCHQ-Summ, the source of summarization",
        "https://github.com/alvi-khan/BanglaCHQ-Summ",
        f"{_GITHUB}/alvi-khan/BanglaCHQ-Summ/HEAD",
        "CC BY-NC-SA 4.0",
        tuple(
            File(f"Summarization/Sample Selection/banglachq_summ_{split}.csv", (path,))
            for split, path in (
                ("train", "Dataset/train.csv"),
                ("valid", "Dataset/valid.csv"),
                ("test", "Dataset/test.csv"),
            )
        ),
        note="the benchmark was drawn from the 1,880 rows of train",
    ),
    Dataset(
        "somadhan",
        "SOMADHAN, the source of reasoning",
        "the copy in the benchmark's repository; a home of its authors (arXiv 2505.21354) could "
        "not be confirmed",
        f"{_GITHUB}/{_BENCHMARK}/HEAD",
        _NO_LICENCE,
        (
            File(
                "Reasoning/SOMADHAN Source Dataset/SOMADHAN.csv",
                ("Reasoning/SOMADHAN Source Dataset/SOMADHAN.csv", "SOMADHAN.csv"),
                Expected(0, ("question", "answer")),
            ),
        ),
    ),
    Dataset(
        "psiloqa",
        "PsiloQA, hallucinated spans in 14 languages",
        f"{_HUB}/s-nlp/PsiloQA",
        f"{_HUB}/s-nlp/PsiloQA/resolve",
        "CC BY 4.0",
        tuple(
            File(
                f"Spans/Source Dataset/psiloqa_{split}.parquet",
                (
                    f"main/data/{split}-00000-of-00001.parquet",
                    f"refs%2Fconvert%2Fparquet/default/{split}/0000.parquet",
                ),
            )
            for split in ("train", "validation", "test")
        ),
        tuple(
            f"Spans/Source Dataset/psiloqa_{split}.jsonl"
            for split in ("train", "validation", "test")
        ),
        note="the names of its files could not be confirmed; reading them needs pyarrow",
    ),
    Dataset(
        "hal-eval",
        "Hal-Eval, hallucinations of vision models",
        "https://github.com/WisdomShell/hal-eval",
        f"{_GITHUB}/WisdomShell/hal-eval/HEAD/evaluation_dataset",
        f"{_NO_LICENCE} in its README; the images are those of COCO and of web data sets",
        tuple(
            File(f"Vision/Source Dataset/{name}", (name,))
            for name in ("in_domain_evaluation.json", "out_of_domain_evaluation.json")
        ),
    ),
    Dataset(
        "mmlu",
        "MMLU, multiple-choice questions (test)",
        f"{_HUB}/cais/mmlu",
        f"{_HUB}/cais/mmlu/resolve/main",
        "MIT",
        (
            File(
                "Abstention/Source Dataset/mmlu_test.parquet",
                ("all/test-00000-of-00001.parquet",),
            ),
        ),
        ("Abstention/Source Dataset/mmlu_test.jsonl",),
        note="reading it needs pyarrow",
    ),
)

BENCHMARK = ("qa", "summarization", "reasoning", "codemix")
