#!/usr/bin/env bash
# Type-checks the modules below the adapters as Apple's compiler sees them: with the code under
# canImport(Darwin) and without the code for Linux. Declarations of Darwin are beside this script.
# Arguments: a build folder, which has the packages that ours depends on, and platforms (iOS, macOS).
set -euo pipefail
cd "$(dirname "$0")/../../../.."
. Tests/Support/AppleStubs/functions.sh "$1"
shift
[ $# -gt 0 ] || set -- iOS macOS

for platform in "$@"; do
    begin "$platform"
    core
done
