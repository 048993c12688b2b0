# Everything one does with a clone, one verb a line. Needs Python 3.11 to 3.13, git and make; nothing else.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEV    := $(VENV)/.dev
# More than a small machine has cores: tests that play in a browser or wait for the firmware wait half of their time.
# Those that never wait run beside them, on what they leave of the processor.
PROCESSES ?= 3
PURE_PROCESSES ?= 2

# The tests start the program some two hundred times: its bytecode is kept, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE

# Any of these does for the tests that play in a browser.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome

# The board whose pins the Pico is given: a packaged one, or a file.
BOARD ?= oak-8x8
FLASHED := .build/flash

PYTEST = $(BIN)/python -m pytest --dist loadscope --no-loadscope-reorder -rs
PURE := board core games scene session tabletop tracking wire
REST := adapters answers app conformance depths e2e firmware hardware journal players record sim

.PHONY: play setup test thorough check bench ladder golden documents hardware stl pcb tile compiled wheel flash install-pi uninstall-pi \
        browser circuits clean

play: $(READY)        ## play on a simulated board in the browser: make play ARGS="--game diablo"
	$(BIN)/reedlight-sim play $(ARGS)

setup: $(DEV)         ## everything for development, into .venv

test: $(DEV) browser circuits  ## the whole suite: what reaches every branch with coverage, which would slow down the rest for nothing
	@[ -z "$$CI" ] || [ -d .build/compiled ] || $(BIN)/python tests/bench/compiled.py .build/compiled
	@mkdir -p .build
	nice $(PYTEST) -n $(PURE_PROCESSES) --cov --cov-report=term $(addprefix tests/,$(PURE)) $(ARGS) >.build/pure.txt 2>&1 & pure=$$!; \
	trap 'kill $$pure' INT TERM; \
	$(PYTEST) -n $(PROCESSES) $(addprefix tests/,$(REST)) $(ARGS); rest=$$?; \
	wait $$pure; pure=$$?; cat .build/pure.txt; exit $$((rest || pure))

thorough: $(DEV)      ## the longest runs in full: kills, resumes and take-backs by the hundred
	REEDLIGHT_SHARE=1 REEDLIGHT_MUTATIONS=10000 $(BIN)/python -m pytest -n $(PROCESSES) --no-cov tests/journal tests/record

check: $(DEV) .build/typings/.ready  ## format, lint, types, direction of imports, documents up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/pyright --project firmware
	$(BIN)/lint-imports
	$(BIN)/reedlight config document | diff - controller/CONFIGURATION.md
	$(BIN)/python -m hardware.generator --check

bench: $(DEV)         ## what inference and the rules cost on this machine
	$(BIN)/python tests/bench/bench.py $(ARGS)

ladder: $(DEV)        ## how the computer's levels fare against each other: make ladder ARGS="--game draughts --games 40"
	$(BIN)/python tests/bench/ladder.py $(ARGS)

compiled: $(DEV)      ## the draughts player as machine code, in .build/compiled, and its tests
	$(BIN)/python tests/bench/compiled.py .build/compiled
	PYTHONPATH=.build/compiled $(BIN)/python -m pytest -q --no-cov tests/players/test_draughts*.py tests/games/test_draughts*.py tests/answers/test_draughts.py

golden: $(DEV)        ## write the golden files anew, to be read in the diff
	REEDLIGHT_GOLDEN=1 $(BIN)/python -m pytest -q --no-cov tests/scene tests/conformance/test_playthroughs.py

documents: $(DEV)     ## write the pages that are made from tables
	$(BIN)/reedlight config document > controller/CONFIGURATION.md

hardware: $(DEV)      ## write the tables, drawings and templates of every board
	$(BIN)/python -m hardware.generator

stl: $(DEV)           ## everything that is printed, into .build/stl
	$(BIN)/python -m hardware.mechanics.prints

pcb: $(DEV)           ## Gerbers, drill and positions of the tile, into .build/pcb
	$(BIN)/python -m hardware.pcb.join
	/usr/bin/python3 -B -m hardware.pcb.fabricate .build/pcb

tile: $(DEV)          ## write the circuit board's tile and its picture anew; needs KiCad's Python module
	/usr/bin/python3 -B -m hardware.pcb.tile
	$(BIN)/python -m hardware.pcb.picture

flash: $(DEV)         ## put the firmware on a Pico that runs MicroPython: make flash BOARD=hex-61
	rm -rf $(FLASHED) && mkdir -p $(FLASHED)
	cp firmware/*.py $(FLASHED)/
	$(BIN)/reedlight board firmware $(BOARD) > $(FLASHED)/board.py
	$(BIN)/mpremote cp $(FLASHED)/*.py : + reset

install-pi:           ## install the service on a Raspberry Pi; what it does is printed first
	sudo controller/service/install $(ARGS)

uninstall-pi:         ## take the service away again
	sudo controller/service/install --remove $(ARGS)

wheel: $(DEV)         ## a wheel in dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

browser:              ## Chromium for the tests that play in a browser, where the system can install it
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit; done; \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  apt-get update -qq && for name in chromium-headless-shell chromium; do \
	    apt-get install -y -qq --no-install-recommends $$name fonts-dejavu-core >/dev/null 2>&1 && exit; done; false; } || \
	echo "no Chromium found: the tests that play in a browser will be skipped (install the package chromium)"

circuits:             ## KiCad and OpenSCAD for the tests of the hardware, where the system can install them
	@{ command -v openscad >/dev/null && /usr/bin/python3 -c 'import pcbnew' 2>/dev/null; } || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends kicad openscad >/dev/null; } || \
	echo "no KiCad or no OpenSCAD found: tests of circuit board or prints will be skipped (install the packages kicad and openscad)"

clean:
	rm -rf $(VENV) dist .build

# What MicroPython has, for the type checker; not in the environment, where it would hide Python's own modules.
.build/typings/.ready: $(DEV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target .build/typings micropython-rp2-rpi_pico-stubs
	touch $@

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if (3, 11) <= v < (3, 14) else f"Reedlight needs Python 3.11 to 3.13, and {sys.executable} is {v.major}.{v.minor}; try make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(DEV): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m pytest -q --collect-only >/dev/null || true  # which compiles the tests and all that they test
	touch $@
