#!/usr/bin/env bash
# `make private`: ROUNDS rounds (11), as root, for control groups.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=()
[ "$(id -u)" = 0 ] || root=(sudo)
/usr/bin/python3 bench/private/make_pictures.py .build/private
echo "Measuring private deliveries (about three minutes)"
"${root[@]}" .build/release/private-benchmark .build/private --rounds "${ROUNDS:-11}"
