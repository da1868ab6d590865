#!/usr/bin/env bash
# `make decoding-time`: measures rates of decoders.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Measuring decoding time (about ten minutes)"
/usr/bin/python3 bench/decoding-time/rates.py --report bench/results/decoding-time.md
