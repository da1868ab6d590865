# shellcheck shell=bash
# Functions of the type checks. The argument is a build folder, for the packages that ours depends on.
stubs=Tests/Support/AppleStubs
built=$1
work=.build/apple-check
# The cache of compiled declarations stays.
rm -rf "$work"/{iOS,macOS,Guide*}
mkdir -p "$work"

broken() { echo "the check itself is broken: $1"; exit 1; }

# The language settings of all targets, from Package.swift.
mapfile -t language < <(sed -n 's/.*enableUpcomingFeature("\(.*\)").*/-enable-upcoming-feature\n\1/p' Package.swift)
[ ${#language[@]} -gt 0 ] || broken "no language settings in Package.swift"
language+=(-swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path "$work/cache")

# SwiftPM names the package after its folder.
package=$(basename "$PWD" .git | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)

# begin PLATFORM: iOS or macOS, for the calls that follow.
begin() {
    platform=$1
    modules=$work/$platform
    local has_uikit=true directory library map name
    [ "$platform" = iOS ] || has_uikit=false
    mkdir -p "$modules/strict" "$modules/source"
    sed "s/PLATFORM/$platform/; s/HASUIKIT/$has_uikit/" "$stubs/apple.sed" >"$modules/apple.sed"
    # Without the default bodies that stand for optional requirements, a misspelt witness is an error.
    for name in UIKit UserNotificationsUI; do
        awk '/^extension (UIApplicationDelegate|UNNotificationContentExtension) \{/ { skip = 1 }
            !skip { print }
            /^}/ { skip = 0 }' "$stubs/$name.swiftinterface" >"$modules/strict/$name.swiftinterface"
    done
    # The trait SystemCodecs is for macOS; on iOS no C library is linked.
    local codecs=()
    [ "$platform" = iOS ] || codecs=(-D SYSTEM_CODECS)
    flags=("${language[@]}" "${codecs[@]}" -I "$modules" -I "$stubs" -I "$stubs/Core" -I "$built/Modules")
    flags+=(-Xfrontend -import-module -Xfrontend AppleFoundation)
    # C modules of the package and its dependencies, and their headers.
    # Libraries to install: on iOS there are none, so an import of one is an error.
    local installed
    installed=$(tr -d '\n ' <Package.swift | grep -oE '\.system\("C[A-Za-z0-9]+' | sed 's/.*"//')
    [ -n "$installed" ] || broken "no C libraries in Package.swift"
    for map in Sources/C/*/*/module.modulemap Sources/C/*/*/include/module.modulemap "$built"/C*.build/module.modulemap \
        "$(dirname "$built")"/checkouts/*/Sources/*/include/module.modulemap; do
        name=$(basename "${map%/module.modulemap}")
        [ "$platform" = macOS ] || ! grep -qx "$name" <<<"$installed" || continue
        # Headers that differ on Apple's platforms have stubs.
        [ ! -d "$stubs/Core/$name" ] || map=$stubs/Core/$name/module.modulemap
        if [ -e "$map" ]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
    done
    for library in $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift); do
        for directory in $(pkg-config --cflags-only-I "$library" 2>/dev/null); do
            flags+=(-Xcc "$directory")
        done
    done
    echo "Type-checking for $platform"
}

# as_apple FILE...: sets `rewritten` to copies of the files as Apple's compiler sees them.
as_apple() {
    rewritten=("${@/#/$modules/source/}")
    cp --parents -t "$modules/source" "$@"
    sed -E -i -f "$modules/apple.sed" "${rewritten[@]}"
}

# folder NAME: the folder of a module, from the table in Package.swift.
folder() {
    local found
    found=$(sed -n "s|^ *\"$1\": \"\(.*\)\",\$|\1|p" Package.swift)
    echo "Sources/${found:-$1}"
}

# is_shared NAME: whether a module, rewritten for iOS, is the one that was checked for macOS.
is_shared() {
    local folder
    folder=$(folder "$1")
    [ "$platform" = iOS ] && [ -e "$work/macOS/source/$folder" ] \
        && diff -rq "$work/macOS/source/$folder" "$modules/source/$folder" >/dev/null \
        && ! grep -rqw SYSTEM_CODECS "$modules/source/$folder"
}

# module NAME [FLAG...]: checks a module of the package, and emits it for the following ones.
module() {
    local files name=$1
    shift
    mapfile -t files < <(find "$(folder "$name")" -name '*.swift' | sort)
    [ ${#files[@]} -gt 0 ] || broken "no module $name"
    echo "  $name"
    as_apple "${files[@]}"
    # Function bodies of shared modules have been checked for macOS.
    if is_shared "$name"; then set -- "$@" -Xfrontend -experimental-skip-non-inlinable-function-bodies; fi
    swiftc "${flags[@]}" "$@" -package-name "$package" -module-name "$name" -wmo \
        -emit-module -emit-module-path "$modules/$name.swiftmodule" "${rewritten[@]}"
}

# check [strict] NAME "IMPORTS" FILE...: IMPORTS are the package modules that the files may import.
# Strict: all requirements of a protocol that we implement must be met.
check() {
    local strict=()
    if [ "$1" = strict ]; then
        strict=(-I "$modules/strict")
        shift
    fi
    local name=$1 imports=" Dispatch Foundation FoundationNetworking ${2//$'\n'/ } " import
    shift 2
    echo "  $name"
    for import in $(sed -En 's/^ *([@a-zA-Z_]+ +)*import +([A-Za-z]+).*/\2/p' "$@" | sort -u); do
        [ -e "$stubs/$import.swiftinterface" ] || [ -e "$stubs/Core/$import.swiftinterface" ] \
            || [[ $imports == *" $import "* ]] \
            || { echo "$name must not import $import"; exit 1; }
    done
    as_apple "$@"
    swiftc "${strict[@]}" "${flags[@]}" -package-name "$package" -module-name "$name" -wmo -typecheck "${rewritten[@]}"
}

# floors NAME...: checks that modules, checked before, use nothing that is newer than the platform's
# floor. Shared modules are checked for macOS, whose versions are of the same years as the versions
# of iOS.
floors() {
    local files floor name symbols=$work/symbols names=()
    floor=$(sed -n "s/.*\.$platform(\.v\([0-9]*\)).*/\1/p" Package.swift).0
    echo "Checking that nothing is newer than $platform $floor"
    # The declarations beside this script, whose availability Linux does not judge either.
    ! grep -rnoE "@available\(.*\b$platform [0-9.]+" "$stubs" --include '*.swiftinterface' \
        | awk -v floor="$floor" '$NF > floor + 0 { print; found = 1 } END { exit !found }' \
        || { echo "these are newer than $platform $floor"; exit 1; }
    if [ ! -d "$symbols" ]; then
        mkdir -p "$symbols.new"
        for name in Swift _Concurrency Synchronization FoundationEssentials; do
            swift symbolgraph-extract -module-name "$name" -target "$(swiftc -print-target-info \
                | sed -n 's/.*"triple" *: *"\([^"]*\)".*/\1/p' | head -1)" -output-dir "$symbols.new" \
                -minimum-access-level public -skip-synthesized-members
        done
        mv "$symbols.new" "$symbols"
    fi
    for name; do
        local sources
        sources=source/$(folder "$name")
        ! is_shared "$name" || continue
        names+=("$name")
        mapfile -t files < <(find "$modules/$sources" -name '*.swift' | sort)
        swiftc "${flags[@]}" -package-name "$package" -module-name "$name" -wmo -typecheck "${files[@]}" \
            -Xfrontend -index-store-path -Xfrontend "$modules/index/$name" \
            -Xfrontend -index-ignore-stdlib -Xfrontend -index-include-locals
    done
    python3 "$stubs/availability.py" "$symbols" "$platform" "$floor" "$modules" "${names[@]}"
}

# Modules of extensions, in the order of their dependencies.
extension_modules=(ThimbleBasics AttachmentContainer AttachmentModel AttachmentDecryption AttachmentPlanning AttachmentPublishing
    AttachmentFormats AttachmentPipeline AttachmentImageIO NotificationPayload NotificationDelivery
    NotificationCheck)
# Modules that start processes, which only macOS allows.
process_modules=(ProgramLaunch WorkerProtocol AttachmentWorker WorkerSession TransferProtocol
    AttachmentTransfer AttachmentStore AttachmentFetch NotificationStaging)

# core: checks all modules below the adapters.
core() {
    local name
    for name in "${extension_modules[@]}"; do module "$name"; done
    # On iOS the trait BinaryVips has these headers.
    module AttachmentVips -D SYSTEM_CODECS -Xcc -fmodule-map-file=Sources/C/codecs/CVips/module.modulemap
    if [ "$platform" = macOS ]; then
        for name in "${process_modules[@]}"; do module "$name"; done
    fi
}
