#!/usr/bin/env bash
# `make bench-peers`: installs what the peers of peers.json need, their Python packages in .build/bench-peers.
set -euo pipefail
cd "$(dirname "$0")/../.."
read -ra packages < <(/usr/bin/python3 bench/peers/needs.py packages)
read -ra requirements < <(/usr/bin/python3 bench/peers/needs.py requirements)
Tests/Support/install.sh corpus -- "${packages[@]}"
[ -x .build/bench-peers/bin/pip ] || /usr/bin/python3 -m venv .build/bench-peers
# One by one: pyvips-binary must be installed after pyvips, which may have built Debian's libvips into itself.
for requirement in "${requirements[@]}"; do
    .build/bench-peers/bin/pip install --quiet --disable-pip-version-check "$requirement"
done
