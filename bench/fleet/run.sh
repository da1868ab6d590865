#!/usr/bin/env bash
# `make fleet-torture` and `make fleet-bench`, as root: run.sh torture|bench
#
# FLEET_JOBS, FLEET_SECONDS of harm and FLEET_OUTAGE, seconds without a broker, are of the torture, drawn by SEED;
# CORPUS has the photographs of the measurements.
set -euo pipefail
cd "$(dirname "$0")/../.."
Tests/Support/python.sh boto3 pika
python=(.build/python/bin/python)
[ "$(id -u)" = 0 ] || python=(sudo "${python[@]}")
case $1 in
    torture)
        "${python[@]}" bench/fleet/torture.py --jobs "${FLEET_JOBS:-100000}" --seconds "${FLEET_SECONDS:-1200}" \
            --outage "${FLEET_OUTAGE:-300}" --seed "${SEED:-1}" --report bench/results/fleet-torture.md
        ;;
    bench)
        "${python[@]}" bench/fleet/measure.py --photographs "${CORPUS:-Images}" --report bench/results/fleet.md
        ;;
    *)
        echo "usage: run.sh torture|bench" >&2
        exit 64
        ;;
esac
