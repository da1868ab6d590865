# `make demo` and `make test` do all their own set-up; `make help` lists the rest.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

SWIFT ?= swift
# Only declared dependencies may be imported: the layers of the package, checked by the compiler.
LAYERS := --explicit-target-dependency-import-check error
# With Swift's runtime inside, the worker takes half a megabyte less, and runs where there is no Swift.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
# The tests' own build is optimised: they decode pictures of 200 megapixels.
CHECKED := $(LAYERS) -Xswiftc -O
DEMO_CONTAINER ?= .build/demo-container
SOURCES := Package.swift Sources Tests bench Examples
CATALOGS := AttachmentContainer AttachmentPlanning AttachmentFootprint AttachmentIntake AttachmentPipeline AttachmentWorker NotificationPayload ExtensionProfile NotificationCheck NotificationDelivery AttachmentDownload ProcessSandbox

BUILD_PACKAGES := pkg-config libssl-dev libvips-dev libdav1d-dev libde265-dev libtiff-dev libwebp-dev zlib1g-dev
TEST_PACKAGES := $(BUILD_PACKAGES) binutils bsdutils python3 python3-pil python3-numpy libgs-common \
    libheif-examples libavif-bin libjpeg-turbo-progs libvips-tools webp ffmpeg
BENCH_PACKAGES := $(TEST_PACKAGES)
CORPUS_PACKAGES := $(BENCH_PACKAGES) libimage-exiftool-perl
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# $(call install,PACKAGES): installs those that are missing, silently when there are none.
define install
@if command -v dpkg-query >/dev/null; then \
    missing=$$(for package in $(1); do \
        dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; \
    done | xargs); \
    if [ -n "$$missing" ]; then \
        echo "Installing $$missing"; \
        $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq \
            --no-install-recommends $$missing >.apt.log 2>&1 || { cat .apt.log; rm -f .apt.log; exit 1; }; \
        rm -f .apt.log; \
    fi; \
elif command -v brew >/dev/null; then \
    brew list vips dav1d libde265 libtiff webp >/dev/null 2>&1 || { \
        echo "Installing vips, dav1d, libde265, libtiff and webp"; \
        brew install --quiet vips dav1d libde265 libtiff webp pkg-config; }; \
else \
    echo "Install libvips 8.14, OpenSSL 3.0, dav1d 1.0, libde265 1.0.11, libtiff 4.5, libwebp 1.2 and zlib, or later ones, with their headers, and pkg-config"; exit 1; \
fi
endef

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: setup
setup:
	$(call install,$(BUILD_PACKAGES))

.PHONY: build
build: setup ## Build the thimble command and its worker for release
	@echo "Building thimble (release)"
	@$(SWIFT) build -c release $(STATIC) --product thimble $(LAYERS)
	@$(SWIFT) build -c release $(STATIC) --product thimble-worker $(LAYERS)

.PHONY: demo
demo: build ## Turn the files of Images/ into a shared container and show what is in it
	@echo "Processing Images/ into $(DEMO_CONTAINER)"
	@rm -rf $(DEMO_CONTAINER)
	@# Two of the files are broken on purpose, which the exit code 3 says.
	@.build/release/thimble batch Images --container $(DEMO_CONTAINER); code=$$?; \
	    [ $$code -eq 0 ] || [ $$code -eq 3 ]
	@.build/release/thimble container list --container $(DEMO_CONTAINER)
	@.build/release/thimble container verify --container $(DEMO_CONTAINER)

.PHONY: test
test: ## Run every test
	$(call install,$(TEST_PACKAGES))
	@echo "Building and running the tests"
	@# One after the other: many tests wait for processes, and two threads are all there are.
	@mkdir -p .build; $(SWIFT) test --no-parallel $(CHECKED) 2>&1 | tee .build/test.log; \
	    code=$$?; [ $$code -eq 0 ] || { \
	        echo; echo "What failed, out of the lines above:"; \
	        grep -E '✘|error:' .build/test.log | grep -v '^✘ \(Suite\|Test run\)'; exit $$code; }

.PHONY: lint
lint: setup ## Check format, file lengths, documentation, links, the fuzzer, and Apple's side
	@echo "Checking the format"
	@$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	@echo "Checking that no source file is longer than 300 lines"
	@long=$$(find Sources -name '*.swift' -exec awk 'END { if (NR > 300) print FILENAME ": " NR }' {} \;); \
	    [ -z "$$long" ] || { echo "$$long"; exit 1; }
	@echo "Checking that the container and the command link no libvips, and that the worker does"
	@for product in show-notification thimble thimble-worker; do \
	    $(SWIFT) build --product $$product $(CHECKED) 2>&1 | grep -v '^\[' || true; \
	done
	@readelf -d .build/debug/thimble-worker | grep -q 'NEEDED.*libvips' \
	    || { echo "the check itself is broken: thimble-worker does not link libvips"; exit 1; }
	@for product in show-notification thimble; do \
	    ! readelf -d .build/debug/$$product | grep -E 'NEEDED.*lib(vips|glib|gobject)' \
	        || { echo "$$product must not link libvips"; exit 1; }; \
	done
	@echo "Checking that the fuzzer, which only make fuzz links, compiles"
	@THIMBLE_FUZZ=1 $(SWIFT) build --quiet --target fuzz $(CHECKED)
	@echo "Checking what is compiled on Apple's platforms only, against declarations of their modules"
	@$(SWIFT) build --quiet --target NotificationAdapters $(CHECKED)
	@Tests/AppleStubs/type_check.sh
	@$(MAKE) --no-print-directory docs

.PHONY: docs
docs: setup ## Build the documentation, warnings as errors, into .build/docs
	@echo "Building the documentation"
	@rm -rf .build/symbols .build/docs && mkdir -p .build/symbols .build/docs
	@$(SWIFT) package dump-symbol-graph --minimum-access-level public >.build/symbols.log 2>&1 \
	    || { cat .build/symbols.log; exit 1; }
	@for module in $(CATALOGS); do \
	    mkdir -p .build/symbols/$$module && \
	    cp $$($(SWIFT) build --show-bin-path)/../symbolgraph/$$module*.symbols.json .build/symbols/$$module && \
	    docc convert Sources/$$module/$$module.docc --additional-symbol-graph-dir .build/symbols/$$module \
	        --fallback-display-name $$module --fallback-bundle-identifier thimble.$$module \
	        --warnings-as-errors --output-path .build/docs/$$module.doccarchive || exit 1; \
	done

.PHONY: pictures
pictures: setup ## Make the sample pictures of Images/ again
	@echo "Drawing the sample pictures (about two minutes)"
	@$(SWIFT) run -c release SamplePictures Images

# The pictures that fidelity is measured on: those of public test suites where they are, else ours.
CORPUS ?= $(firstword $(wildcard ../shared/corpus) Images)

.PHONY: fidelity
fidelity: build ## Compare every rendition with an independent reference; CORPUS=folder
	$(call install,$(TEST_PACKAGES))
	@echo "Comparing the renditions of $(CORPUS) with an independent reference"
	@rm -rf .build/fidelity && mkdir -p .build/fidelity bench/results
	@.build/release/thimble batch $(CORPUS) --container .build/fidelity/container \
	    --cap 4GiB --timeout 600 >.build/fidelity/log 2>&1 \
	    || [ $$? -eq 3 ] || { cat .build/fidelity/log; exit 1; }
	@/usr/bin/python3 bench/fidelity/contactsheet.py --container .build/fidelity/container \
	    --output .build/fidelity/contactsheet.png
	@/usr/bin/python3 bench/fidelity/fidelity.py --sources $(CORPUS) \
	    --container .build/fidelity/container --report bench/results/fidelity.md

.PHONY: throughput
throughput: build ## Measure speed beside vipsthumbnail and the floor
	$(call install,$(BENCH_PACKAGES))
	@echo "Measuring speed (about two minutes)"
	@$(SWIFT) run -c release throughput-benchmark --photographs $(CORPUS) --write

.PHONY: latency
latency: build ## Measure how long a payload waits for its answer, beside vipsthumbnail
	$(call install,$(BENCH_PACKAGES))
	@echo "Measuring how long a payload waits (a minute)"
	@$(SWIFT) run -c release throughput-benchmark latency --photographs $(CORPUS) \
	    --thimble .build/release/thimble --write

.PHONY: payloads
payloads: build ## Measure how fast payloads without pictures, and garbage, pass the stage
	@python3 bench/payloads/payloads.py --thimble .build/release/thimble

.PHONY: decoding-time
decoding-time: build bench-corpus ## Measure the rates that decoding time is estimated with
	@echo "Measuring decoding time (about ten minutes)"
	@/usr/bin/python3 bench/decoding-time/rates.py --report bench/results/decoding-time.md

# Where animations are looked for.
ANIMATIONS ?= Images $(wildcard ../shared/corpus)

.PHONY: animations
animations: build ## Measure animations beside gifsicle and vipsthumbnail, into bench/results
	$(call install,$(BENCH_PACKAGES) gifsicle)
	@echo "Measuring animations (about a minute)"
	@$(SWIFT) run -c release animation-benchmark $(ANIMATIONS) --write

# What a benchmark is run with; another program, or other caps, are given the same way.
THIMBLE := .build/release/thimble
THRESHOLDS := bench/thresholds/peak-memory.json

.PHONY: bench-peers
bench-peers: ## Install the tools that the benchmark stands beside
	$(call install,$(CORPUS_PACKAGES) $(shell /usr/bin/python3 bench/peers/needs.py packages))
	@[ -x .build/bench-peers/bin/pip ] || /usr/bin/python3 -m venv .build/bench-peers
	@.build/bench-peers/bin/pip install --quiet --disable-pip-version-check \
	    $(shell /usr/bin/python3 bench/peers/needs.py requirements)

.PHONY: bench-corpus
bench-corpus: ## Make the files of the benchmark in .build (three minutes, once)
	$(call install,$(CORPUS_PACKAGES))
	@/usr/bin/python3 bench/corpus/make_corpus.py --photographs $(CORPUS)

.PHONY: bench-small
bench-small:
	$(call install,$(CORPUS_PACKAGES))
	@/usr/bin/python3 bench/corpus/make_corpus.py --small --photographs $(CORPUS)

.PHONY: bench
bench: build bench-peers bench-corpus ## Measure peak memory beside all peers (an hour), into bench/results
	@echo "Measuring peak memory; Ctrl-C stops, and the next run goes on"
	@$(THIMBLE) bench .build/bench-corpus --output bench/results/peak-memory \
	    --readme README.md

.PHONY: bench-quick
bench-quick: build bench-small ## The same in seconds: small files beside vipsthumbnail, nothing written
	@$(THIMBLE) bench .build/bench-corpus-small --caps 12,24 --compare vipsthumbnail

.PHONY: bench-check
bench-check: build bench-corpus ## Fail where thimble's peak memory crosses bench/thresholds
	@$(THIMBLE) bench .build/bench-corpus --compare none --check $(THRESHOLDS)

.PHONY: bench-flat
bench-flat: build bench-small ## Follow one worker over 10,000 attachments, into bench/results
	@echo "Following one worker over 10,000 attachments"
	@$(THIMBLE) bench-flat .build/bench-corpus-small --output bench/results/flat-memory

# How many writers are killed, how long they crowd, and how many notifications there are.
KILLS ?= 1000
CROWDED ?= 180
NOTIFICATIONS ?= 100000

.PHONY: torture
torture: ## Kill, crowd, fill and grow a container for minutes, and check it
	@echo "Building container-torture (release)"
	@$(SWIFT) build -c release --product container-torture $(LAYERS)
	@.build/release/container-torture kill --kills $(KILLS)
	@.build/release/container-torture crowd --seconds $(CROWDED)
	@.build/release/container-torture full
	@.build/release/container-torture scale --notifications $(NOTIFICATIONS)

# The files that fuzzing and mutating begin with, and what makes them.
SEEDS := .build/seeds
FUZZ_BUILD := .build/fuzz/build
# How long each parser is fuzzed, and which: names that `bench/fuzz` knows, or all.
SECONDS_EACH ?= 60
TARGETS ?= all
# How many pictures are mutated, by what seed, and what workers are allowed; where the kernel does
# not have all of the sandbox, SANDBOX=auto.
MUTANTS ?= 20000
SEED ?= 1
SANDBOX ?= require

.PHONY: seeds
seeds:
	$(call install,$(TEST_PACKAGES))
	@/usr/bin/python3 bench/seeds/make_seeds.py $(SEEDS) --corpus $(CORPUS)

.PHONY: fuzz
fuzz: setup seeds ## Fuzz every parser of ours; SECONDS_EACH=60 TARGETS="gif probe"
	@echo "Building the fuzzer (some minutes, once)"
	@# Of two sanitizers given apart, Swift's compiler takes the last; the package manager must know
	@# of the fuzzer, which brings the program's main function.
	@THIMBLE_FUZZ=1 $(SWIFT) build --scratch-path $(FUZZ_BUILD) -c release --product fuzz \
	    --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address
	@/usr/bin/python3 bench/fuzz/campaign.py --program $(FUZZ_BUILD)/release/fuzz --seeds $(SEEDS) \
	    --work .build/fuzz --seconds $(SECONDS_EACH) --targets "$(TARGETS)"

.PHONY: mutants
mutants: build seeds ## Decode 20,000 damaged pictures in sandboxed workers; MUTANTS= SEED=
	@echo "Building mutants (release)"
	@$(SWIFT) build -c release $(STATIC) --product mutants $(LAYERS)
	@.build/release/mutants run $(SEEDS) --count $(MUTANTS) --seed $(SEED) \
	    --sandbox $(SANDBOX)
	@# Under the other enforcement of the kernel's, allocations fail where the first one kills.
	@.build/release/mutants run $(SEEDS) --count $$(($(MUTANTS) / 4)) --seed $(SEED) \
	    --sandbox $(SANDBOX) --enforce rlimit
	@.build/release/mutants batch $(SEEDS) --count 1000 --seed $(SEED)

# The number of cases of the matrix, drawn by SEED (0 for all); the words that they must have, such as
# heic-grid, 12MiB or rlimit; and the number at a time.
COUNT ?= 0
FILTER ?=
JOBS ?= 2

.PHONY: matrix
matrix: build ## Check the peak of every option under every cap (12 hours); COUNT=2000 SEED= FILTER= JOBS=
	$(call install,$(TEST_PACKAGES))
	@echo "Building cap-matrix (release)"
	@$(SWIFT) build -c release $(STATIC) --product cap-matrix $(LAYERS)
	@/usr/bin/python3 bench/matrix/make_pictures.py .build/matrix
	@.build/release/cap-matrix .build/matrix --count $(COUNT) --seed $(SEED) --jobs $(JOBS) \
	    $(addprefix --filter ,$(FILTER))

# Of these the toolchain has address and thread for Swift; C is made to trap on undefined behaviour.
SANITIZERS ?= address thread undefined

.PHONY: sanitize
sanitize: setup seeds ## Run the tests under sanitizers; SANITIZERS="address thread undefined"
	@SEEDS=$(SEEDS) bench/sanitize/sanitize.sh $(SANITIZERS)

.PHONY: nightly
nightly: ## Run the long campaigns: mutants, sanitizers, torture, fuzzing, thresholds, matrix (hours)
	@$(MAKE) --no-print-directory mutants SANDBOX=auto
	@$(MAKE) --no-print-directory sanitize
	@$(MAKE) --no-print-directory torture
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory bench-check
	@$(MAKE) --no-print-directory matrix COUNT=10000

.PHONY: format
format: ## Format every source file
	@echo "Formatting"
	@$(SWIFT) format --in-place --recursive --parallel $(SOURCES)
