# make run: build, and open the page.  make test: build and test.  Everything lives in .venv and build/.
PYTHON ?= python3
PIP = .venv/bin/pip --disable-pip-version-check
CPP = $(shell git ls-files '*.h' '*.cpp')

PAGE = src/sevenfold/server/page/index.html
PAGE_SOURCES = $(shell git ls-files web 'src/sevenfold/games/*/*.ts')

.PHONY: setup web check-web browser run test test-slow bench bench-easycard bench-peers bench-selfplay docs format lint clean

setup: .venv/installed web
	@$(PIP) install -q --no-build-isolation --no-deps -e .

# The page, built again when its sources have changed. Without npm, one that is there is kept.
web:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(PAGE); \
	elif [ -f $(PAGE) ]; then echo "npm is missing: the page stays as it was built."; \
	else echo "npm is missing: the page is not built, and \`sevenfold serve\` has nothing to show."; fi

$(PAGE): $(PAGE_SOURCES) web/node_modules/.installed
	cd web && npx vite build --logLevel warn
	@touch $@

# Not `npm ci`: that insists on packages for all platforms, and a mirror may lack those of others.
web/node_modules/.installed: web/package-lock.json
	cd web && npm install --no-save --no-audit --no-fund --loglevel error
	@touch $@

# The dependencies, again whenever pyproject.toml or the constraints change.
.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install -q -c constraints.txt scikit-build-core nanobind ninja
	$(PIP) install -q -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

run: setup
	@.venv/bin/sevenfold serve --open

test: setup lint check-web browser
	.venv/bin/pytest -n 2 -m "not slow"

# The page's own tests, without a browser.
check-web: web
	@if command -v npm >/dev/null; then cd web && npm run --silent check && npm run --silent test; \
	else echo "npm is missing: the page's own tests did not run."; fi

# What the tests in a browser need.
browser:
	@tests/browser_setup.sh

# AddressSanitizer and UndefinedBehaviorSanitizer, and the tests that take minutes.
test-slow: setup
	.venv/bin/python tests/sanitized.py
	.venv/bin/pytest -n 2 -m slow

bench: setup
	.venv/bin/python -m bench

# The founding document's experiment on easycard; half an hour or more, goes on where it was stopped.
bench-easycard: setup
	.venv/bin/python -m bench.alphabeta easycard

# Our self-play against the bare network and against others.
bench-selfplay: setup
	.venv/bin/python -m bench.selfplay

# Self-play of others, to compare ours with; makes .venv-peers.
bench-peers: setup
	.venv/bin/python -m bench.selfplay_peers

# What the documents take from the source, from the rules' options and from a training run's data.
docs: setup
	.venv/bin/python docs/pull_source.py
	.venv/bin/python docs/pull_lesson_code.py
	.venv/bin/python docs/options_table.py
	.venv/bin/python docs/learn/draw_curve.py

format:
	.venv/bin/ruff check --fix -q . ; .venv/bin/ruff format -q .
	.venv/bin/clang-format -i $(CPP)

lint: setup
	.venv/bin/ruff check -q .
	.venv/bin/ruff format -q --check .
	.venv/bin/clang-format --dry-run -Werror $(CPP)
	@cp "$$(ls -t build/*/_core.pyi | head -n 1)" src/sevenfold/_core.pyi
	.venv/bin/mypy

clean:
	rm -rf .venv .venv-peers .venv-tetris build dist web/node_modules src/sevenfold/server/page
