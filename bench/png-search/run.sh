#!/usr/bin/env bash
# `make png-search`: measures the searches for repetitions in PNGs.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang -O2 -I Sources/C/codecs/CPNG/include bench/png-search/search.c Sources/C/codecs/CPNG/*.c \
    -lpng -lz -o "$work/search"
.build/python/bin/python bench/png-search/pictures.py Images "$work" >"$work/list"
mapfile -t pictures <"$work/list"
{
    echo "# Searches for repetitions in PNGs"
    echo
    echo "By \`make png-search\`: bytes and processor time of the image data, the least of three rounds. A picture is"
    echo "searched densely where that makes the sample more than an eighth shorter. The last columns are the sample that"
    echo "predicts lengths, and its predictions. Attempts with runs are skipped if they are predicted a tenth too long, those"
    echo "with every repetition a fifth, of noisy pictures a twelfth, or by a larger sample a twentieth, of tiny files a"
    echo "tenth, and four times too long where the search saves much."
    echo
    "$work/search" "${pictures[@]}"
} >"$work/page"
cp "$work/page" bench/results/png-search.md
cat bench/results/png-search.md
