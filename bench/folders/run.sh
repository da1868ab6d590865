#!/usr/bin/env bash
# `make folders`: PICTURES is the number of small pictures, FILES of files of the long folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Measuring long folders (about ten minutes)"
/usr/bin/python3 bench/folders/folders.py --pictures "${PICTURES:-20000}" --files "${FILES:-1000000}" \
    --report bench/results/folders.md
