#!/usr/bin/env bash
# Tests the rules for Prometheus with the series of alerts.test.yml, where promtool is available.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(cd ../../.. && pwd)/.build/prometheus
promtool=$folder/usr/bin/promtool

echo "Checking the rules for Prometheus"
# Debian's package would start a server, so it is unpacked only.
if grep -qs bookworm /etc/os-release && ! [ -x "$promtool" ]; then
    mkdir -p "$folder"
    (cd "$folder" && apt-get download -qq prometheus && dpkg -x prometheus_*.deb .)
fi
! [ -x "$promtool" ] || "$promtool" test rules alerts.test.yml
