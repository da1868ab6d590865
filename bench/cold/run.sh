#!/usr/bin/env bash
# `make cold`: measures cold starts, as root.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=()
[ "$(id -u)" = 0 ] || root=(sudo)
echo "Measuring cold starts (five minutes)"
"${root[@]}" /usr/bin/python3 bench/cold/cold.py Images --report bench/results/cold.md
