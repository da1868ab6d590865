#!/usr/bin/env bash
# Prints the version of this checkout, as the programs have it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^ *public static let version = "([0-9]+\.[0-9]+\.[0-9]+)"$/\1/p' Sources/Options/Release/Release.swift)
[ -n "$version" ] || { echo "Release.swift has no semantic version" >&2; exit 1; }
echo "$version"
