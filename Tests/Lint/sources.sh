#!/usr/bin/env bash
# Checks the sources of Sources without building them.
set -euo pipefail
cd "$(dirname "$0")/../.."

echo "Checking that no source file is longer than 300 lines"
long=$(find Sources -name '*.swift' -exec awk 'END { if (NR > 300) print FILENAME ": " NR }' {} \;)
[ -z "$long" ] || { echo "$long"; exit 1; }

echo "Checking that waits leave no memory: a cancelled Task.sleep keeps it until its end"
! find Sources -path '*/Tests' -prune -o -name '*.swift' -print0 | xargs -0 grep -nE '^[^/]*Task\.sleep' \
    || { echo "use Deadline.sleep"; exit 1; }

echo "Checking that .spi.yml names modules of products of the package"
for target in $(sed -n 's/^ *- \([A-Z][A-Za-z]*\)$/\1/p' .spi.yml); do
    sed -n '/^let products/,/^]/p' Package.swift | grep -q "\"$target\"" \
        || { echo "$target is in no product"; exit 1; }
done
