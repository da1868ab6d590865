#!/usr/bin/env bash
# `make inline`: scores pictures inside payloads, of the photographs of SET (test, tuning) or of the folder PHOTOGRAPHS.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=.build/python/bin/python
folder=.build/inline
rm -rf $folder
mkdir -p $folder/photographs $folder/avif
if [[ -n "${PHOTOGRAPHS:-}" ]]; then
    $python bench/inline/photographs.py --corpus "$PHOTOGRAPHS" $folder/photographs
else
    /usr/bin/python3 bench/foreign/collect.py --packages bench/inline/packages.tsv .build/inline-packages
    $python bench/inline/photographs.py --packages .build/inline-packages --set "${SET:-test}" $folder/photographs
fi
echo "Making inline pictures (two minutes)"
.build/release/inline-pictures $folder/photographs $folder/avif >$folder/pictures.tsv
echo "Scoring them, and comparing decoders"
$python bench/inline/inline.py $folder --report bench/results/inline.md
