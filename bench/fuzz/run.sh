#!/usr/bin/env bash
# `make fuzz`: builds the fuzzer, and fuzzes each parser for SECONDS_EACH, or with RUNS inputs. TARGETS has names of
# `fuzz list`, or all.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=.build/fuzz/build
echo "Building the fuzzer (some minutes, once)"
# The compiler uses only the last of two separate -sanitize options. The package manager needs
# --sanitize fuzzer, because libFuzzer provides the main function.
THIMBLE_FUZZ=address "${SWIFT:-swift}" build --scratch-path $built -c release --product fuzz \
    --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing
/usr/bin/python3 bench/fuzz/campaign.py --program $built/release/fuzz --seeds "${SEEDS:-.build/seeds}" \
    --work .build/fuzz --seconds "${SECONDS_EACH:-60}" --runs "${RUNS:-0}" --targets "${TARGETS:-all}"
