#!/usr/bin/env bash
# Type-checks code that is compiled only on Apple's platforms: the adapters, the example and the
# code of the guide. Apple's modules are declarations (*.swiftinterface) beside this script. The
# package's modules come from a build folder, the argument.
set -euo pipefail
cd "$(dirname "$0")/../.."
stubs=Tests/AppleStubs
built=$1
work=.build/apple-check
rm -rf "$work"
mkdir -p "$work"

broken() { echo "the check itself is broken: $1"; exit 1; }

# The language settings of all targets, from Package.swift.
mapfile -t flags < <(sed -n 's/.*enableUpcomingFeature("\(.*\)").*/-enable-upcoming-feature\n\1/p' Package.swift)
[ ${#flags[@]} -gt 0 ] || broken "no language settings in Package.swift"
flags+=(-swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path "$work/cache")
flags+=(-I "$stubs" -I "$work" -I "$built/Modules" -Xfrontend -import-module -Xfrontend AppleFoundation)
# C modules of the package and its dependencies, and their headers.
for map in Sources/*/module.modulemap "$built"/C*.build/module.modulemap; do
    flags+=(-Xcc "-fmodule-map-file=$map")
done
for library in $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift); do
    for directory in $(pkg-config --cflags-only-I "$library"); do flags+=(-Xcc "$directory"); done
done

# check MODULE "IMPORTS" FILE...: IMPORTS are the package modules that the files may import.
check() {
    local module=$1 imports=" Dispatch Foundation FoundationNetworking Synchronization ${2//$'\n'/ } " name
    shift 2
    echo "Type-checking $module"
    for name in $(sed -En 's/^ *([@a-zA-Z_]+ +)*import +([A-Za-z]+).*/\2/p' "$@" | sort -u); do
        [ -e "$stubs/$name.swiftinterface" ] || [[ $imports == *" $name "* ]] \
            || { echo "$module must not import $name"; exit 1; }
    done
    swiftc "${flags[@]}" ${package:+-package-name "$package"} -module-name "$module" -typecheck "$@"
}

# adapter MODULE "IMPORTS": checks a package module and emits it for the example.
adapter() {
    # SwiftPM names the package after its folder.
    local files package
    package=$(basename "$PWD" .git | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)
    mapfile -t files < <(find "Sources/$1" -name '*.swift')
    check "$1" "$2" "${files[@]}"
    swiftc "${flags[@]}" -package-name "$package" -module-name "$1" -emit-module -emit-module-path "$work/$1.swiftmodule" \
        "${files[@]}"
}

# The content extension may use the container, but neither pipeline nor delivery.
adapter NotificationContentAdapter "AttachmentContainer"
adapter NotificationAdapters "AttachmentContainer AttachmentModel NotificationDelivery
    NotificationPayload"

example=Examples/DailyPick
check DailyPickApp "AttachmentContainer AttachmentModel AttachmentPipeline AttachmentVips
    NotificationAdapters NotificationDelivery" "$example"/{Shared,App}/*.swift
check DailyPickService "AttachmentPipeline AttachmentVips NotificationAdapters" "$example"/{Shared,Service}/*.swift
check DailyPickContent "NotificationContentAdapter" "$example"/{Shared,Content}/*.swift

# Blocks of the guide that begin with an import are complete files.
guide=Sources/NotificationDelivery/NotificationDelivery.docc/ApplePlatforms.md
awk -v work="$work" '
    /^```swift/ { if ((getline line) > 0 && line ~ /^import /) { inside = ++count; $0 = line } }
    /^```$/ { inside = 0 }
    inside { print > (work "/Guide" inside ".swift") }' "$guide"
[ -e "$work/Guide3.swift" ] || broken "$guide has fewer than three whole files of Swift"
for file in "$work"/Guide*.swift; do
    check "$(basename "$file" .swift)" "AttachmentContainer AttachmentModel AttachmentPipeline AttachmentVips
        NotificationAdapters NotificationContentAdapter NotificationDelivery" "$file"
done

# Code excluded by #if is not checked, so a planted error under the same condition must be found.
planted=$work/Planted.swift
cat >"$planted" <<'SWIFT'
#if canImport(UserNotificationsUI) && canImport(UIKit)
    import UserNotifications
    let planted: Int = UNMutableNotificationContent().title
#endif
SWIFT
! swiftc "${flags[@]}" -module-name Planted -typecheck "$planted" 2>"$work/planted.log" \
    || broken "it found no error in $planted"
grep -q "cannot convert value of type 'String' to specified type 'Int'" "$work/planted.log" \
    || { cat "$work/planted.log"; broken "it does not reach $planted"; }
