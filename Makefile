# The one door to the project. Python 3.11 or newer (with venv) and make are all it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --require-hashes
# Three on two cores: the tests wait for child processes, the database and the browser.
TEST_PROCESSES ?= 3
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help demo test bilder run worker migrate lint fix types imports docs check lock stop

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

$(VENV)/run.stamp: requirements.txt
	@echo "Setting up $(VENV) with what runs the project"
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements.txt requirements-dev.txt
	@echo "Setting up $(VENV) with what runs and tests the project"
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements-dev.txt
	@touch $@ $(VENV)/run.stamp

demo: $(VENV)/run.stamp  ## show the whole product on invented documents (Ctrl-C stops it)
	$(BIN)/python manage.py demo --port $(PORT)

test: $(VENV)/dev.stamp  ## run all tests
	$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder

bilder: $(VENV)/dev.stamp  ## take the pictures of the editors' handbook anew (needs Chromium)
	GWOE_BILDER=1 $(BIN)/python -m pytest -q -p no:xdist tests/browser/test_bilder.py

run: migrate  ## serve the site on http://127.0.0.1:8000
	$(BIN)/python manage.py runserver $(PORT)

worker: migrate  ## work through the queue
	$(BIN)/python manage.py qcluster

migrate: $(VENV)/run.stamp  ## prepare the database and its reference data
	$(BIN)/python manage.py migrate --verbosity 1
	$(BIN)/python manage.py load_parlamente
	$(BIN)/python manage.py close_programme
	$(BIN)/python manage.py setup_groups
	$(BIN)/python manage.py setup_schedules

stop: $(VENV)/run.stamp  ## stop the embedded database
	$(BIN)/python manage.py database stop

lint: $(VENV)/dev.stamp  ## check style
	$(BIN)/ruff check --output-format concise .
	$(BIN)/ruff format --check .

fix: $(VENV)/dev.stamp  ## mend what can be mended by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/dev.stamp  ## check types
	$(BIN)/mypy .

imports: $(VENV)/dev.stamp  ## check which app imports which
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp  ## build the documentation, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

check: lint types imports docs  ## everything that CI checks
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(MAKE) test

lock:  ## write the lock files anew (see docs/how-to/change-the-lock-files.md)
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet pip-tools
	$(VENV)-lock/bin/pip-compile $(LOCK) -o requirements.txt pyproject.toml
	$(VENV)-lock/bin/pip-compile $(LOCK) --extra dev -c requirements.txt -o requirements-dev.txt pyproject.toml
	rm -r $(VENV)-lock

LOCK := --quiet --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-emit-trusted-host --no-emit-options --no-header --strip-extras
