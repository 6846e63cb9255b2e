"""What a user copies or installs first names all that the project needs."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator

import regex

from tests.demo_libraries import demo_group
from tests.scripting import ROOT

_DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
_MODULES = sorted((ROOT / "banglahallueval").rglob("*.py"))
_VARIABLE = regex.compile(r"\b[A-Z]+(?:_[A-Z]+)*_(?:KEY|TOKEN|URL)\b")
_EXTRAS = regex.compile(r"(?:\.|banglahallueval)\[([a-z, ]+)\]")
_OF_DEVELOPERS = {"dev", "all"}


def texts() -> Iterator[str]:
    """Every document, and every string of the package: its messages, helps and look-ups."""
    for document in _DOCUMENTS:
        yield document.read_text(encoding="utf-8")
    for module in _MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def extras_named(text: str) -> set[str]:
    return {extra.strip() for listed in _EXTRAS.findall(text) for extra in listed.split(",")}


def test_the_example_names_every_variable_that_is_read() -> None:
    """HF_TOKEN is read by the Hugging Face libraries, all others by the package."""
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    offered = set(regex.findall(r"^#?([A-Z_]+)=", example, regex.M))
    named = {variable for text in texts() for variable in _VARIABLE.findall(text)}
    assert "OPENAI_API_KEY" in named
    assert sorted((named | {"HF_TOKEN"}) - offered) == []


def test_the_demo_installs_what_the_project_does() -> None:
    """The same releases, so that `make install` only adds to the environment of `make demo`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert sorted(set(demo_group()) - set(project["dependencies"])) == []


def test_requirements_bring_every_extra() -> None:
    """requirements.txt has all that a document or a message tells users to install."""
    required = extras_named((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = set(project["optional-dependencies"])
    named = {extra for text in texts() for extra in extras_named(text)}
    assert {"hf", "datasets", "summaries"} <= named
    assert sorted(named - declared) == []
    assert required == declared - _OF_DEVELOPERS
    assert extras_named(str(project["optional-dependencies"]["all"])) == required
