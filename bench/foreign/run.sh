#!/usr/bin/env bash
# `make foreign`: compares answers about the files of FOLDER with independent decoders, JOBS at once. By default it
# collects pictures of Debian's and PyPI's packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=.build/python/bin/python
collected=.build/foreign-pictures
folder=${FOLDER:-$collected}
Tests/Support/python.sh
[ "$folder" != $collected ] || $python bench/foreign/collect.py $collected
rm -rf .build/foreign
mkdir -p .build/foreign
$python bench/foreign/foreign.py "$folder" --thimble .build/release/thimble --jobs "${JOBS:-2}" \
    --work .build/foreign --report .build/foreign/report.md
