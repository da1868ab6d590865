#!/usr/bin/env bash
# `make throughput` and `make latency`, with the photographs of CORPUS: run.sh throughput|latency
set -euo pipefail
cd "$(dirname "$0")/../.."
corpus=${CORPUS:-Images}
benchmark=.build/release/throughput-benchmark
case $1 in
    throughput)
        echo "Measuring speed (about three minutes)"
        $benchmark --photographs "$corpus" --write
        /usr/bin/python3 bench/corpus/make_corpus.py --photographs "$corpus" --filter=-12mp
        echo "Measuring formats (seven minutes)"
        $benchmark formats --write
        ;;
    latency)
        echo "Measuring the latency of a payload (one minute)"
        $benchmark latency --photographs "$corpus" --thimble .build/release/thimble --write
        ;;
    *)
        echo "usage: run.sh throughput|latency" >&2
        exit 64
        ;;
esac
