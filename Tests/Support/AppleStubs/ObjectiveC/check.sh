#!/usr/bin/env bash
# Checks the examples in Objective-C against declarations of Apple's interfaces and of ours, and the latter
# against the attributes in the sources.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
stubs=Tests/Support/AppleStubs/ObjectiveC
work=.build/objective-c-check
rm -rf "$work"
mkdir -p "$work"

clang=$(command -v clang || true)
[ -n "$clang" ] || { echo "the check itself is broken: clang is not in the toolchain"; exit 1; }
# syntax FILE: as Apple's compiler would, with automatic reference counting.
syntax() {
    "$clang" -target arm64-apple-ios16.0 -x objective-c -fsyntax-only -fobjc-arc -fmodules -fblocks -Wall -Werror \
        -fmodules-cache-path="$work/modules" -fmodule-map-file="$stubs/module.modulemap" -I "$stubs" "$1"
}

# Every name in `@objc(name)`, and every member with a plain `@objc`, is declared.
for module in NotificationAdapters NotificationContentAdapter; do
    header=$(tr -s '\n ' ' ' <"$stubs/$module-Swift.h")
    while read -r name; do
        for part in ${name//:/ }; do
            [[ $header =~ [^A-Za-z]${part}[^A-Za-z] ]] \
                || { echo "$stubs/$module-Swift.h does not declare $name"; exit 1; }
        done
    done < <(find "Sources/$(sed -n "s|^ *\"$module\": \"\(.*\)\",\$|\1|p" Package.swift)" -name '*.swift' -exec cat {} + | sed -En \
        -e 's/^ *@objc\(([A-Za-z:]+)\)$/\1/p' \
        -e 's/^ *@objc( public| open)+ (var|let|func) ([A-Za-z]+).*/\3/p')
done

echo "Checking the examples in Objective-C"
# shellcheck disable=SC2016 # Backquotes of the page.
sed -n '/^```objc/,/^```/{ /^```/d; p }' Sources/Notifications/Delivery/NotificationDelivery.docc/ApplePlatforms.md \
    >"$work/Guide.m"
[ -s "$work/Guide.m" ] || { echo "the check itself is broken: the guide has no Objective-C"; exit 1; }
for file in Examples/ObjectiveC/*.m "$work/Guide.m"; do syntax "$file"; done

# A misspelt selector must be an error, or this check finds nothing.
sed 's/mediaPause\b/mediaPauses/' Examples/ObjectiveC/NotificationViewController.m >"$work/Wrong.m"
! syntax "$work/Wrong.m" 2>"$work/wrong.log" || { echo "the check itself is broken: no error in Wrong.m"; exit 1; }
grep -q "mediaPause" "$work/wrong.log" || { cat "$work/wrong.log"; exit 1; }
