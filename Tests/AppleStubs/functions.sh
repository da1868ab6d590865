# Functions of the type checks. The argument is a build folder, for the packages that ours depends on.
stubs=Tests/AppleStubs
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
    for map in Sources/*/module.modulemap Sources/*/include/module.modulemap "$built"/C*.build/module.modulemap \
        "$(dirname "$built")"/checkouts/*/Sources/*/include/module.modulemap; do
        # Headers that differ on Apple's platforms have stubs.
        [ ! -d "$stubs/Core/$(basename "${map%/module.modulemap}")" ] || map=$stubs/Core/$(basename "${map%/module.modulemap}")/module.modulemap
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
    local file
    rewritten=()
    for file in "$@"; do
        mkdir -p "$modules/source/$(dirname "$file")"
        sed -E -f "$modules/apple.sed" "$file" >"$modules/source/$file"
        rewritten+=("$modules/source/$file")
    done
}

# module NAME [FLAG...]: checks a module of the package, and emits it for the following ones.
module() {
    local files name=$1
    shift
    mapfile -t files < <(find "Sources/$name" -name '*.swift' | sort)
    [ ${#files[@]} -gt 0 ] || broken "no module $name"
    echo "  $name"
    as_apple "${files[@]}"
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
    swiftc "${strict[@]}" "${flags[@]}" -package-name "$package" -module-name "$name" -typecheck "${rewritten[@]}"
}

# Modules of extensions, in the order of their dependencies.
extension_modules=(AttachmentContainer AttachmentModel AttachmentPlanning AttachmentPublishing
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
    module AttachmentVips -D SYSTEM_CODECS
    if [ "$platform" = macOS ]; then
        for name in "${process_modules[@]}"; do module "$name"; done
    fi
}
