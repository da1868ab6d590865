#!/usr/bin/env bash
# `make animations`: ANIMATIONS has folders of animations; by default from Images/ and public test suites.
set -euo pipefail
cd "$(dirname "$0")/../.."
folders=(Images)
[ ! -d ../shared/corpus ] || folders+=(../shared/corpus)
[ -z "${ANIMATIONS:-}" ] || read -ra folders <<<"$ANIMATIONS"
echo "Measuring animations (about a minute)"
.build/release/animation-benchmark "${folders[@]}" --write
