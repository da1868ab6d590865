#!/usr/bin/env bash
# Type-checks code that is compiled only on Apple's platforms: the modules of the package, the example and
# the code of the guide. Apple's modules are declarations (*.swiftinterface) beside this script. The
# argument is a build folder, which has the packages that ours depends on.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. Tests/Support/AppleStubs/functions.sh "$1"

delivery="ThimbleBasics AttachmentContainer AttachmentModel NotificationDelivery NotificationPayload"
pipeline="AttachmentImageIO AttachmentPipeline AttachmentVips"

# adapter MODULE "IMPORTS": checks a module against the strict protocols, and emits it.
adapter() {
    local files
    mapfile -t files < <(find "$(folder "$1")" -name '*.swift' | sort)
    check strict "$1" "$2" "${files[@]}"
    module "$1" >/dev/null
}

begin macOS
core
adapter NotificationAdapters "$delivery AttachmentDecryption AttachmentImageIO"
floors "${extension_modules[@]}" AttachmentVips "${process_modules[@]}" NotificationAdapters

# Listings of the articles in Sources, but for whole files and modules that carry resources.
articles=()
mapfile -t found < <(find Sources -path '*.docc/*.md' | sort)
for article in "${found[@]}"; do
    case $article in */ApplePlatforms.md | */NotificationPreview.md) ;; *) articles+=("$article") ;; esac
done
listings=$modules/Listings.swift
{ cat "$stubs/Listings.swift"; awk -f "$stubs/listings.awk" "${articles[@]}"; } >"$listings"
[ "$(grep -c '^func listing' "$listings")" -ge 20 ] || broken "the articles have fewer than 20 listings"
echo "  Listings"
swiftc "${flags[@]}" -no-warnings-as-errors -suppress-warnings -package-name reader -module-name Listings -typecheck \
    "$listings"

begin iOS
core
# The content extension may use the container and read the note, but neither pipeline nor delivery.
adapter NotificationContentAdapter "AttachmentContainer AttachmentDecryption AttachmentModel NotificationPayload"
adapter NotificationAdapters "$delivery AttachmentDecryption AttachmentImageIO"

floors "${extension_modules[@]}" NotificationAdapters NotificationContentAdapter

example=Examples/DailyPick
check strict DailyPickApp "$delivery AttachmentImageIO NotificationAdapters" "$example"/{Shared,App}/*.swift
check strict DailyPickService "NotificationAdapters" "$example"/{Shared,Service}/*.swift
check strict DailyPickContent "NotificationContentAdapter" "$example"/{Shared,Content}/*.swift

example=Examples/Private
check strict MessengerApp "AttachmentContainer AttachmentDecryption NotificationAdapters" \
    "$example"/{Shared,Message,App}/*.swift
check strict MessengerService "AttachmentDecryption NotificationAdapters" "$example"/{Shared,Message,Service}/*.swift
check strict MessengerContent "NotificationContentAdapter" "$example"/{Shared,Content}/*.swift

# The files that `thimble init` writes, with their placeholders.
templates=Sources/Programs/thimble/Init/Templates
check strict InitService "NotificationAdapters" "$templates/NotificationService.swift"
check strict InitContent "NotificationContentAdapter" "$templates/NotificationViewController.swift"
check strict InitApp "" "$templates/PictureNotifications.swift"
check strict InitTuist "" "$templates/PictureNotificationTargets.swift"

# Blocks of the README, the tutorials and the guide that begin with an import are complete files. Some pages share a
# file.
guide=Sources/Notifications/Delivery/NotificationDelivery.docc/ApplePlatforms.md
awk -v work="$work" '
    /^```swift/ { if ((getline line) > 0 && line ~ /^import /) { inside = ++count; $0 = line } }
    /^```$/ { inside = 0 }
    inside { print > (work "/Guide" inside ".swift") }' README.md Examples/Documentation/Thimble.docc/*.md "$guide"
[ -e "$work/Guide11.swift" ] || broken "README, tutorials and guide have fewer than eleven whole files of Swift"
md5sum "$work"/Guide*.swift | sort | awk 'seen[$1]++ { print $2 }' | xargs -r rm
plain=("${flags[@]}")
for file in "$work"/Guide*.swift; do
    name=$(basename "$file" .swift)
    flags=("${plain[@]}")
    # An app that imports it sets the trait BinaryVips, which has these headers.
    if grep -q '^import AttachmentVips' "$file"; then flags+=(-Xcc -fmodule-map-file=Sources/C/codecs/CVips/module.modulemap); fi
    check "$name" "$delivery AttachmentDecryption $pipeline NotificationAdapters NotificationContentAdapter" "$file"
    # A new project of Xcode 26 has everything on the main actor unless it is declared otherwise.
    swiftc "${flags[@]}" -default-isolation MainActor -enable-upcoming-feature InferIsolatedConformances \
        -package-name app -module-name "$name" -typecheck "$modules/source/$file"
done
flags=("${plain[@]}")

Tests/Support/AppleStubs/ObjectiveC/check.sh

# The workflow for Apple's platforms builds everything for macOS, and for iOS what extensions and apps link.
workflow=.github/workflows/apple.yml
grep -qx '        run: swift build' $workflow || broken "$workflow does not build every product for macOS"
for module in "${extension_modules[@]}" NotificationAdapters NotificationContentAdapter; do
    # Products with the module, each declared as .modules("PRODUCT", "MODULE", ...).
    products=$(tr -d '\n ' <Package.swift | grep -oE '\.modules\([^)]*\)' | grep -F "\"$module\"" | cut -d '"' -f 2 | head -n 1)
    if [ -z "$products" ] || ! grep -qxF "${products/#/          - }" $workflow; then
        echo "$workflow does not build $module for iOS"
        exit 1
    fi
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

mkdir "$modules/source/Sources/Newer"
cp "$stubs/Faults/Newer.swift" "$modules/source/Sources/Newer"
! (floors Newer) >"$work/wrong.log" 2>&1 || broken "it found nothing new in $stubs/Faults/Newer.swift"
grep -qF "$(sed -n '1s|^// error: ||p' "$stubs/Faults/Newer.swift")" "$work/wrong.log" \
    || { cat "$work/wrong.log"; broken "it found another fault in $stubs/Faults/Newer.swift"; }
