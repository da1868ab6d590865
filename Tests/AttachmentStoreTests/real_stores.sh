#!/usr/bin/env bash
# Publishes to real S3 servers: OpenStack Swift and, independent of it, moto. They are killed meanwhile,
# slow, full, or of another time, and reached by TLS, by the bucket's own host and with temporary
# credentials; a folder is full. After each trial, every URL that a payload names must have its object.
#
#   real_stores.sh FOLDER    FOLDER has the built programs
set -euo pipefail

here=$(dirname "$(realpath "$0")")
programs=$(realpath "$1")
python=$(realpath -s "${PYTHON:-.build/python/bin/python}")
images=$(realpath Images)
export PATH="$programs:$PATH" PYTHON="$python"
export AWS_ACCESS_KEY_ID=test:tester AWS_SECRET_ACCESS_KEY=testing AWS_REGION=us-east-1
work=$(mktemp -d)
# shellcheck disable=SC2154 # The trap sets it.
trap 'code=$?; end_proxy; "$here/stores.sh" down "$work/store" 2>/dev/null
    [ $code = 0 ] || tail -n 20 "$work/report" 2>/dev/null
    ! mountpoint -q "$work/full" || umount "$work/full"
    rm -rf "$work"' EXIT
cd "$work"

for name in lake-baseline.jpg still-life.png thimble-alpha.png dunes-grey.jpg meadow.tiff; do
    echo '{"attachment":"'"$images/$name"'"}'
done >in.ndjson

up() { url=$("$here/stores.sh" up $kind store); }
down() { "$here/stores.sh" down store; }

# Stages to the endpoint of the server or of the proxy; every width has other renditions.
stage() { # WIDTH OPTION...
    local width=1$1
    shift
    thimble stage --container "container-$kind" --allow-root "$images" --deadline 8 \
        --width "$width" --publish s3://renditions/$kind --s3-endpoint "${endpoint:-$url}" "$@" \
        <in.ndjson >out 2>report
}

# Fails unless the bucket has the objects of all URLs in the payloads: COUNT of them, or any number.
check() { # COUNT [PREFIX]
    "$python" - out "$url" "${2:-${endpoint:-$url}/renditions/}" "$1" <<'CODE'
import hashlib, json, sys, boto3
from botocore.config import Config
file, url, prefix, count = sys.argv[1:]
s3 = boto3.client(
    "s3", endpoint_url=url, config=Config(
        s3={"addressing_style": "path"}, response_checksum_validation="when_required"))
found = 0
for line in open(file):
    location = json.loads(line)["attachment"]
    if not location.startswith("http"):
        continue
    assert location.startswith(prefix), location
    stored = s3.get_object(Bucket="renditions", Key=location[len(prefix):])
    assert stored["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert hashlib.sha256(stored["Body"].read()).hexdigest() in location, location
    assert stored["ContentType"].startswith("image/"), stored["ContentType"]
    assert "immutable" in stored["CacheControl"], stored["CacheControl"]
    found += 1
print(f"  {found} payloads with a URL, all found")
assert count == "any" or found == int(count), f"{count} expected"
CODE
}

# Fails unless every payload without a URL has one of these reasons.
expect() { # CODE|CODE...
    local reason
    for reason in $(grep -o '\[publish-[a-z-]*' report | sort -u); do
        echo "  $reason]"
        [[ "|$1|" == *"|${reason#"[publish-"}|"* ]] || return 1
    done
    grep -q '\[publish-' report
}

begin_proxy() { # OPTION...: endpoint is the proxy of the server
    mkfifo proxy-input
    /usr/bin/python3 "$here/proxy.py" "${url##*:}" "$@" <proxy-input >proxy-port 2>/dev/null &
    proxy=$!
    exec 7>proxy-input
    until [ -s proxy-port ]; do sleep 0.05; done
    endpoint=http://127.0.0.1:$(cat proxy-port)
}

end_proxy() {
    [ -n "${proxy:-}" ] || return 0
    exec 7>&-
    wait "$proxy" || true
    rm -f proxy-input proxy-port
    proxy='' endpoint=''
}

published() {
    echo "$kind: published, and published again"
    stage 80
    check 5
    stage 80
    check 5
}

refused() {
    echo "$kind: a wrong key"
    AWS_SECRET_ACCESS_KEY=wrong stage 45 && return 1
    check 0
    expect credentials
}

killed() {
    local round
    for round in 1 2 3; do
        echo "$kind: killed while payloads are staged, $round of 3"
        : >out
        stage 7$round &
        # The first payloads are done, and others are on their way.
        until [ "$(wc -l <out)" -ge $round ]; do sleep 0.01; done
        STORE_SIGNAL=-KILL down
        wait $! || true
        up
        check any
    done
}

slow() {
    echo "$kind: 200 kB a second"
    begin_proxy --rate 200000
    stage 50 --deadline 25
    check 5
    end_proxy
    echo "$kind: 2 kB a second, too slow for the deadline"
    begin_proxy --rate 2000
    stage 51 --deadline 4 && return 1
    check any
    expect "late|unreachable"
    end_proxy
    echo "$kind: every second connection breaks after 20 kB"
    begin_proxy --cut 20000
    stage 52 --deadline 25
    check 5
    end_proxy
    stage 51
    check 5
}

full() {
    echo "$kind: full"
    down
    # Bytes; no file system has as many.
    STORE_RESERVE=1000000000000000 up
    stage 40 && return 1
    check any
    expect "full|slow-down|failed"
    echo "$kind: with space again"
    down
    up
    stage 40
    check 5
}

skewed() {
    local library
    library=$(find /usr/lib -name libfaketime.so.1 | head -n 1)
    [ -n "$library" ]
    for shift in +2h -2h; do
        echo "$kind: clock set $shift"
        down
        STORE_WRAPPER="env LD_PRELOAD=$library FAKETIME=$shift FAKETIME_DONT_FAKE_MONOTONIC=1" up
        stage 3${shift:1:1} && return 1
        grep -q '"attachment":"http' out && return 1
        expect clock-skewed
    done
    echo "$kind: clock set right"
    down
    up
    stage 32
    check 5
}

encrypted() {
    echo "$kind: TLS"
    request() {
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 "$@" \
            2>/dev/null
    }
    request -subj /CN=Authority -keyout ca.key -out ca.pem
    request -subj /CN=Server -addext subjectAltName=IP:127.0.0.1 -CA ca.pem -CAkey ca.key \
        -keyout server.key -out server.pem
    begin_proxy --tls server.pem server.key
    endpoint=https:${endpoint#http:}
    stage 20 && return 1
    check 0
    expect tls
    stage 20 --s3-ca-file ca.pem
    check 5
    AWS_CA_BUNDLE=ca.pem stage 21
    check 5
    end_proxy
}

virtual() {
    echo "$kind: the bucket's own host"
    endpoint=http://localhost:${url##*:}
    stage 90 --no-s3-path-style
    check 5 "http://renditions.localhost:${url##*:}/"
    endpoint=
}

temporary() {
    echo "$kind: credentials of profiles, verified"
    "$python" "$here/temporary_credentials.py" "$url" keys
    unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    export AWS_SHARED_CREDENTIALS_FILE=$work/keys AWS_PROFILE
    AWS_PROFILE=lasting
    stage 91
    check 5
    AWS_PROFILE=temporary
    stage 92
    check 5
    echo "$kind: without the token of the session"
    sed -i /aws_session_token/d keys
    stage 46 && return 1
    expect "credentials|denied"
    grep -q '"attachment":"http' out && return 1
    AWS_PROFILE=none stage 47 && return 1
    grep -q '"attachment":"http' out && return 1
    return 0
}

# A folder on a file system of its own, which only some users may mount.
full_folder() {
    local status
    stage_to_folder() {
        thimble stage --container container-folder --allow-root "$images" --deadline 8 \
            --publish full/r --publish-url https://cdn.example/r <in.ndjson >out 2>report
    }
    statuses() { # Fails if a URL has another status than 200.
        status=$(/usr/bin/python3 "$here/statuses.py" full/r <out | sort | uniq -c | xargs)
        echo "  $status"
        [[ "$status" == *"status 200" || -z "$status" ]]
    }
    mkdir full
    if ! mount -t tmpfs -o size=200k none full 2>/dev/null; then
        echo "folder: full: left out, because this user may not mount one"
        return
    fi
    echo "folder: full"
    stage_to_folder && return 1
    statuses
    expect full
    mount -o remount,size=64m full
    echo "folder: with space again"
    stage_to_folder
    statuses
    [ "$status" = "5 status 200" ]
    umount full
}

full_folder
for kind in swift moto; do
    up
    echo "$kind at $url"
    published
    encrypted
    slow
    if [ $kind = swift ]; then
        refused
        killed
        full
        skewed
    else
        virtual
        temporary
    fi
    down
    rm -rf store
done
