#!/usr/bin/env bash
# Starts thimble-server, stages a payload with a picture of Images/, and fetches its rendition.
#
#   demo.sh FOLDER    FOLDER has the built programs
set -euo pipefail

programs=$(realpath "$1")
images=$(realpath Images)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; wait; rm -rf "$work"' EXIT

port=${PORT:-8080} operations=${OPERATIONS_PORT:-9090}
"$programs/thimble-server" serve --container "$work/container" --port "$port" \
    --operations-port "$operations" --allow-root "$images" \
    --publish-url "http://127.0.0.1:$port/v1/renditions" 2>"$work/log" &
server=$!
until curl -sf "http://127.0.0.1:$operations/health/ready" >/dev/null; do
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
done

echo "Staging a payload that names $images/lake-baseline.jpg"
answer=$(echo '{"aps":{"alert":"New"},"attachment":"'"$images"'/lake-baseline.jpg"}' |
    curl -sf -H 'Content-Type: application/json' -d @- "http://127.0.0.1:$port/v1/stage")
echo "$answer"
url=$(grep -o '"attachment":"http[^"]*' <<<"$answer" | cut -d'"' -f4)
echo "Fetching $url"
curl -sf -o "$work/rendition" -w '%{http_code}, %{content_type}, %{size_download} bytes\n' "$url"
echo "Workers and requests"
curl -sf "http://127.0.0.1:$operations/metrics" |
    grep -E '^thimble_(attachments_total|payloads_total|workers)'
kill -TERM "$server"
wait "$server"
server=
echo "Stopped"
