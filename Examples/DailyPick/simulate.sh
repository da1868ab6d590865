#!/usr/bin/env bash
# Installs DailyPick, built by xcodebuild into `build`, in a simulator, pushes a picture, and prints what the
# service extension logged: the outcome and its peak footprint. It has not run yet.
set -euo pipefail
cd "$(dirname "$0")"
app=build/Build/Products/Debug-iphonesimulator/DailyPick.app
# A picture that is reachable by https: of the commit, in a workflow of a public repository.
picture=https://raw.githubusercontent.com/${GITHUB_REPOSITORY:?}/${GITHUB_SHA:?}/Images/lake-baseline.jpg

# The newest system that is installed, and an iPhone that it runs on: the list of all types has phones that it
# does not support.
read -r runtime type < <(xcrun simctl list runtimes -j | jq -r '
    [.runtimes[] | select(.isAvailable and .platform == "iOS")] | last
    | "\(.identifier) \([.supportedDeviceTypes[] | select(.productFamily == "iPhone")] | first | .identifier)"')
device=$(xcrun simctl create DailyPick "$type" "$runtime")
trap 'xcrun simctl delete "$device"' EXIT
xcrun simctl bootstatus "$device" -b
xcrun simctl install "$device" "$app"
# Notifications without a question, which nobody could answer.
xcrun simctl launch "$device" example.daily-pick --provisional
sleep 10

jq --arg url "$picture" '.thimble.media = $url' payload.json >build/push.json
xcrun simctl push "$device" example.daily-pick build/push.json
for _ in $(seq 30); do
    sleep 2
    log=$(xcrun simctl spawn "$device" log show --last 5m --style compact --predicate 'category == "delivery"')
    if grep -q 'peak footprint' <<<"$log"; then
        grep 'peak footprint' <<<"$log"
        exit 0
    fi
done
# Of a simulated push, not every release of the simulator calls the service extension.
echo "the service extension made no rendition, or was not called"
echo "$log"
exit 1
