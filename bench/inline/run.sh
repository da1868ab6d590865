#!/usr/bin/env bash
# `make inline`: scores COUNT pictures inside payloads, of CORPUS and of photographs in Debian's packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=.build/python/bin/python
folder=.build/inline
/usr/bin/python3 bench/foreign/collect.py --packages bench/inline/packages.tsv .build/inline-packages
rm -rf $folder
mkdir -p $folder/photographs $folder/avif
$python bench/inline/photographs.py --corpus "${CORPUS:-Images}" --packages .build/inline-packages \
    --count "${COUNT:-100}" $folder/photographs
echo "Making inline pictures (two minutes)"
.build/release/inline-pictures $folder/photographs $folder/avif >$folder/pictures.tsv
echo "Scoring them, and comparing decoders"
$python bench/inline/inline.py $folder --report bench/results/inline.md
