#!/usr/bin/env bash
# `make quality`: judges photographs of CORPUS, JOBS at once.
set -euo pipefail
cd "$(dirname "$0")/../.."
corpus=${CORPUS:-Images}
echo "Scoring the photographs of $corpus (half an hour)"
.build/python/bin/python bench/quality/quality.py --photographs "$corpus" --jobs "${JOBS:-2}" \
    --thimble .build/release/thimble --encoder .build/release/jpeg-encoder-benchmark \
    --report bench/results/quality.md
