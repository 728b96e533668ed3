# `make help` lists what can be done here.
.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3
# Students work on copies, which no update overwrites; FOLDER=notebooks opens the originals.
FOLDER := my_lessons
LAB_ARGS ?=
BENCH_ARGS ?=
PRESENT_ARGS ?=
SITE_ARGS ?=
# Of `make engine`: how it speculates, where it listens, what pip installs if not the official wheel.
WITH := draft_model
PORT := 8000
PACKAGE :=
CLASS_ARGS ?= --students 20
HOMES ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SITE_READY := $(VENV)/.site
# Nothing is fetched from a model hub unless a student asks for it by name.
export HF_HUB_DISABLE_TELEMETRY := 1
export PYTHONUNBUFFERED := 1
# Jupyter writes platform directories, not deprecated ones.
export JUPYTER_PLATFORM_DIRS := 1

.PHONY: help lab progress present handout test course notebooks bench engine doctor fix site stage class clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) -V); take 3.11 to 3.13: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable ".[test]"
	$(BIN)/jupyter labextension disable "@jupyterlab/apputils-extension:announcements"
	@touch $@

$(SITE_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable ".[site,test,class]"
	@touch $@

lab: $(READY) ## set up if needed and open your copies of the lessons (LAB_ARGS="--no-browser --port 8899")
	$(BIN)/python -m course_utils lab --folder $(FOLDER) $(LAB_ARGS)

progress: $(READY) ## what you have passed, tried, and what is next (HOMES=/home: a whole class)
	@$(BIN)/python -m course_utils progress --folder $(FOLDER) $(if $(HOMES),--homes "$(HOMES)")

present: $(READY) ## the talk, one scene a screen, for a projector (PRESENT_ARGS="--theme dark --port 8866")
	$(BIN)/python -m course_utils present $(PRESENT_ARGS)

handout: $(READY) ## the talk's handout, one sheet of paper, into build/
	$(BIN)/python -m course_utils handout

# Two workers on two cores: a thread each, and no spinning while one waits.
test: export OMP_NUM_THREADS := 1
test: export OMP_WAIT_POLICY := PASSIVE
test: export HF_HUB_OFFLINE := 1
# What a CPU without AVX-512 would do, on one that has it; elsewhere the switches do nothing.
AVX2 := ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2
AVX2_TESTS := $(addprefix tests/,models/test_processor.py models/test_packed.py models/test_qwen3.py \
  measuring/test_measuring.py measuring/test_shapes.py)
test: $(SITE_READY) ## set up if needed and run every check there is
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests -n 2 --dist worksteal --ignore tests/browser
	$(AVX2) $(BIN)/python -m pytest $(AVX2_TESTS) -n 2
	$(BIN)/python -m pytest tests/browser -n 2 --dist loadfile -rs
	$(BIN)/python -m pytest --nbval-lax --nbval-current-env \
	  --nbval-cell-timeout=120 notebooks -n 2 --dist loadfile

course: $(READY) ## run all notebooks in order into build/course; seconds per notebook
	$(BIN)/python -m course_utils course

notebooks: $(READY) ## execute the notebooks again and store their outputs
	$(BIN)/python -m course_utils notebooks

bench: $(READY) ## measure the pair against transformers, about twenty minutes (BENCH_ARGS=--quick: a few)
	$(BIN)/python -m course_utils bench $(BENCH_ARGS)

engine: $(READY) ## serve the pair with vLLM, in an environment of its own (WITH=ngram PORT=8001 PACKAGE="...")
	$(BIN)/python -m course_utils engine --with "$(WITH)" --port "$(PORT)" $(if $(PACKAGE),--package "$(PACKAGE)")

doctor: $(READY) ## what this machine has; paste it into a bug report
	@$(BIN)/python -m course_utils doctor

fix: $(READY) ## format code and notebooks, repair what can be, name what cannot
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m course_utils lint --fix

site: $(SITE_READY) ## build the static site into build/site (SITE_ARGS="--address URL")
	$(BIN)/python -m course_utils site $(SITE_ARGS)

stage: ## bundle the scenes again (needs node)
	npm ci --prefix stage --no-audit --no-fund
	npm run build --prefix stage

class: $(SITE_READY) ## rehearse a class on a hub of this machine, for its figures (CLASS_ARGS="--students 20 --out FILE")
	npm ci --prefix deploy --no-audit --no-fund
	$(BIN)/python -m deploy.rehearsal $(CLASS_ARGS)

clean: ## remove the environment and everything built; your lessons stay
	rm -rf $(VENV) build
