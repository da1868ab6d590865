#!/usr/bin/env bash
# Checks that the last commit can be released:
#
# - The changelog's first section is of the programs' version: `[VERSION] - DATE`, or `[Unreleased] VERSION` before the
#   tag vVERSION. Pages, Examples/Worker and the formula for Homebrew name the same version.
# - The licence of each package of Swift is known, and the list in SPDX is complete.
# - Two builds in two folders give the same packages, byte for byte.
#
# The second folder's path is as long as this one's. Swift's check of withoutActuallyEscaping has the length of its
# file's path, though not the path, so that programs differ in a few bytes if the lengths do.
#
# Needs git, python3, and what package.sh needs; ruby and brew check the formula where they are.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD

fail() { echo "$1" >&2; exit 1; }

[ -z "$(git status --porcelain)" ] || fail "the checkout has changes that are not committed"
version=$(Packaging/version.sh)
echo "Checking version $version"
section=$(grep -m1 '^## ' CHANGELOG.md)
tags=$(git tag --points-at HEAD)
if [[ $section =~ ^'## ['(.*)'] - '[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then
    [ "${BASH_REMATCH[1]}" = "$version" ] || fail "CHANGELOG.md begins with $section, not with version $version"
elif [ "$section" != "## [Unreleased] $version" ]; then
    fail "CHANGELOG.md begins with $section; it must be '## [Unreleased] $version' or '## [$version] - YYYY-MM-DD'"
elif grep -qxF "v$version" <<<"$tags"; then
    fail "v$version is a tag of this commit, so CHANGELOG.md must have the date instead of [Unreleased]"
fi
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || grep -qxF "v$version" <<<"$tags" \
    || fail "v$version is a tag of another commit; raise the version"
awk '/^## / { count++ } count == 1 && /^- / { found = 1 } END { exit !found }' CHANGELOG.md \
    || fail "CHANGELOG.md has no change in its first section"
formula=Examples/Homebrew/thimble.rb
named=$(git grep -nE 'example\.org/thimble(", from: "|/archive/refs/tags/v)[0-9]' -- '*.md' '*.swift' "$formula")
[ "$(wc -l <<<"$named")" -ge 3 ] || fail "the check itself is broken: too few places name the version: $named"
! grep -vE "(from: \"|/v)${version//./\\.}(\"|\.tar\.gz)" <<<"$named" || fail "these lines name another version than $version"
! command -v ruby >/dev/null || ruby -c "$formula" >/dev/null
! command -v brew >/dev/null || brew style "$formula"

# A path as long as this one, with the same last name, from which SwiftPM derives that of the package.
folder=${TMPDIR:-/tmp} name=${checkout##*/}
spare=$((${#checkout} - ${#folder} - ${#name} - 2))
[ "$spare" -ge 3 ] || fail "$checkout is too short for another path of its length below $folder; name a shorter TMPDIR"
work=$(mktemp -d "$folder/$(printf 'X%.0s' $(seq "$spare"))")
trap 'rm -rf "$work"' EXIT

# packages CHECKOUT: makes the packages of a checkout.
packages() {
    echo "Making the packages in $1"
    make -C "$1" --no-print-directory package >"$work/log" 2>&1 \
        || { tail -n 20 "$work/log" >&2; fail "they cannot be made"; }
}

# contents FOLDER PACKAGES: unpacks packages, so that a difference has a name.
contents() {
    local file unpacked
    for file in "$2"/*; do
        unpacked=$1/${file##*/}
        mkdir -p "$unpacked"
        case $file in
            *.deb) dpkg-deb --raw-extract "$file" "$unpacked" ;;
            *.tar.gz) tar -C "$unpacked" -xf "$file" ;;
            *) cp "$file" "$unpacked" ;;
        esac
    done
}

git clone --quiet "$checkout" "$work/$name"
packages "$checkout"
packages "$work/$name"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
first=$checkout/.build/packages/$release second=$work/$name/.build/packages/$release
if ! cmp -s "$first/SHA256SUMS" "$second/SHA256SUMS"; then
    contents "$work/first" "$first"
    contents "$work/second" "$second"
    (cd "$work" && diff -rq first second) >&2 || true
    fail "two builds give different packages"
fi
for list in "$first"/*.spdx.json; do
    .build/python/bin/pyspdxtools --infile "$list" || fail "$list is not valid SPDX"
done
"$checkout/.build/release/thimble" --version | grep -qx "thimble $version" || fail "the programs have another version"
(cd "$first" && sha256sum --check --quiet SHA256SUMS && cat SHA256SUMS)
echo "Version $version can be released"
