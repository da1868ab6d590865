#!/usr/bin/env bash
# Runs the tests under sanitizers, each with a build of its own below .build, and fails when one reports.
#
# address    all tests but those of workers, whose cap and sandbox leave a sanitizer no room, and those
#            of footprints, in which its own memory counts
# thread     the same without libvips, whose threads wait for each other by means that it does not see.
#            How those of Swift's libraries do, handover.c tells it. Where it reports a program without
#            a race all the same (control.swift), its reports are shown, and are for people to judge;
#            tests that fail count even then
# undefined  workers with damaged and whole pictures: Swift traps by itself, and the C is made to
set -uo pipefail
cd "$(dirname "$0")/../.."
readonly swift=${SWIFT:-swift}
readonly seeds=${SEEDS:-.build/seeds}
# How many damaged pictures workers are given.
readonly mutants=2000

# Whether the toolchain links a program with a sanitizer.
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

# Keeps what a command prints in a log, and shows what matters of it.
logged() {
    local log=$1 code
    shift
    "$@" >>"$log" 2>&1
    code=$?
    [ $code -eq 0 ] || {
        grep -E '✘|error:|Sanitizer|Fatal error|^mutant ' "$log" | head -40
        echo "failed: $* (all of it is in $log)"
    }
    return $code
}

# What is loaded before the libraries of a program with the thread sanitizer.
handover() {
    local library=.build/sanitize-handover.so
    [ "$(uname)" != Linux ] || {
        clang -O2 -Wall -Wextra -Werror -fPIC -shared bench/sanitize/handover.c -o $library &&
            echo "$PWD/$library"
    }
}

# How many races the thread sanitizer reports in a program: control [race]
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
            echo "It reports a program without a race: its reports are for you to judge"
            exitcode=0
        }
    fi
    # Children that are killed on purpose have nothing to say of leaks, and backtraces take minutes
    # to be made out in a program with sanitizers.
    ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=exitcode=$exitcode SWIFT_BACKTRACE=enable=no \
        THIMBLE_SANITIZE=$sanitizer LD_PRELOAD=$preloaded logged "$log" \
        "$swift" test --no-parallel -Xswiftc -O --sanitize "$sanitizer" --skip CapTests \
        --skip CropTests/scratch \
        --scratch-path ".build/sanitize-$sanitizer" || return 1
    # A report does not always end its program.
    reports=$(grep -cE 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$log")
    if [ "$reports" -gt 0 ]; then
        echo "$reports reports (all of it is in $log):"
        grep 'SUMMARY: ' "$log" | sed 's/^SUMMARY: //' | cut -c1-160 | sort | uniq -c
        [ "$sanitizer" = thread ] && [ $exitcode -eq 0 ] || return 1
    fi
    grep -E 'Test run with' "$log" | tail -1
}

with_traps() {
    local folder=.build/sanitize-undefined log=.build/sanitize-undefined.log product
    : >"$log"
    for product in thimble-worker thimble mutants; do
        logged "$log" "$swift" build -c release --scratch-path $folder --product $product \
            -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined || return 1
    done
    rm -rf $folder/container
    $folder/release/thimble batch Images --container $folder/container >>"$log" 2>&1
    # Two of the pictures are broken on purpose, which the exit code 3 says.
    [ $? -eq 3 ] && grep -q '2 failed' "$log" || {
        echo "failed: thimble batch Images (all of it is in $log)"
        return 1
    }
    logged "$log" $folder/release/mutants run "$seeds" --count $mutants --sandbox auto || return 1
    grep -E 'mutants of|findings:' "$log" | tail -2
}

mkdir -p .build
failed=0
for sanitizer in "$@"; do
    case $sanitizer in
    address | thread)
        if has "$sanitizer"; then
            echo "Testing with the $sanitizer sanitizer"
            with_sanitizer "$sanitizer" || failed=1
        else
            echo "This toolchain has no $sanitizer sanitizer for Swift: nothing is tested with it"
        fi
        ;;
    undefined)
        has undefined || echo "This toolchain has no undefined sanitizer for Swift: the C traps"
        echo "Testing workers whose C traps on undefined behaviour"
        with_traps || failed=1
        ;;
    *)
        echo "There is no sanitizer $sanitizer: address, thread or undefined"
        failed=1
        ;;
    esac
done
exit $failed
