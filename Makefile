# Everything that CI runs is one of these targets, so that a red build can be reproduced with one word.

# The one set of traits that builds in .build: any other set recompiles everything, and belongs into a scratch
# path of its own (make build TRAITS=… SCRATCH=.build-…).
TRAITS ?= Hub,Llama,Archives,Mail
SCRATCH ?= .build
SWIFT ?= swift

# A newer compiler's warnings must never break a user's build.
ifeq ($(CI),true)
export BREEZE_STRICT ?= 1
endif
ifneq ($(filter /%,$(XDG_CACHE_HOME)),)
export BREEZE_CACHE ?= $(XDG_CACHE_HOME)/breeze
else
export BREEZE_CACHE ?= $(HOME)/.cache/breeze
endif
export BREEZE_PYTHON ?= $(BREEZE_CACHE)/python/bin/python3
export BREEZE_SHARED ?= $(abspath ../shared)
export SCRATCH SWIFT TRAITS
# After so long a test hangs, and is named.
TEST_MINUTES ?= 30
# Seven hundred tests at once get in each other's way: all wait, and each wakes all.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN))

# SwiftPM takes traits in the order of a set, which is another in each run, and compiles everything anew for it.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
BUILD_OPTIONS := --scratch-path $(SCRATCH) --traits $(TRAITS)
RELEASE_OPTIONS := --configuration release $(BUILD_OPTIONS)
# Swift's libraries in the program itself: it starts sooner, answers faster, and takes less memory.
ifeq ($(shell uname),Linux)
RELEASE_OPTIONS += --static-swift-stdlib
endif
# The program itself: SwiftPM keeps back what it printed last, and on a hang that is what one wants to see.
ifeq ($(shell uname),Linux)
TEST_PROGRAM = $(SCRATCH)/debug/breezePackageTests.xctest --testing-library swift-testing
else
TEST_PROGRAM = $(SWIFT) test --skip-build --disable-xctest $(BUILD_OPTIONS)
endif
# Asked when it is needed: set-up may have brought the compiler only a moment ago, and the answer depends on it.
WITH_LLAMA := export PKG_CONFIG_PATH="$$(scripts/build-llama.sh prefix)/lib/pkgconfig:$$PKG_CONFIG_PATH";
BREEZE := $(SCRATCH)/release/breeze
ENCODER := all-minilm-l6-v2
SWIFT_FILES := Package.swift Sources Tests Benchmarks Examples
# Folders are in it so that a removed file counts as a change.
SOURCES := Package.swift $(shell find Sources)
# Starting SwiftPM to learn that nothing changed takes longer than `make run` may take to start.
BUILT := $(SCRATCH)/release.stamp
TOOLCHAIN := $(SCRATCH)/toolchain.stamp

.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help setup build run test soak bench oracle lint format docs clean always

help: ## list these targets
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | expand -t 10

setup: ## fetch what building, running and testing need; does nothing where it is there
	@scripts/setup.sh

build: $(BUILT) ## build the release: .build/release/breeze

# Answers go to standard output; what leads up to them does not, so that a run can be piped.
# In a terminal it ends in a running hub; a hub that runs already tells where its panel is.
run: ## set up, build, take the tour and serve; ARGS=--once ends after the tour, other ARGS run breeze with them
	@scripts/setup.sh --quiet >&2
	@$(MAKE) --silent build >&2
	@$(BREEZE) models show $(ENCODER) >/dev/null 2>&1 \
		|| $(BREEZE) models import "$(BREEZE_CACHE)/models-src/$(ENCODER)" >&2
	@$(BREEZE) $(or $(filter-out --once,$(ARGS)),tour --mailbox Examples/Mailbox/Maildir)
	@if [ -z "$(ARGS)" ] && [ -t 0 ] && [ -t 1 ]; then \
		$(BREEZE) panel 2>/dev/null || exec $(BREEZE) serve; \
	fi

test: ## set up and run every test
	@scripts/setup.sh
	@$(WITH_LLAMA) $(BUILD) --build-tests $(BUILD_OPTIONS)
	@scripts/run-tests.py $(TEST_MINUTES) $(TEST_PROGRAM)

soak: export BREEZE_SOAK = 1
soak: TEST_MINUTES = 600
soak: test ## run every test, with each fuzz and soak at its full length

bench: ## measure everything against its thresholds; with ARGS=encoder, llama, tokenizer, hub, vectors, mail, mailsearch or mailjudge that part alone
	@scripts/setup.sh --quiet --llama-tools
	@$(MAKE) --silent build
	@$(WITH_LLAMA) $(BUILD) --product breeze-benchmark $(RELEASE_OPTIONS)
	@prefix=$$(scripts/build-llama.sh prefix); $(BREEZE_PYTHON) scripts/bench.py $(ARGS) \
		--program $(abspath $(SCRATCH))/release/breeze-benchmark --breeze $(BREEZE) \
		--model "$(BREEZE_CACHE)/models-src/$(ENCODER)" --prefix "$$prefix" \
		--tools "$(BREEZE_CACHE)/runtimes/llama-tools/$$(basename "$$prefix")"

oracle: ## ask llama-server anew what the tests hold us against
	@scripts/setup.sh --quiet --llama-tools
	@$(WITH_LLAMA) $(BUILD) --product breeze-benchmark $(RELEASE_OPTIONS)
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && prefix=$$(scripts/build-llama.sh prefix) \
		&& $(SCRATCH)/release/breeze-benchmark model tiny "$$folder/tiny.gguf" \
		&& $(BREEZE_PYTHON) Tests/Oracles/llama_server.py \
			"$(BREEZE_CACHE)/runtimes/llama-tools/$$(basename "$$prefix")/llama-server" "$$folder/tiny.gguf" \
			> "$$folder/answers.json" \
		&& mv "$$folder/answers.json" Tests/BreezeLlamaRunnerTests/Fixtures/llama-server.json

lint: ## check the format, the layers, the scripts and the bundled mailbox
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
	@scripts/check-scripts.sh
	@python3 scripts/check-layers.py
	@python3 scripts/check-mailbox.py

format: ## put the Swift files into the house format
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_FILES)

docs: ## build the documentation of the libraries into .docs
	@scripts/docs.sh

clean: ## remove what was built here; the cache stays
	rm -rf $(SCRATCH) .docs

# Always looked at, and newer only when what it says has changed.
$(TOOLCHAIN): always
	@mkdir -p $(SCRATCH)
	@{ $(SWIFT) --version; echo "$(TRAITS) $(BREEZE_STRICT)"; scripts/build-llama.sh prefix; } 2>/dev/null >$@.new
	@if cmp --quiet $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The stamp is as old as the build's begin: what is edited meanwhile is newer.
$(BUILT): $(SOURCES) $(TOOLCHAIN) $(if $(wildcard $(BREEZE)),,always)
	@touch $@.new
	@$(WITH_LLAMA) $(BUILD) --product breeze $(RELEASE_OPTIONS)
	@$(WITH_LLAMA) $(BUILD) --product breeze-mail-index $(RELEASE_OPTIONS)
	@mv $@.new $@
