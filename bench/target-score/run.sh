#!/usr/bin/env bash
# `make target-score`: scores of 200 pictures of CORPUS and of `make bytes`, JOBS at once.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Scoring 200 pictures (ten minutes)"
.build/python/bin/python bench/target-score/target_score.py --thimble .build/release/thimble \
    --corpus "${CORPUS:-Images}" --jobs "${JOBS:-2}" --report bench/results/target-score.md
