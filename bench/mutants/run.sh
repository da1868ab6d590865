#!/usr/bin/env bash
# `make mutants`: decodes MUTANTS damaged pictures, drawn by SEED.
#
# SANDBOX=auto is for kernels that do not support all of the sandbox. PRESETS has selections of presets, of which
# each mutant has one; by default they are together all presets.
set -euo pipefail
cd "$(dirname "$0")/../.."
mutants=${MUTANTS:-20000}
seed=${SEED:-1}
seeds=${SEEDS:-.build/seeds}
options=(--seed "$seed" --sandbox "${SANDBOX:-require}")
everything="content content,avatar,android-big-picture,web-push banner,widget,live-activity,android-large-icon"
for selection in ${PRESETS:-$everything}; do options+=(--preset "$selection"); done
.build/release/mutants run "$seeds" --count "$mutants" "${options[@]}"
# Under RLIMIT_DATA allocations fail; a control group kills instead.
.build/release/mutants run "$seeds" --count $((mutants / 4)) --enforce rlimit "${options[@]}"
.build/release/mutants batch "$seeds" --count 1000 --seed "$seed"
