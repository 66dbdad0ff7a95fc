# Two commands: `make demo` and `make test`.  Both make .venv, install what is pinned in requirements/, build, and install
# the project there; each step is redone only when its inputs change.
#
# PYTHON      the Python to make .venv with
# PIP_FLAGS   e.g. --extra-index-url https://download.pytorch.org/whl/cpu, to get PyTorch without CUDA libraries

PYTHON ?= python3
PIP_FLAGS ?=
VENV := .venv
BIN := $(VENV)/bin
PY := build/py
SECOND := build/second/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so
CMAKE_PYTHON = -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python
SITE = $$($(BIN)/python -c "import sysconfig; print(sysconfig.get_paths()['platlib'])")
TOOLS := tools/layers.py tools/size.py tools/check_signatures.py

.PHONY: help build test test-c test-python checks golden-update demo bench asan tsan nightly clean

help:
	@echo "make build    .venv, pinned packages, build, install"
	@echo "make demo     build, then the demo"
	@echo "make test     build, then C tests (ASan+UBSan), checks of the tree, Python tests in both modes"
	@echo "make bench    build, then the measurements; writes build/bench.json"
	@echo "make asan     C tests with AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make tsan     C tests with ThreadSanitizer"
	@echo "make golden-update  rewrites the .mlir files of tests/golden"
	@echo "make nightly  the long tests"

# ---- set-up
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/packages: requirements/build.txt requirements/test.txt requirements/demo.txt | $(BIN)/python
	$(BIN)/python -m pip install -q $(PIP_FLAGS) -r requirements/test.txt -r requirements/demo.txt
	touch $@

# The editable installation: redone when packaging changes.  It leaves a CMake tree in $(PY) that `build` goes on with.
$(VENV)/installed: $(VENV)/packages pyproject.toml CMakeLists.txt $(wildcard cmake/*.cmake)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install -q --no-build-isolation --no-deps -e .
	touch $@

build: $(VENV)/installed
	@cmake --build $(PY)
	@cmake --install $(PY) --prefix "$(SITE)" > build/install.log

# The plugin the tests run against beside the embedded one.
$(SECOND): | $(VENV)/packages
	$(BIN)/python -m pip install -q $(PIP_FLAGS) --no-deps --target build/second lammps-jax-pjrt-cpu==0.11.2

# ---- tests
test: build test-c checks test-python

test-c: asan $(SECOND)
	@export ASAN_OPTIONS=detect_leaks=0; for t in test_pjrt test_donation "test_trace real"; do set -- $$t; \
	  build/asan/$$1 $(SECOND) $$2 > build/second.log 2>&1 || { cat build/second.log; echo "$$1 failed on the second plugin"; exit 1; }; done

build/asan/build.ninja: $(VENV)/packages
	@mkdir -p build; cmake -S . -B build/asan -G Ninja $(CMAKE_PYTHON) -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DTORCH_PJRT_SHIM=OFF \
	  -DTORCH_PJRT_TESTS=ON -DTORCH_PJRT_WERROR=ON -DTORCH_PJRT_SANITIZE=address,undefined > build/asan.log

asan: build/asan/build.ninja
	@cmake --build build/asan
	@ctest --test-dir build/asan --output-on-failure --no-tests=error

tsan: $(VENV)/packages
	@mkdir -p build; cmake -S . -B build/tsan -G Ninja $(CMAKE_PYTHON) -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DTORCH_PJRT_SHIM=OFF \
	  -DTORCH_PJRT_TESTS=ON -DTORCH_PJRT_SANITIZE=thread > build/tsan.log
	@cmake --build build/tsan
	@ctest --test-dir build/tsan --output-on-failure --no-tests=error -E 'on_xla|test_fault'

golden-update: build/asan/build.ninja
	@cmake --build build/asan --target test_golden
	@ASAN_OPTIONS=detect_leaks=0 build/asan/test_golden tests/golden --update

checks: $(VENV)/packages
	@for tool in $(TOOLS); do $(BIN)/python $$tool || exit 1; done
	@$(BIN)/python tools/env_table.py --check

test-python: build $(SECOND)
	TORCH_PJRT_MODE=strict TORCH_PJRT_SECOND_PLUGIN=$(CURDIR)/$(SECOND) $(BIN)/python -m pytest -n 2 --dist loadfile tests/python
	TORCH_PJRT_MODE=defer $(BIN)/python -m pytest -n 2 --dist loadfile tests/python

nightly: build tsan
	TORCH_PJRT_NIGHTLY=1 TORCH_PJRT_MODE=strict $(BIN)/python -m pytest -n 2 --dist loadfile tests/python
	TORCH_PJRT_NIGHTLY=1 TORCH_PJRT_MODE=defer $(BIN)/python -m pytest -n 2 --dist loadfile tests/python

# ---- showing and measuring
demo: build
	$(BIN)/python demo/digits.py

bench: build
	$(BIN)/python bench/run.py

clean:
	rm -rf build
