#!/usr/bin/env bash
# `make ceilings`: renditions at byte ceilings, beside the best choice of size and quality, JOBS at once.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Searching the best sizes and qualities (five minutes)"
.build/python/bin/python bench/ceilings/ceilings.py --thimble .build/release/thimble \
    --encoder .build/release/jpeg-encoder-benchmark --jobs "${JOBS:-2}" \
    --report bench/results/ceilings.md
