# Needs only make and Python 3.11 or newer: every target first makes .venv from requirements-dev.lock.

PYTHON ?= python3
# Many tests wait for a server most of the time: three at once keep two processors busy.
PYTEST_ARGS ?= -n 3 --dist worksteal
CODE = config sessions games bench tests manage.py $(wildcard docs/examples docs/verify)

.PHONY: help run test test-pooler test-node test-browser bench bench-streams bench-peers lint audit format lock venv

help:
	@echo 'make run     start a server at http://127.0.0.1:8000  (HOST=… PORT=… DATA_DIR=…)'
	@echo 'make test    run the tests                            (PYTEST_ARGS=…)'
	@echo 'make test-pooler     run the tests through pgbouncer, which must be installed  (PYTEST_ARGS=…)'
	@echo 'make test-node       run the tests in node, 20.19 or newer, which must be installed'
	@echo 'make test-browser    run the tests in Chromium, which must be installed'
	@echo 'make bench   measure everything beside its peers      (QUICK=1 for two minutes, BENCH=… for some, KEEP=1)'
	@echo 'make bench-streams   measure streams beside a bare program'
	@echo 'make bench-peers     measure moves beside boardgame.io and Colyseus; needs Node.js'
	@echo 'make lint    check style, types and imports'
	@echo 'make audit   look for what is insecure: in the code, the settings, and the packages if their flaws can be asked for'
	@echo 'make format  format the code'
	@echo 'make lock    resolve pyproject.toml into the lock files'

# The commands are run without a shell in between, so that signals reach them.
run: venv
	@.venv/bin/python -m config.run

test: venv
	@.venv/bin/python -m config.run exec -- .venv/bin/python -m pytest $(PYTEST_ARGS)

# The databases stay when the tests have ended, since a pooler holds on to them; they go with their PostgreSQL.
test-pooler: venv
	@.venv/bin/python -m config.run exec -- .venv/bin/python -m tests.pooler \
		.venv/bin/python -m pytest -o addopts="--strict-markers --strict-config -ra --ignore=tests/browser" \
		--create-db --reuse-db $(PYTEST_ARGS)

test-node:
	@node --test $(wildcard tests/verify/*.test.mjs)

bench: venv
	@.venv/bin/python -m bench $(BENCH) $(if $(QUICK),--quick) $(if $(KEEP),--keep)

bench-streams: venv
	@.venv/bin/python -m bench.streams

bench-peers: venv bench/peers/node_modules/.package-lock.json
	@.venv/bin/python -m bench.peers

# npm writes this file when all is there.
bench/peers/node_modules/.package-lock.json: bench/peers/package-lock.json
	@npm --prefix bench/peers ci

test-browser: venv
	@.venv/bin/python -m config.run exec -- .venv/bin/python -m pytest \
		-o addopts="--strict-markers --strict-config -ra" -n 2 --dist worksteal tests/browser

lint: venv
	@.venv/bin/python -m ruff check $(CODE)
	@.venv/bin/python -m ruff format --check $(CODE)
	@.venv/bin/python -m mypy $(CODE)
	@.venv/bin/python -c 'from importlinter.cli import lint_imports_command as lint; lint(["--no-logo"])'

audit: venv
	@.ci/audit

format: venv
	@.venv/bin/python -m ruff check --fix-only $(CODE)
	@.venv/bin/python -m ruff format $(CODE)

RESOLVE = .venv/bin/python -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links pyproject.toml

lock: venv
	@$(RESOLVE) --output-file requirements.lock
	@$(RESOLVE) --group dev --constraints requirements.lock --output-file requirements-dev.lock

venv:
	@$(PYTHON) -I config/venv.py
