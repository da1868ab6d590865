#!/usr/bin/env bash
# Checks the exposure of systemd's units of the service and of a fleet's worker, where systemd is installed, and
# that both have the same measures.
set -euo pipefail
cd "$(dirname "$0")/.."
units=(Server/thimble-server.service Fleet/thimble-worker.service)

echo "Checking the measures of the units"
if command -v systemd-analyze >/dev/null; then
    for unit in "${units[@]}"; do
        report=$(systemd-analyze security --offline=true --threshold=20 "$unit" 2>&1) \
            || { tail -n 1 <<<"$report"; exit 1; }
    done
fi

measures() { sed -n '/^CapabilityBoundingSet=/,/^$/p' "$1"; }
[ -n "$(measures "${units[0]}")" ] || { echo "the check itself is broken: ${units[0]} has no measures"; exit 1; }
diff <(measures "${units[0]}") <(measures "${units[1]}")
