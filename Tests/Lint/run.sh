#!/usr/bin/env bash
# Checks that sources, scripts and lists are in order, and that everything compiles: run.sh SCRATCH_FOLDER FLAG...
# The flags of `swift build` are those of the tests, so that little is compiled again. SOURCES are the folders of Swift.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1 flags=("${@:2}") swift=${SWIFT:-swift}

echo "Checking the format"
# Folders are separated by spaces.
# shellcheck disable=SC2086
"$swift" format lint --strict --recursive --parallel $SOURCES
Tests/Lint/sources.sh
Tests/Lint/scripts.sh
Tests/Lint/lists.py --self-test
Tests/Lint/module_map.py --check Examples/Pictures/modules.svg
echo "Building every program"
"$swift" build --quiet "${flags[@]}"
"$swift" build --quiet --package-path Sources/Server "${flags[@]}" --product thimble-server
"$swift" build --quiet --package-path Examples/Worker "${flags[@]}"
Tests/Lint/programs.sh "$folder/release"
Examples/Server/units_test.sh
Examples/Server/Monitoring/rules_test.sh
echo "Checking that the package for sanitizers is complete"
! THIMBLE_SANITIZE=address "$swift" package --scratch-path "$folder" show-dependencies 2>&1 | grep '^error' || exit 1
echo "Checking that the fuzzer compiles"
THIMBLE_FUZZ=none "$swift" build "${flags[@]}" --quiet --target fuzz
echo "Type-checking the code for Apple platforms against stubs of their modules"
Tests/Support/AppleStubs/type_check.sh "$folder/release"
