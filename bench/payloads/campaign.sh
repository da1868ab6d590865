#!/usr/bin/env bash
# `make campaign`: SOAK is the number of payloads of a run for its memory, BEFORE an earlier thimble to compare with.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Measuring campaigns (seven minutes)"
python3 bench/payloads/campaign.py --thimble .build/release/thimble --soak "${SOAK:-0}" \
    ${BEFORE:+--before "$BEFORE"} --report bench/results/campaign.md
