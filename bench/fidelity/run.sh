#!/usr/bin/env bash
# `make fidelity`: compares renditions of CORPUS with an independent reference, and the two engines.
set -euo pipefail
cd "$(dirname "$0")/../.."
corpus=${CORPUS:-Images}
python=.build/python/bin/python
work=.build/fidelity

# render CONTAINER OPTION...: makes all renditions. Exit code 3, because some files are intentionally broken.
render() {
    local code=0
    .build/release/thimble batch "$corpus" --container "$work/$1" --cap 4GiB --timeout 600 "${@:2}" \
        >$work/log 2>&1 || code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || { cat $work/log; exit 1; }
}

rm -rf $work
mkdir -p $work bench/results
# At quality 100, so that JPEG's loss does not hide a difference: encoders round differently.
for engine in auto libvips; do render $engine --quality 100 --engine $engine; done
echo "Comparing the renditions of $corpus with an independent reference"
$python bench/fidelity/contactsheet.py --container $work/auto --output $work/contactsheet.png
$python bench/fidelity/fidelity.py --sources "$corpus" --container $work/auto \
    --report bench/results/fidelity.md
echo "Comparing the engine of rows with libvips"
$python bench/fidelity/engines.py --rows $work/auto --libvips $work/libvips --report bench/results/engines.md
