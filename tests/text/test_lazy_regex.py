"""Regular expressions that wait to be compiled until somebody uses them."""

from __future__ import annotations

import gc
from importlib import import_module
from pkgutil import walk_packages

import regex

import banglahallueval
from banglahallueval.text.lazy_regex import LazyRegex, lazy_regex


def test_nothing_is_compiled_before_its_first_use() -> None:
    vowels = lazy_regex("[aeiou]")
    assert isinstance(vowels, LazyRegex)
    assert "compiled" not in vars(vowels)
    assert vowels.search("verdict") is not None
    assert "compiled" in vars(vowels)


def test_methods_and_flags_are_those_of_the_compiled_one() -> None:
    words = lazy_regex(r"^yes|no$")
    assert words.sub("-", "yes no") == "- -"
    assert words.sub("-", "no yes") == "no yes"
    assert words.pattern == r"^yes|no$"
    assert lazy_regex("yes", regex.IGNORECASE).flags == regex.IGNORECASE
    assert lazy_regex("yes", regex.IGNORECASE).fullmatch("YES") is not None


def test_every_pattern_of_the_package_compiles() -> None:
    for module in walk_packages(banglahallueval.__path__, "banglahallueval."):
        import_module(module.name)
    gc.unfreeze()  # what is frozen is not listed
    lazy = [each for each in gc.get_objects() if type(each) is LazyRegex]
    gc.freeze()
    assert len(lazy) > 200
    for each in lazy:
        assert each.compiled.pattern == each.pattern
