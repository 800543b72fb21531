# Everything a new user needs: `make serve` and `make test`. Needs Python >= 3.11, git and make; nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
CONSTRAINTS := requirements.lock

.PHONY: serve test demo lint bench mutate wall schema clean lock

serve: $(VENV)/.installed
	@exec $(BIN)/muniment serve

demo: $(VENV)/.installed
	@$(BIN)/muniment demo

test: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/mypy

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tests.benchmarks $(ARGS)

# two tenants that do whatever comes to mind, for longer than the suite lets them
wall: $(VENV)/.installed-dev
	MUNIMENT_MACHINE_EXAMPLES=$(or $(EXAMPLES),100) MUNIMENT_MACHINE_STEPS=$(or $(STEPS),50) $(BIN)/python -m pytest -q tests/security/test_two_tenants_machine.py

mutate: $(VENV)/.installed-dev
	$(BIN)/python -m tests.mutate

schema: $(VENV)/.installed
	$(BIN)/python -m muniment.database.snapshot

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or newer is needed'; exit 1; }
	@echo 'Making the environment in $(VENV) and installing: a minute or a few, depending on the network'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'pip>=25.1'

$(VENV)/.installed: $(VENV)/bin/pip pyproject.toml $(CONSTRAINTS)
	$(PIP) install --constraint $(CONSTRAINTS) --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) install --constraint $(CONSTRAINTS) --group dev
	@touch $@

lock:
	$(PIP) freeze --exclude-editable > $(CONSTRAINTS)

clean:
	rm -rf $(VENV) build dist
