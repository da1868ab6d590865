#!/usr/bin/env bash
# Starts RabbitMQ, OpenStack Swift and two workers, submits Images/, kills a worker meanwhile, and
# shows the results.
#
#   demo.sh PROGRAMS NODES    PROGRAMS has the built programs; NODES is the number of RabbitMQ nodes
set -euo pipefail

programs=$(realpath "$1")
nodes=$2
examples=$(dirname "$0")
stores=Tests/AttachmentStoreTests/stores.sh
work=$(mktemp -d)
workers=()
end() {
    for worker in "${workers[@]}"; do kill "$worker" 2>/dev/null || true; done
    wait
    "$examples/broker.sh" down "$work/broker"
    "$stores" down "$work/store"
    rm -rf "$work"
}
trap end EXIT

echo "Starting RabbitMQ ($nodes nodes) and OpenStack Swift (half a minute)"
mkdir -p "$work/broker" "$work/store"
"$examples/broker.sh" up "$nodes" "$work/broker" >"$work/urls"
"$stores" up swift "$work/store" >"$work/endpoint"
# Of all options, the environment has those with passwords; a file could too.
THIMBLE_SERVER_BROKER=$(cat "$work/urls")
THIMBLE_SERVER_S3_ENDPOINT=$(cat "$work/endpoint")
export THIMBLE_SERVER_BROKER THIMBLE_SERVER_S3_ENDPOINT
export THIMBLE_SERVER_PUBLISH=s3://renditions/r THIMBLE_SERVER_S3_REGION=us-east-1
export AWS_ACCESS_KEY_ID=test:tester AWS_SECRET_ACCESS_KEY=testing

for number in 1 2; do
    "$programs/thimble-server" work --container "$work/worker-$number" --operations-port 0 \
        2>"$work/worker-$number.log" &
    workers+=($!)
done

echo "Submitting Images/"
"$programs/thimble-server" submit Images --record "$work/submitted"
echo "Killing a worker, whose jobs the other one gets"
{ kill -9 "${workers[0]}" && wait "${workers[0]}"; } 2>/dev/null || true

expected=$(wc -l <"$work/submitted")
.build/python/bin/python "$examples/results.py" "$expected"

echo "Queues"
"$programs/thimble-server" status --interval 0.1

echo "Ending the other worker"
kill -TERM "${workers[1]}"
wait "${workers[1]}"
tail -n 1 "$work/worker-2.log"
