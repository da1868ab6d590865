#!/usr/bin/env bash
# `make sanitize`: runs the tests under SANITIZERS, each with its own build below .build. Fails on any report.
#
# address    all tests except tests of workers, whose cap and sandbox leave no room for a sanitizer,
#            and of footprints, which would include the sanitizer's memory
# thread     same, and without libvips, whose synchronisation it does not recognise. handover.c
#            describes synchronisation in Swift's libraries. If it reports the control program
#            without a race (control.swift), its reports are only shown, for manual review; failed tests still count
# undefined  workers with damaged and valid pictures; Swift traps anyway, and C is compiled to trap
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
readonly swift=${SWIFT:-swift}
readonly seeds=${SEEDS:-.build/seeds}
# Number of damaged pictures.
readonly mutants=2000

# Succeeds if the toolchain can link a program with a sanitizer.
has() {
    local folder code
    folder=$(mktemp -d)
    echo 'print(1)' >"$folder/main.swift"
    swiftc -sanitize="$1" "$folder/main.swift" -o "$folder/program" >/dev/null 2>&1 &&
        "$folder/program" >/dev/null 2>&1
    code=$?
    rm -rf "$folder"
    return $code
}

# Runs a command with its output in a log, and prints the relevant lines.
logged() {
    local log=$1 code
    shift
    "$@" >>"$log" 2>&1
    code=$?
    [ $code -eq 0 ] || {
        grep -E '✘|error:|Sanitizer|Fatal error|^mutant ' "$log" | head -40
        echo "failed: $* (complete log: $log)"
    }
    return $code
}

# Library to preload for programs with the thread sanitizer.
handover() {
    local library=.build/sanitize-handover.so
    [ "$(uname)" != Linux ] || {
        clang -O2 -Wall -Wextra -Werror -fPIC -shared bench/sanitize/handover.c -o $library &&
            echo "$PWD/$library"
    }
}

# Number of races that the thread sanitizer reports in a program: control [race]
control() {
    TSAN_OPTIONS=exitcode=0 LD_PRELOAD=$preloaded .build/sanitize-control "$@" 2>&1 |
        grep -c 'WARNING: ThreadSanitizer'
}

with_sanitizer() {
    local sanitizer=$1 log=.build/sanitize-$1.log reports exitcode=66 preloaded=
    : >"$log"
    if [ "$sanitizer" = thread ]; then
        preloaded=$(handover) &&
            swiftc -O -sanitize=thread bench/sanitize/control.swift -o .build/sanitize-control || return 1
        [ "$(control race)" -gt 0 ] || {
            echo "the check itself is broken: it does not report a program with a race"
            return 1
        }
        [ "$(control)" -eq 0 ] || {
            echo "It reports a program without a race: review its reports manually"
            exitcode=0
        }
    fi
    # Intentionally killed children report no leaks, and symbolising backtraces takes minutes in a
    # program with sanitizers.
    ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=exitcode=$exitcode SWIFT_BACKTRACE=enable=no \
        THIMBLE_SANITIZE=$sanitizer LD_PRELOAD=$preloaded logged "$log" \
        "$swift" test --enable-swift-testing --disable-xctest \
        --no-parallel -Xswiftc -O --sanitize "$sanitizer" --skip CapTests --skip CropTests/scratch \
        --skip HostileSizeTests \
        --scratch-path ".build/sanitize-$sanitizer" || return 1
    # A report does not always end its program.
    reports=$(grep -cE 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$log")
    if [ "$reports" -gt 0 ]; then
        echo "$reports reports (complete log: $log):"
        grep 'SUMMARY: ' "$log" | sed 's/^SUMMARY: //' | cut -c1-160 | sort | uniq -c
        [ "$sanitizer" = thread ] && [ $exitcode -eq 0 ] || return 1
    fi
    grep -E 'Test run with' "$log" | tail -1
}

with_traps() {
    local folder=.build/sanitize-undefined log=.build/sanitize-undefined.log product
    : >"$log"
    for product in thimble-worker thimble-row-worker thimble mutants; do
        logged "$log" "$swift" build -c release --scratch-path $folder --product $product \
            -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined || return 1
    done
    rm -rf $folder/container
    $folder/release/thimble batch Images --container $folder/container >>"$log" 2>&1
    # Exit code 3, because two of the pictures are intentionally broken.
    { [ $? -eq 3 ] && grep -q '2 failed' "$log"; } || {
        echo "failed: thimble batch Images (complete log: $log)"
        return 1
    }
    logged "$log" $folder/release/mutants run "$seeds" --count $mutants --sandbox auto || return 1
    grep -E 'mutants of|findings:' "$log" | tail -2
}

mkdir -p .build
failed=0
for sanitizer in ${SANITIZERS:-address thread undefined}; do
    case $sanitizer in
    address | thread)
        if has "$sanitizer"; then
            echo "Testing with the $sanitizer sanitizer"
            with_sanitizer "$sanitizer" || failed=1
        else
            echo "This toolchain has no $sanitizer sanitizer for Swift: skipped"
        fi
        ;;
    undefined)
        has undefined || echo "This toolchain has no undefined sanitizer for Swift: the C traps"
        echo "Testing workers whose C traps on undefined behaviour"
        with_traps || failed=1
        ;;
    *)
        echo "Unknown sanitizer $sanitizer: address, thread or undefined"
        failed=1
        ;;
    esac
done
exit $failed
