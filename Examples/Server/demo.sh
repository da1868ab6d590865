#!/usr/bin/env bash
# Starts thimble-server and a web server with Images/, stages a payload that names a picture by its
# URL, and fetches the published rendition.
#
#   demo.sh PROGRAMS PICTURE    PROGRAMS has the built programs; the rendition is stored as PICTURE
set -euo pipefail

programs=$(realpath "$1")
picture=$2
work=$(mktemp -d)
server='' origin=''
# shellcheck disable=SC2154 # The trap sets it.
trap 'for process in $server $origin; do kill "$process" 2>/dev/null; done; wait; rm -rf "$work"' EXIT

python3 -u -m http.server 0 --bind 127.0.0.1 --directory Images >"$work/origin" 2>&1 &
origin=$!
until grep -q port "$work/origin"; do
    kill -0 "$origin" 2>/dev/null || { cat "$work/origin" >&2; exit 1; }
    sleep 0.1
done
origin_port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/origin")

port=${PORT:-8080} operations=${OPERATIONS_PORT:-9090}
# The last three options are necessary only because the picture is on this machine.
"$programs/thimble-server" serve --container "$work/container" --port "$port" \
    --operations-port "$operations" --publish-url "http://127.0.0.1:$port/v1/renditions" \
    --allow-http --allow-network 127.0.0.0/8 --allow-port "$origin_port" 2>"$work/log" &
server=$!
until curl -sf "http://127.0.0.1:$operations/health/ready" >/dev/null; do
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
done

source=http://127.0.0.1:$origin_port/lake-baseline.jpg
echo "Staging a payload that names $source ($(stat -c %s Images/lake-baseline.jpg) bytes)"
answer=$(echo '{"aps":{"alert":"New"},"attachment":"'"$source"'"}' |
    curl -sf -H 'Content-Type: application/json' -d @- "http://127.0.0.1:$port/v1/stage")
echo "$answer"
url=$(grep -o '"attachment":"http[^"]*' <<<"$answer" | cut -d'"' -f4)
echo "Fetching $url"
curl -sf -o "$picture" -w '%{http_code}, %{content_type}, %{size_download} bytes\n' "$url"
echo "Stored as $picture"
echo "Workers and requests"
curl -sf "http://127.0.0.1:$operations/metrics" |
    grep -E '^thimble_(attachments_total|payloads_total|workers)'
kill -TERM "$server"
wait "$server"
server=
echo "Stopped"
