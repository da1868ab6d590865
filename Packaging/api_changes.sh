#!/usr/bin/env bash
# Compares the public declarations of the libraries with those of the last release, or of COMMIT: api_changes.sh [COMMIT]
#
# Fails if declarations have changed or gone, and the version is not raised as Semantic Versioning asks for: the minor
# number before 1.0.0, the major one after. With a commit, it lists the changes only.
#
# Needs git; it compiles both versions in .build/api (about twenty minutes).
set -euo pipefail
cd "$(dirname "$0")/.."
before=${1:-$(git describe --tags --match 'v[0-9]*' --exclude "v$(Packaging/version.sh)" --abbrev=0 2>/dev/null || true)}
[ -n "$before" ] || { echo "No earlier version has a tag: there is nothing to compare with"; exit 0; }
git rev-parse -q --verify "$before^{commit}" >/dev/null || { echo "there is no commit $before" >&2; exit 1; }

report=$(mktemp)
trap 'rm -f "$report"' EXIT
echo "Comparing public declarations with those of $before"
# Besides changes, it has an exit code for everything that fails.
"${SWIFT:-swift}" package --scratch-path .build/api diagnose-api-breaking-changes "$before" >"$report" 2>&1 || failed=$?
grep -E 'API breakage:|breaking changes' "$report" | sed 's/^ *//' || true
grep -q 'breaking change' "$report" || [ -z "${failed:-}" ] \
    || { tail -n 20 "$report" >&2; echo "the comparison failed" >&2; exit 1; }

# compatible VERSION: the part of a version that incompatible changes raise.
compatible() { sed -E 's/^v?(0\.[0-9]+|[1-9][0-9]*)\..*/\1/' <<<"$1"; }
[ -z "${failed:-}" ] || [ $# = 1 ] || [ "$(compatible "$before")" != "$(compatible "$(Packaging/version.sh)")" ] || {
    echo "raise the version in Sources/Options/Release/Release.swift, or keep these declarations" >&2
    exit 1
}
