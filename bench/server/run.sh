#!/usr/bin/env bash
# `make server-NAME`: run.sh load|floods|api|soak|deadlines|peers
set -euo pipefail
cd "$(dirname "$0")/../.."
built=.build/release
python=.build/python/bin/python

# measure NAME OPTION...: runs a program of this folder by Debian's Python.
measure() { /usr/bin/python3 "bench/server/$1.py" --programs $built "${@:2}"; }

case $1 in
    # Seconds of load, and its connections.
    load)
        measure load --seconds "${LOAD_SECONDS:-60}" --connections "${CONNECTIONS:-4096}" \
            --report bench/results/server.md
        ;;
    # Seconds of each flood.
    floods) measure floods --seconds "${FLOOD_SECONDS:-60}" --report bench/results/server.md ;;
    # Test cases per operation.
    api)
        Tests/Support/python.sh -r bench/server/requirements.txt
        $python bench/server/api.py --programs $built --examples "${EXAMPLES:-100}" --seed "${SEED:-1}"
        ;;
    # A day of 23 requests a second. The soak ends after the part in which MINUTES are over, with the requests
    # sent by then.
    soak)
        measure soak --requests "${REQUESTS:-2000000}" --minutes "${MINUTES:-1000}" \
            --report bench/results/server-soak.md
        ;;
    deadlines) measure deadlines --requests "${REQUESTS:-2000000}" --report bench/results/server-deadlines.md ;;
    # Photographs of each size and format for each service.
    peers)
        bench/server/install_peers.sh
        $python bench/server/peers.py --programs $built --peers .build/server-peers \
            --photographs "${PHOTOGRAPHS:-64}" --report bench/results/server.md
        ;;
    *)
        echo "usage: run.sh load|floods|api|soak|deadlines|peers" >&2
        exit 64
        ;;
esac
