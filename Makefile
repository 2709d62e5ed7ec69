# Everything a person types. Each target installs what is missing first (tools/dev/setup.sh), then builds, then runs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PRESET ?= dev
BUILD := build/$(PRESET)
VENV := .venv
PYTHON := $(VENV)/bin/python
export CCACHE_MAXSIZE ?= 5G
export PYTHONPATH := $(CURDIR)/$(BUILD)/python

.PHONY: help setup build demo test test-slow bench format lint docs clean

help: ## Show the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## Install what is missing: system packages (root or sudo) and .venv.
	@tools/dev/setup.sh

build: setup ## Build everything of preset $(PRESET).
	@cmake --preset $(PRESET) > $(BUILD).configure.log 2>&1 || { cat $(BUILD).configure.log; exit 1; }
	@cmake --build $(BUILD) -j $(JOBS)

demo: build ## Score the breast-cancer test set under encryption: compile, keygen, encrypt, run, decrypt.
	@$(PYTHON) examples/breast_cancer.py

test: build ## Run every quick test; ends with one line 'N passed, N failed, N skipped'.
	@cmake --build $(BUILD) -j $(JOBS) --target sluice-unit-tests
	@$(PYTHON) tools/dev/run_tests.py --build $(BUILD)

test-slow: build ## The slow tests: large rings, sanitizers, fuzzing (60 s a target), the demo, mutations of the passes.
	@cmake --build $(BUILD) -j $(JOBS) --target sluice-unit-tests
	@$(PYTHON) tools/dev/run_tests.py --build $(BUILD) --slow
	@tools/dev/run_sanitizers.sh
	@$(PYTHON) tools/dev/mutate.py

bench: ## Run the benchmarks and record them under bench/results/.
	@$(MAKE) build PRESET=release
	@$(PYTHON) bench/run.py --build build/release

format: setup ## Format C++ and Python.
	@git ls-files '*.cpp' '*.h' '*.cu' '*.cuh' | xargs -r clang-format-22 -i
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix-only --quiet .

lint: build ## Check formatting, layering, clang-tidy, ruff and types.
	@tools/dev/lint.sh $(BUILD)

docs: build ## Regenerate docs/reference from the .td files.
	@$(PYTHON) tools/dev/generate_reference.py

clean: ## Remove what was built (not .venv).
	@rm -rf build demo-out
