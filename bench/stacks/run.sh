#!/usr/bin/env bash
# `make stacks`: measures the stack by kind of picture, as root.
set -euo pipefail
cd "$(dirname "$0")/../.."
seeds=${SEEDS:-.build/seeds}
/usr/bin/python3 bench/stacks/stacks.py "$seeds"/{jpeg,png,webp,gif,tiff,heif} --report bench/results/stacks.md
