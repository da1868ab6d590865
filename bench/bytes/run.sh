#!/usr/bin/env bash
# `make bytes`: the bytes of encoders at equal scores, JOBS pictures at once.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Comparing bytes at equal scores (a quarter of an hour)"
.build/python/bin/python bench/bytes/bytes.py --program .build/release/jpeg-encoder-benchmark \
    --jobs "${JOBS:-2}" --report bench/results/bytes.md
