#!/usr/bin/env bash
# Uses the last commit as other packages do, outside the checkout, from a clone with nothing beside it:
#
# - Examples/Worker is built and run, with its workers and without.
# - Each listing in Swift of the pages is compiled, with the products that it names.
# - What a dependent package fetches is compared with a list.
#
# Needs the network, git and python3.
set -euo pipefail
cd "$(dirname "$0")/../.."
checkout=$PWD swift=${SWIFT:-swift}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/thimble-library-XXXXXX")
trap 'rm -rf "$work"' EXIT
log=$work/log

fail() { echo "$1" >&2; shift; [ $# = 0 ] || tail -n 20 "$@" >&2; exit 1; }

# fetches PACKAGE EXPECTED: fails unless the resolved dependencies of a package are the expected ones.
fetches() {
    local found
    found=$(python3 -c '
import json, sys
state = json.load(open(sys.argv[1]))
print(*sorted(dependency["packageRef"]["identity"] for dependency in state["object"]["dependencies"]))
' "$1/.build/workspace-state.json")
    echo "  fetched: $found"
    [ "$found" = "$2" ] || fail "the expected list is: $2"
}

version=$(Packaging/version.sh)
git clone --quiet "$checkout" "$work/thimble"
git -C "$work/thimble" tag --force "$version" >/dev/null

# The template's comment has the line for other packages.
program=$work/program
cp -r "$work/thimble/Examples/Worker" "$program"
line=$(sed -n 's|^// Elsewhere, name the repository: ||p' "$program/Package.swift")
[[ $line == *"from: \"$version\""* ]] || fail "Examples/Worker/Package.swift names another version than $version: $line"
dependency=${line/https:\/\/example.org/file:\/\/$work}
sed -i "s|^let thimble = .*|let thimble = Package.Dependency$dependency|" "$program/Package.swift"
grep -qF "$dependency" "$program/Package.swift" || fail "Examples/Worker/Package.swift has another line for the package"

echo "Resolving what an app links"
mkdir -p "$work/app/Sources/App"
touch "$work/app/Sources/App/App.swift"
cat >"$work/app/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app", platforms: [.iOS(.v16), .macOS(.v13)], dependencies: [$dependency],
    targets: [
        .target(
            name: "App",
            dependencies: ["NotificationAdapters", "NotificationContentAdapter"].map {
                .product(name: \$0, package: "thimble")
            })
    ])
END
"$swift" package --package-path "$work/app" resolve >"$log" 2>&1 || fail "an app cannot resolve the package" "$log"
fetches "$work/app" "swift-argument-parser swift-log swift-subprocess swift-system thimble"

echo "Building Examples/Worker as a package of its own (five minutes)"
(cd "$program" && "$swift" build) >"$log" 2>&1 || fail "it does not build" "$log"
fetches "$program" "swift-argument-parser swift-log swift-subprocess swift-system thimble"

echo "Running it"
picture=$checkout/Images/lake-baseline.jpg
built=$program/.build/debug
"$built/make-renditions" "$picture" "$work/container" >"$log" 2>&1 || fail "it fails beside its workers" "$log"
for line in '^expanded ' '^peak '; do grep -q "$line" "$log" || fail "it made no rendition" "$log"; done
sed 's/^/  /' "$log"
mkdir "$work/alone"
cp "$built/make-renditions" "$work/alone"
! "$work/alone/make-renditions" "$picture" "$work/other" >"$log" 2>&1 || fail "it succeeds without workers" "$log"
for words in "thimble-worker in $work/alone" THIMBLE_PROGRAMS '.product(name: "thimble-worker", package: "thimble")'; do
    grep -qF -e "$words" "$log" || fail "the error without workers does not name $words" "$log"
done
THIMBLE_PROGRAMS=$built "$work/alone/make-renditions" "$picture" "$work/other" >"$log" 2>&1 \
    || fail "it fails with workers in THIMBLE_PROGRAMS" "$log"

echo "Compiling each listing with the products that it names"
Tests/Library/listings.py "$work/thimble" "$work/listings" "$dependency" | sed 's/^/  /'
# The modules of the package are built already.
"$swift" build --package-path "$work/listings" --scratch-path "$program/.build" --disable-build-manifest-caching \
    --explicit-target-dependency-import-check error >"$log" 2>&1 || fail "a listing does not compile" "$log"
