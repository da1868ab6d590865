#!/usr/bin/env bash
# Type-checks code that is compiled only on Apple's platforms: the modules of the package, the example and
# the code of the guide. Apple's modules are declarations (*.swiftinterface) beside this script. The
# argument is a build folder, which has the packages that ours depends on.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Tests/AppleStubs/functions.sh "$1"

delivery="AttachmentContainer AttachmentModel NotificationDelivery NotificationPayload"
pipeline="AttachmentImageIO AttachmentPipeline AttachmentVips"

# adapter MODULE "IMPORTS": checks a module against the strict protocols, and emits it.
adapter() {
    local files
    mapfile -t files < <(find "Sources/$1" -name '*.swift' | sort)
    check strict "$1" "$2" "${files[@]}"
    module "$1" >/dev/null
}

begin macOS
core
adapter NotificationAdapters "$delivery AttachmentImageIO"

begin iOS
core
# The content extension may use the container and read the note, but neither pipeline nor delivery.
adapter NotificationContentAdapter "AttachmentContainer NotificationPayload"
adapter NotificationAdapters "$delivery AttachmentImageIO"

example=Examples/DailyPick
check strict DailyPickApp "$delivery AttachmentImageIO NotificationAdapters" "$example"/{Shared,App}/*.swift
check strict DailyPickService "NotificationAdapters" "$example"/{Shared,Service}/*.swift
check strict DailyPickContent "NotificationContentAdapter" "$example"/{Shared,Content}/*.swift

# Blocks of the README and the guide that begin with an import are complete files.
guide=Sources/NotificationDelivery/NotificationDelivery.docc/ApplePlatforms.md
awk -v work="$work" '
    /^```swift/ { if ((getline line) > 0 && line ~ /^import /) { inside = ++count; $0 = line } }
    /^```$/ { inside = 0 }
    inside { print > (work "/Guide" inside ".swift") }' README.md "$guide"
[ -e "$work/Guide9.swift" ] || broken "README.md and $guide have fewer than nine whole files of Swift"
for file in "$work"/Guide*.swift; do
    check "$(basename "$file" .swift)" "$delivery $pipeline NotificationAdapters NotificationContentAdapter" "$file"
done

Tests/AppleStubs/ObjectiveC/check.sh

# The workflow for Apple's platforms builds every product.
for product in $(sed -n '/products: \[/,/\]\.map/p' Package.swift | grep -o '"[A-Za-z]*"' | tr -d '"'); do
    grep -qw "$product" .github/workflows/apple.yml || { echo "apple.yml does not build $product"; exit 1; }
done

# Wrong sources must be errors, or this check finds nothing. Their first lines name the error, and
# Right.swift has the same code without the faults.
check strict Right "" "$stubs/Faults/Right.swift"
for file in "$stubs"/Faults/Wrong*.swift; do
    expected=$(sed -n '1s|^// error: ||p' "$file")
    [ -n "$expected" ] || broken "$file names no error"
    ! (check strict Wrong "" "$file") >"$work/wrong.log" 2>&1 || broken "it found no error in $file"
    grep -qF "error: $expected" "$work/wrong.log" \
        || { cat "$work/wrong.log"; broken "it found another error in $file"; }
done
