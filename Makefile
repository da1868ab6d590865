# `make demo` and `make test` install what they need; `make help` lists all targets.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help
# No target is a file. One after the other, because SwiftPM and apt lock their folders.
.PHONY: $(shell sed -nE 's/^([a-z-]+):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
.NOTPARALLEL:

SWIFT ?= swift
# Only declared dependencies may be imported, so that the compiler checks the package's layers.
# thimble-server is a package of its own, built in the same folder, so that it shares the modules; SwiftPM
# would otherwise take its cached description of the other package, and build nothing of this one.
LAYERS := --explicit-target-dependency-import-check error --disable-build-manifest-caching
# A static Swift runtime saves 0.5 MB in the worker, and needs no Swift on the machine.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
# C names its files in assertions; without the folder, two folders give the same programs.
RELEASE := -c release $(STATIC) $(LAYERS) -debug-info-format none -Xcc "-ffile-prefix-map=$(CURDIR)/="
BUILT := .build/release
# For --version of the programs.
COMMIT = THIMBLE_COMMIT=$(shell git rev-parse --short=12 HEAD 2>/dev/null)
# Tests decode pictures of 200 megapixels, and whole modules compile in two thirds of the time, so
# tests are built for release too, but with internal declarations visible to them. An index for
# editors would cost a fifth of the compiler's time.
TESTED_FOLDER := .build/tested
TESTED := --scratch-path $(TESTED_FOLDER) -c release $(LAYERS) -debug-info-format none -Xswiftc -enable-testing --disable-index-store
# One suite is built without optimisation, in a folder of its own: seconds after a change in one module.
FILTERED := .build/filtered $(LAYERS) -debug-info-format none --disable-index-store
SERVER_PACKAGE := --package-path Sources/Server
SOURCES := Package.swift Sources Tests bench Examples
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# Pictures for measurements: those of public test suites if available, else the samples.
CORPUS ?= $(firstword $(wildcard ../shared/corpus) Images)
# Seed of campaigns that draw cases, number of parallel ones, and files for fuzzing and mutating.
SEED ?= 1
JOBS ?= 2
SEEDS := .build/seeds
# For the scripts of the recipes, which get variables of the command line anyway.
export SWIFT SOURCES CORPUS SEED JOBS SEEDS

# packages-LIST installs a list of packages.txt; program-NAME builds a program of `bench` for release.
packages-%:
	@Tests/Support/install.sh $*

program-%:
	@echo "Building $* (release)"
	@$(COMMIT) $(SWIFT) build $(RELEASE) --product $*

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: packages-build
server-setup: packages-server

build: setup ## Build the thimble command and its workers for release
	@echo "Building thimble (release)"
	@# The linker removes unused code and, by -s, symbols. Building all programs at once takes less
	@# time than two of them one after the other.
	@$(COMMIT) THIMBLE_INSTALLED=1 $(SWIFT) build $(RELEASE) -Xlinker -s

server: build server-setup ## Build thimble-server for release, beside the workers (five minutes, once)
	@echo "Building thimble-server (release)"
	@$(COMMIT) $(SWIFT) build $(SERVER_PACKAGE) --scratch-path .build $(RELEASE) -Xlinker -s --product thimble-server

install: ## Install the built programs; PREFIX=/usr/local DESTDIR=
uninstall: ## Remove what `make install` installed; PREFIX= DESTDIR=
package: build server packages-package ## Make Debian packages for this release of Debian, and a tarball, in .build/packages
install uninstall package:
	@Packaging/$@.sh $(BUILT)

package-test: package packages-package-test ## Build packages for Debian 13 too, and install, use and purge them in empty roots of 12 and 13, as root
	@$(SUDO) Packaging/package_for.sh trixie
	@$(SUDO) Packaging/package_test.sh bookworm trixie

first-minutes: package packages-package-test ## Run the commands of the pages TenMinutes*.md, each in an empty Debian 12 with the packages, as root
	@$(SUDO) Packaging/first_minutes_test.sh

library-test: setup ## Use the package as others do, outside the checkout: Examples/Worker, the listings of the pages, what is fetched
	@Tests/Library/run.sh

release-check: packages-release-check ## Check version, changelog and licences, and build the packages twice (half an hour)
	@Tests/Support/python.sh spdx-tools
	@Packaging/release_check.sh

api-check: setup ## Compare public declarations with the last release (half an hour); SINCE=commit lists changes since it
	@Packaging/api_changes.sh $(SINCE)

server-image: server packages-server-image ## Assemble the file system of the image by debootstrap, and start the service in it (two minutes, as root)
server-operating: server packages-server-operating ## Run the commands of Examples/Server/OPERATING.md in an empty Debian 12, as root
server-image server-operating:
	@$(SUDO) Examples/Server/$(@:server-%=%)_test.sh $(BUILT)

server-demo: server packages-server-demo ## Start thimble-server, stage a payload, and fetch the published rendition
	@Examples/Server/demo.sh $(BUILT) .build/server-demo.jpg

DEMO_CONTAINER ?= .build/demo-container
demo: build ## Process the files of Images/ into a shared container and list it
	@echo "Processing Images/ into $(DEMO_CONTAINER)"
	@rm -rf $(DEMO_CONTAINER)
	@# Exit code 3, because two of the files are intentionally broken.
	@$(BUILT)/thimble batch Images --container $(DEMO_CONTAINER) || [ $$? -eq 3 ]
	@$(BUILT)/thimble container list --container $(DEMO_CONTAINER)
	@$(BUILT)/thimble container verify --container $(DEMO_CONTAINER)

# The suites or tests to run, as a regular expression; all by default. Those of SELECTED are built for release.
FILTER ?=
test: packages-server packages-test packages-server-test ## Run every test, or some: FILTER=ManifestTests, or optimised SELECTED=GIFTests
	@echo "Building the tests"
	@$(if $(FILTER),Tests/filtered.sh "$(FILTER)" $(FILTERED),$(SWIFT) build --build-tests $(TESTED) \
	    && $(SWIFT) build --build-tests $(SERVER_PACKAGE) $(TESTED) \
	    && echo "Running the tests" && Tests/run.sh $(TESTED_FOLDER)/release "$(SELECTED)")

fleet-demo: server packages-fleet ## Start RabbitMQ, a store and two workers, submit Images/, and show the results; NODES=1
	@Tests/Support/python.sh boto3
	@Examples/Fleet/demo.sh $(BUILT) $(or $(NODES),1)

fleet-test: ## Run fleet-demo with three joined nodes of RabbitMQ, one of the workers killed
	@$(MAKE) --no-print-directory fleet-demo NODES=3

fleet-torture: server packages-fleet-measuring ## Kill, suspend and cut off parts of a fleet at random (hours, as root); FLEET_JOBS= FLEET_SECONDS= FLEET_OUTAGE= SEED=
fleet-bench: server packages-fleet-measuring ## Measure scaling, overhead and transactional jobs of a fleet, as root; CORPUS=folder
fleet-torture fleet-bench:
	@bench/fleet/run.sh $(@:fleet-%=%)

server-test: packages-server packages-server-test ## Run every test of thimble-server, or some: FILTER=StreamTests
	@echo "Building the tests of thimble-server (five minutes, once)"
	@$(SWIFT) build --build-tests $(SERVER_PACKAGE) $(TESTED)
	@echo "Running the tests of thimble-server"
	@$(TESTED_FOLDER)/release/thimble-serverPackageTests.xctest --testing-library swift-testing \
	    --no-parallel $(if $(FILTER),--filter "$(FILTER)") | sed -u 's/\x1b\[[0-9;]*m//g'

page-test: server packages-browser ## Click through the page in headless Chromium, and validate all HTML; SCREENSHOTS=folder keeps pictures, PATIENCE=3 triples times
	@Sources/Server/Tests/Browser/run.sh

test-thorough: ## Run every case of the tests of which `make test` runs a selection
	@THIMBLE_THOROUGH=1 $(MAKE) --no-print-directory test \
	    SELECTED="$$(grep -rl 'Thoroughness.isFull' Tests bench | sed -E 's|.*/(.*)\.swift|\1|' | paste -sd '|')"

lint: packages-lint ## Check format, file lengths, documentation, linked libraries, fuzzer and Apple code
	@Tests/Lint/run.sh $(TESTED_FOLDER) $(TESTED)
	@$(MAKE) --no-print-directory docs

# Path under which the documentation will be served, such as `thimble`; by default the root.
DOCS_BASE ?=
docs: setup ## Build the documentation as a static site in .build/docs/site, warnings as errors; DOCS_BASE=path
	@echo "Building the documentation"
	@# With the flags of the tests, because others would compile every module again, twice.
	@THIMBLE_DOCS=1 $(SWIFT) package $(TESTED) dump-symbol-graph --minimum-access-level public >.build/symbols.log 2>&1 \
	    || { cat .build/symbols.log; exit 1; }
	@Examples/Documentation/build.sh $(TESTED_FOLDER)/release/../symbolgraph .build/docs "$(DOCS_BASE)"
recording: build ## Record the terminal of the README again
	@rm -rf .build/recorded
	@Examples/Pictures/record.py $(BUILT) Examples/Pictures/terminal.svg <Examples/Pictures/commands.txt

pictures: setup program-SamplePictures ## Draw the sample pictures of Images/ again
	@echo "Drawing the sample pictures (about two minutes)"
	@$(BUILT)/SamplePictures Images
map: ## Draw the modules and their imports again, for CONTRIBUTING
	@Tests/Lint/module_map.py Examples/Pictures/modules.svg

bench-python: ## Install the Python packages of benchmarks in .build: SSIMULACRA2, Pillow, OpenCV, libvips
	@Tests/Support/python.sh --each bench/python.txt
# The steps of a measurement or campaign are in bench/NAME/run.sh, with the meanings and defaults of its variables.
bytes ceilings cold decoding-time fidelity folders foreign fuzz inline matrix mutants png-search private quality sanitize stacks target-score torture:
	@bench/$@/run.sh
fidelity: build bench-python packages-test ## Compare every rendition with an independent reference; CORPUS=folder
bytes: setup bench-python packages-bytes program-jpeg-encoder-benchmark ## Compare bytes of encoders of JPEG at equal scores, over 40 pictures (a quarter of an hour); JOBS=2
ceilings: build bench-python packages-bytes program-jpeg-encoder-benchmark ## Compare renditions at byte ceilings with the best size and quality (five minutes); JOBS=2
target-score: build bench-python packages-bytes ## Measure how close --target-score comes, over 200 pictures (ten minutes); CORPUS=folder JOBS=2
inline: build bench-python packages-inline program-inline-pictures ## Score 100 pictures inside payloads, and compare decoders; SET=tuning PHOTOGRAPHS=folder
quality: build bench-python packages-test program-jpeg-encoder-benchmark ## Judge photographs at ten widths by SSIMULACRA2, beside other tools (half an hour); JOBS=2
throughput: build bench-python packages-corpus program-throughput-benchmark ## Compare speed with vipsthumbnail, libjpeg-turbo and others, and by format
latency: build packages-test program-throughput-benchmark ## Compare the latency of a payload with vipsthumbnail
throughput latency:
	@bench/throughput/run.sh $@
private: packages-private program-private-benchmark ## Compare deliveries of encrypted pictures with public ones, as root, into bench/results; ROUNDS=11
cold: build ## Measure the first picture after a start, with a cold page cache, as root
payloads: build ## Measure the throughput of payloads without pictures and of invalid ones
	@python3 bench/payloads/payloads.py --thimble $(BUILT)/thimble
campaign: build ## Measure many payloads with few pictures; SOAK=5000000 BEFORE=thimble
	@bench/payloads/campaign.sh
folders: build packages-test ## Measure a batch of 20,000 pictures and one of a million files; PICTURES= FILES=
png-search: bench-python ## Measure the searches for repetitions in PNGs
decoding-time: build bench-corpus ## Measure the rates for estimates of decoding time
animations: build bench-python packages-animations program-animation-benchmark ## Compare animations with gifsicle and vipsthumbnail, into bench/results
	@bench/animation/run.sh

server-load: server packages-server-load ## Overload thimble-server with 4,096 connections for a minute; CONNECTIONS=
server-floods: server ## Flood thimble-server with clients that do not read or send slowly; FLOOD_SECONDS=
server-api: server ## Check thimble-server against its /openapi.json with schemathesis; EXAMPLES=100 SEED=
server-soak: server packages-server-soak ## Send 2 million mixed requests to thimble-server and watch for leaks (half an hour); REQUESTS= MINUTES=
server-deadlines: server packages-server-soak ## Send 2 million requests with deadlines to thimble-server and watch its memory (half an hour); REQUESTS=
server-peers: server bench-python packages-server-peers ## Compare thimble-server with nginx's image filter, Thumbor and libvips of PyPI (half an hour); PHOTOGRAPHS=
server-load server-floods server-api server-soak server-deadlines server-peers:
	@bench/server/run.sh $(@:server-%=%)

# Program and thresholds of the memory benchmark.
THIMBLE := $(BUILT)/thimble
THRESHOLDS := bench/thresholds/peak-memory.json

bench-peers: bench-python ## Install the tools that the benchmark compares with
	@bench/peers/install.sh
bench-corpus: packages-corpus ## Create the files of the benchmark in .build (three minutes, once)
	@/usr/bin/python3 bench/corpus/make_corpus.py --photographs $(CORPUS)
bench-small: packages-corpus
	@/usr/bin/python3 bench/corpus/make_corpus.py --small --photographs $(CORPUS)

bench: build bench-peers bench-corpus ## Compare peak memory with all tools (one hour), into bench/results and README.md
	@echo "Measuring peak memory; after Ctrl-C the next run continues"
	@$(THIMBLE) bench .build/bench-corpus --output bench/results/peak-memory
	@bench/readme/update.py bench/results/peak-memory README.md

bench-own: build bench-python bench-corpus ## Measure thimble again, beside the last results of all other tools (minutes)
	@$(THIMBLE) bench .build/bench-corpus --output bench/results/peak-memory \
	    --others-from $(lastword $(sort $(wildcard bench/results/peak-memory/*.json)))
	@bench/readme/update.py bench/results/peak-memory README.md

bench-quick: build bench-small ## Compare peak memory in seconds: small files, vipsthumbnail only, no results written
	@$(THIMBLE) bench .build/bench-corpus-small --caps 12,24 --compare vipsthumbnail

bench-check: build bench-corpus ## Fail if thimble's peak memory crosses bench/thresholds
	@$(THIMBLE) bench .build/bench-corpus --compare none --check $(THRESHOLDS)

bench-flat: build bench-small ## Record one worker's footprint over 10,000 attachments, into bench/results
	@echo "Recording one worker over 10,000 attachments"
	@$(THIMBLE) bench-flat .build/bench-corpus-small --output bench/results/flat-memory

torture: program-container-torture ## Stress a container with kills, concurrency, a full disk and growth (minutes)
seeds: packages-test
	@/usr/bin/python3 bench/seeds/make_seeds.py $(SEEDS) --corpus $(CORPUS)
fuzz: setup seeds ## Fuzz every parser; SECONDS_EACH=60 TARGETS="gif probe"
inline-mutants: setup seeds ## Read and decode 1,000,000 damaged pictures inside payloads under the address sanitizer; RUNS=
	@RUNS=$(or $(RUNS),1000000) TARGETS="inline-picture inline-picture-rows inline-picture-unit" bench/fuzz/run.sh
mutants: build seeds program-mutants ## Decode 20,000 damaged pictures in sandboxed workers (three minutes); MUTANTS= SEED= PRESETS=
stacks: build seeds ## Measure the deepest stack of the workers by kind of picture, as root
matrix: build packages-test program-cap-matrix ## Check the peak of every option under every cap (a day); COUNT=2000 SEED= FILTER= JOBS= PRESETS=
foreign: build packages-test ## Compare every answer about a folder of strangers' files with independent decoders (half an hour); FOLDER= JOBS=
sanitize: setup seeds ## Run the tests under sanitizers; SANITIZERS="address thread undefined"

store-test: build packages-store-test ## Publish to OpenStack Swift and moto: killed, slow, full, of another time, by TLS (five minutes)
	@Tests/Support/python.sh 'moto[server]' boto3
	@Tests/AttachmentStoreTests/real_stores.sh $(BUILT)

nightly: ## Run the long campaigns: mutants, sanitizers, torture, fuzzing, thresholds, matrix, server (hours)
	@grep -v '^#' .ci/nightly.txt | while read -r part; do \
	    $(MAKE) --no-print-directory $$part </dev/null || exit 1; \
	done

format: ## Format every source file
	@echo "Formatting"
	@$(SWIFT) format --in-place --recursive --parallel $(SOURCES)
