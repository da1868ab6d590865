#!/usr/bin/env bash
# Builds and runs the suites or tests that a regular expression names: filtered.sh FILTER FOLDER [OPTION of swift build]...
#
# They are built without optimisation: after a change in one module only its files are compiled again, and the programs
# linked, in seconds; for release every module above it is compiled whole, in minutes. Decoding takes several times as
# long here, C apart.
set -euo pipefail
cd "$(dirname "$0")/.."
filter=$1
folder=$2
shift 2

# named FOLDER...: whether a source in these folders, or its path, has a name of the filter. The filter may begin with
# a module and an end of its name, as in ^(ModuleTests)\.
named() {
    local text=${filter//\\./}
    find "$@" -name '*.swift' | grep -qE -- "${text#^}" || grep -rqE --include='*.swift' -- "${text#^}" "$@"
}

build() { "${SWIFT:-swift}" build --build-tests --scratch-path "$folder" -c debug -Xcc -O2 "$@"; }

packages=()
! named Tests bench/Tests || packages+=(package)
! named Sources/Server/Tests || packages+=(service)
[ ${#packages[@]} -gt 0 ] || packages=(package service)
for one in "${packages[@]}"; do
    case $one in
        package) build "$@" ;;
        service) build --package-path Sources/Server "$@" ;;
    esac
done
echo "Running the tests"
Tests/run.sh "$folder/debug" "$filter" "${packages[@]}"
