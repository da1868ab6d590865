#!/usr/bin/env bash
# Type-checks what is compiled on Apple's platforms only: the adapters, the example and the code of
# the README. Apple's modules are declarations (*.swiftinterface) beside this script; ours are those
# that `swift build` left in the folder that is the argument, by default .build.
set -euo pipefail
cd "$(dirname "$0")/../.."
stubs=Tests/AppleStubs
built=${1:-.build}
work=.build/apple-check
rm -rf "$work"
mkdir -p "$work"

broken() { echo "the check itself is broken: $1"; exit 1; }

# The settings of every target of ours, as Package.swift has them.
mapfile -t flags < <(sed -n 's/.*enableUpcomingFeature("\(.*\)").*/-enable-upcoming-feature\n\1/p' Package.swift)
[ ${#flags[@]} -gt 0 ] || broken "no language settings in Package.swift"
flags+=(-swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path "$work/cache")
flags+=(-I "$stubs" -I "$work" -I "$built/debug/Modules" -Xfrontend -import-module -Xfrontend AppleFoundation)
# What our modules import of C: the package's own, those of its dependencies, and their headers.
for map in Sources/*/module.modulemap "$built"/checkouts/*/Sources/*/include/module.modulemap; do
    flags+=(-Xcc "-fmodule-map-file=$map")
done
for package in $(sed -n 's/.*pkgConfig: "\(.*\)".*/\1/p' Package.swift); do
    for directory in $(pkg-config --cflags-only-I "$package"); do flags+=(-Xcc "$directory"); done
done

# check MODULE "IMPORTS" FILE...: IMPORTS are those of our modules that the files may import.
check() {
    local module=$1 imports=" Dispatch Foundation Synchronization ${2//$'\n'/ } " name
    shift 2
    echo "Type-checking $module"
    for name in $(sed -En 's/^ *([@a-zA-Z_]+ +)*import +([A-Za-z]+).*/\2/p' "$@" | sort -u); do
        [ -e "$stubs/$name.swiftinterface" ] || [[ $imports == *" $name "* ]] \
            || { echo "$module must not import $name"; exit 1; }
    done
    swiftc "${flags[@]}" -module-name "$module" -typecheck "$@"
}

# adapter MODULE "IMPORTS": one of the package's modules, left for the example to import.
adapter() {
    check "$1" "$2" "Sources/$1"/*.swift
    swiftc "${flags[@]}" -module-name "$1" -emit-module -emit-module-path "$work/$1.swiftmodule" \
        "Sources/$1"/*.swift
}

# The content extension's side reaches the container, and neither pipeline nor delivery.
adapter NotificationContentAdapter "AttachmentContainer"
adapter NotificationAdapters "AttachmentContainer AttachmentDownload AttachmentIntake
    AttachmentPlanning NotificationDelivery NotificationPayload"

example=Examples/DailyPick
check DailyPickApp "AttachmentContainer AttachmentPipeline AttachmentPlanning NotificationAdapters
    NotificationDelivery" "$example"/{Shared,App}/*.swift
check DailyPickService "AttachmentPipeline NotificationAdapters" "$example"/{Shared,Service}/*.swift
check DailyPickContent "NotificationContentAdapter" "$example"/{Shared,Content}/*.swift

# The README's whole files are those of its blocks that begin with an import.
awk -v work="$work" '
    /^```swift/ { if ((getline line) > 0 && line ~ /^import /) { inside = ++count; $0 = line } }
    /^```$/ { inside = 0 }
    inside { print > (work "/Readme" inside ".swift") }' README.md
[ -e "$work/Readme3.swift" ] || broken "README.md has fewer than three whole files of Swift"
for file in "$work"/Readme*.swift; do
    check "$(basename "$file" .swift)" "AttachmentContainer AttachmentPipeline NotificationAdapters
        NotificationContentAdapter NotificationDelivery" "$file"
done

# What is left out by its #if is not checked: an error behind the same condition must be found.
planted=$work/Planted.swift
cat >"$planted" <<'SWIFT'
#if canImport(UserNotificationsUI) && canImport(UIKit)
    import UserNotifications
    let planted: Int = UNMutableNotificationContent().title
#endif
SWIFT
! swiftc "${flags[@]}" -module-name Planted -typecheck "$planted" 2>"$work/planted.log" \
    || broken "it found nothing wrong with $planted"
grep -q "cannot convert value of type 'String' to specified type 'Int'" "$work/planted.log" \
    || { cat "$work/planted.log"; broken "it does not get as far as $planted"; }
