#!/usr/bin/env bash
# `make matrix`: COUNT cases, drawn by SEED (0 for all), JOBS at once. FILTER has required words, such as
# heic-grid, 12MiB or rlimit; PRESETS selections of presets.
set -euo pipefail
cd "$(dirname "$0")/../.."
options=()
for word in ${FILTER:-}; do options+=(--filter "$word"); done
for selection in ${PRESETS:-}; do options+=(--preset "$selection"); done
/usr/bin/python3 bench/matrix/make_pictures.py .build/matrix
.build/release/cap-matrix .build/matrix --count "${COUNT:-0}" --seed "${SEED:-1}" --jobs "${JOBS:-2}" "${options[@]}"
