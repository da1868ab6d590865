#!/usr/bin/env bash
# Runs the tests of the package, of bench and of the service that a build folder has: run.sh FOLDER
# [FILTER]. FILTER is a regular expression of suites or tests; without it all tests run, in two lanes
# side by side, one for each core of a small machine.
#
# In a lane they run one after the other: many block on processes, and time limits of parallel tests
# include the time for which they wait for a thread.
set -uo pipefail
cd "$(dirname "$0")/.."
built=$1
filter=${2:-}
main=$built/thimblePackageTests.xctest
bench=$built/benchPackageTests.xctest
server=$built/thimble-serverPackageTests.xctest
commands='^(ThimbleTests|BenchmarkTests|AttachmentPipelineTests|NotificationDeliveryTests)\.'
workers='^(AttachmentWorkerTests|NewFormatTests|SandboxTests|FootprintTests)\.'

# tests PROGRAM OPTION...: runs tests, and returns 69 if none matches.
tests() { "$1" --testing-library swift-testing --no-parallel "${@:2}" 2>&1 | sed -u 's/\x1b\[[0-9;]*m//g'; }

# The exit code of several runs: 69 if no test matched in any, else that of a failed one.
result() {
    local code none=69
    for code; do
        case $code in
            0) none=0 ;;
            69) ;;
            *) return "$code" ;;
        esac
    done
    return $none
}

# A lane names its groups; they fail together.
lane() {
    local codes=() group
    for group; do
        case $group in
            commands) tests $main --filter "$commands" ;;
            workers) tests $main --filter "$workers" ;;
            others) tests $main --skip "$commands" --skip "$workers" ;;
            bench) tests $bench ;;
            server) tests $server ;;
        esac
        codes+=($?)
    done
    result "${codes[@]}"
}

if [ -n "$filter" ]; then
    tests $main --filter "$filter" | tee .build/test.log; codes=(${PIPESTATUS[0]})
    for program in $bench $server; do
        tests $program --filter "$filter" | tee -a .build/test.log; codes+=(${PIPESTATUS[0]})
    done
else
    lane commands >.build/test-1.log & other=$!
    lane workers others bench server | tee .build/test-2.log; codes=(${PIPESTATUS[0]})
    wait $other; codes+=($?)
    cat .build/test-1.log
    cat .build/test-1.log .build/test-2.log >.build/test.log
fi
result "${codes[@]}"
code=$?
if [ $code -eq 69 ]; then
    echo "No test matches '$filter'."
elif [ $code -ne 0 ]; then
    echo; echo "Failures from the output above:"
    grep -E '✘|error:' .build/test.log | grep -v '^✘ \(Suite\|Test run\)'
fi
exit $code
