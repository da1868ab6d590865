#!/usr/bin/env bash
# `make torture`: KILLS writers are killed, CROWDED seconds are of concurrent use, the container grows to
# NOTIFICATIONS, and a disk is searched for sealed pictures after KILLS more kills.
set -euo pipefail
cd "$(dirname "$0")/../.."
.build/release/container-torture kill --kills "${KILLS:-1000}"
.build/release/container-torture crowd --seconds "${CROWDED:-180}"
.build/release/container-torture full
.build/release/container-torture scale --notifications "${NOTIFICATIONS:-100000}"
.build/release/container-torture raw --kills "${KILLS:-1000}" \
    Images/still-life-ready.jpg Images/dunes-grey.jpg Images/gerbera-palette.png
