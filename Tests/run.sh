#!/usr/bin/env bash
# Runs the tests of the package and of the service that a build folder has, and the tests in Python of bench and
# Packaging: run.sh FOLDER [FILTER [PACKAGE]...]. FILTER is a regular expression of suites or tests in Swift, and
# PACKAGE `package` or `service`, by default both. Without a filter all tests run, in lanes side by side: two that
# compute, one for each core of a small machine, and the service's, which mostly waits for deadlines and brokers.
#
# In a lane they run one after the other: many block on processes, and time limits of parallel tests
# include the time for which they wait for a thread.
set -uo pipefail
built=$(cd "$1" && pwd) || exit
cd "$(dirname "$0")/.." || exit
filter=${2:-}
logs=${TEST_LOGS:-.build}
main=$built/thimblePackageTests.xctest
server=$built/thimble-serverPackageTests.xctest
commands='^(ThimbleTests|BenchmarkTests|AttachmentPipelineTests|NotificationDeliveryTests)\.'
workers='^(AttachmentWorkerTests|NewFormatTests|SandboxTests|FootprintTests)\.'

# tests PROGRAM OPTION...: runs tests, and returns 69 if none matches.
tests() { "$1" --testing-library swift-testing --no-parallel "${@:2}" 2>&1 | sed -u 's/\x1b\[[0-9;]*m//g'; }

# Runs the tests in Python, which need Debian's packages.
python() {
    local folder
    command -v dpkg-query >/dev/null || return 0
    for folder in bench/bytes bench/fidelity bench/foreign bench/quality bench/target-score Packaging; do
        (cd $folder && "${PYTHON:-/usr/bin/python3}" -W ignore -m unittest --quiet 2>&1) || return 1
    done
}

# The exit code of several runs: 69 if no test matched in any, else a failed run's.
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
            commands) tests "$main" --filter "$commands" ;;
            workers) tests "$main" --filter "$workers" ;;
            others) tests "$main" --skip "$commands" --skip "$workers" ;;
            server) tests "$server" ;;
            python) python ;;
        esac
        codes+=($?)
    done
    result "${codes[@]}"
}

# A lane that leaves the processor to the service's tests, some of which measure how soon it answers.
computing() {
    renice -n 5 $BASHPID >/dev/null
    lane "$@"
}

mkdir -p "$logs"
if [ -n "$filter" ]; then
    : >"$logs/test.log"
    codes=()
    [ $# -gt 2 ] || set -- "$@" package service
    for package in "${@:3}"; do
        case $package in package) program=$main ;; service) program=$server ;; esac
        tests "$program" --filter "$filter" | tee -a "$logs/test.log"; codes+=("${PIPESTATUS[0]}")
    done
else
    computing commands >"$logs/test-1.log" & lanes=($!)
    lane server >"$logs/test-2.log" & lanes+=($!)
    computing workers others python | tee "$logs/test-3.log"; codes=("${PIPESTATUS[0]}")
    for other in "${lanes[@]}"; do wait "$other"; codes+=($?); done
    cat "$logs"/test-[12].log
    cat "$logs"/test-[123].log >"$logs/test.log"
fi
result "${codes[@]}"
code=$?
if [ $code -eq 69 ]; then
    echo "No test matches '$filter'."
elif [ $code -ne 0 ]; then
    echo; echo "Failures from the output above:"
    grep -E '✘|error:|^(FAIL|ERROR):' "$logs/test.log" | grep -v '^✘ \(Suite\|Test run\)'
fi
exit $code
