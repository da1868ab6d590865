#!/usr/bin/env bash
# Checks every shell script of the checkout by shellcheck, those without a suffix too.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo "Checking the shell scripts"
mapfile -t scripts < <(git ls-files -z | xargs -0 awk '
    FNR == 1 && (/^#!.*[\/ ](ba|da)?sh( |$)/ || FILENAME ~ /\.sh$/) { print FILENAME } { nextfile }')
[ ${#scripts[@]} -ge 50 ] || { echo "the check itself is broken: it found ${#scripts[@]} scripts"; exit 1; }
shellcheck "${scripts[@]}"
