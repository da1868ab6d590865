#!/usr/bin/env bash
# S3 servers for tests, as plain processes of the calling user on loopback.
#
#   stores.sh up swift FOLDER   starts OpenStack Swift with its S3 interface, and prints its URL
#   stores.sh up moto FOLDER    starts moto_server, and prints its URL
#   stores.sh down FOLDER       stops what runs in the folder, by process number
#
# STORE_WRAPPER is put before their commands, STORE_ADDRESS is Swift's address if not 127.0.0.1,
# STORE_LOG_LEVEL=INFO logs every request, STORE_RESERVE is the space that Swift leaves free, in bytes,
# and STORE_SIGNAL stops them. Swift keeps its objects in the folder; `up` again finds them.
# Access key test:tester, secret key testing, bucket renditions. Packages: swift-proxy swift-account
# swift-container swift-object, and memcached, without which Swift is slow; PyPI's moto[server].
set -euo pipefail

# An interpreter with moto and boto3, which `make store-test` installs.
python=${PYTHON:-.build/python/bin/python}

address=${STORE_ADDRESS:-127.0.0.1}
read -ra wrapper <<<"${STORE_WRAPPER:-}"

free_ports() { # COUNT: successive free ports
    /usr/bin/python3 "$(dirname "$0")/../Support/free_ports.py" "$1"
}

ring() { # NAME PORT: one device, one replica
    (
        cd "$folder/etc"
        swift-ring-builder "$1.builder" create 4 1 0
        swift-ring-builder "$1.builder" add "r1z1-$address:$2/d1" 1
        swift-ring-builder "$1.builder" rebalance
    ) >"$folder/ring-$1.log" 2>&1 || true
    test -e "$folder/etc/$1.ring.gz"
}

common() { # PORT: settings of every server
    cat <<END
[DEFAULT]
bind_ip = $address
bind_port = $1
workers = 0
user = $(id -un)
swift_dir = $folder/etc
log_address = $folder/none
log_level = ${STORE_LOG_LEVEL:-WARNING}
END
}

configure_storage() { # NAME PORT
    {
        common "$2"
        cat <<END
devices = $folder/devices
mount_check = false
[pipeline:main]
pipeline = $1-server
[app:$1-server]
use = egg:swift#$1
fallocate_reserve = ${STORE_RESERVE:-0}
[$1-updater]
END
    } >"$folder/etc/$1.conf"
}

configure_proxy() { # PORT, PORT of memcached
    local filters="catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth"
    {
        common "$1"
        cat <<END
[pipeline:main]
pipeline = $filters proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
dns_compliant_bucket_names = true
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:cache]
use = egg:swift#memcache
memcache_servers = $address:$2
END
        for filter in catch_errors gatekeeper healthcheck listing_formats; do
            printf '[filter:%s]\nuse = egg:swift#%s\n' $filter $filter
        done
    } >"$folder/etc/proxy.conf"
}

begin() { # NAME COMMAND...: in a session of its own, so that a test's signals do not reach it
    local name=$1
    shift
    setsid env PYTHONWARNINGS=ignore "$@" </dev/null >>"$folder/$name.log" 2>&1 &
    echo $! >"$folder/$name.pid"
}

await() { # URL NAME...: until it answers; fails if a process ends
    local url=$1 name
    shift
    for _ in $(seq 300); do
        curl -s -m 2 -o /dev/null "$url" && return
        for name in "$@"; do
            kill -0 "$(cat "$folder/$name.pid")" 2>/dev/null || break 2
        done
        sleep 0.2
    done
    tail -n 5 "$folder"/*.log >&2
    return 1
}

# boto3 signs requests as Swift verifies them, without a token.
make_bucket() { # URL
    "$python" - "$1" <<'END'
import sys, boto3
from botocore.config import Config
plain = Config(
    s3={"addressing_style": "path"}, request_checksum_calculation="when_required",
    response_checksum_validation="when_required")
s3 = boto3.client(
    "s3", endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id="test:tester",
    aws_secret_access_key="testing", config=plain)
try:
    s3.create_bucket(Bucket="renditions")
except s3.exceptions.BucketAlreadyOwnedByYou:
    pass
except s3.exceptions.ClientError as error:
    # A full server keeps the bucket that it has, and one of another time refuses every request.
    if error.response["Error"]["Code"] not in ("RequestTimeTooSkewed", "ServiceUnavailable"):
        raise
END
}

up_swift() {
    mkdir -p "$folder/etc" "$folder/devices/d1"
    # The rings name the ports.
    test -e "$folder/port" || free_ports 5 >"$folder/port"
    local port name
    port=$(cat "$folder/port")
    cat >"$folder/etc/swift.conf" <<END
[swift-hash]
swift_hash_path_prefix = thimble
swift_hash_path_suffix = thimble
[storage-policy:0]
name = single
default = yes
END
    if [ ! -e "$folder/etc/object.ring.gz" ]; then
        ring object $((port + 1)) & ring container $((port + 2)) & ring account $((port + 3)) & wait
    fi
    configure_storage object $((port + 1))
    configure_storage container $((port + 2))
    configure_storage account $((port + 3))
    configure_proxy "$port" $((port + 4))
    # Without it, every request asks for the account and the container again: half of its CPU.
    if command -v memcached >/dev/null; then
        begin memcached "${wrapper[@]}" "$(command -v memcached)" -u "$(id -un)" -l "$address" -p $((port + 4)) -U 0
    fi
    for name in account container object proxy; do
        begin $name "${wrapper[@]}" "$(command -v swift-$name-server)" "$folder/etc/$name.conf" -v
    done
    for name in 0 1 2 3; do
        await "http://$address:$((port + name))/healthcheck" account container object proxy
    done
    make_bucket "http://$address:$port"
    echo "http://$address:$port"
}

up_moto() {
    local port server
    port=$(free_ports 1)
    server=$(dirname "$python")/moto_server
    begin moto "${wrapper[@]}" "$server" -H 127.0.0.1 -p "$port"
    await "http://127.0.0.1:$port/moto-api/" moto
    make_bucket "http://127.0.0.1:$port"
    echo "http://127.0.0.1:$port"
}

down() {
    local file pid
    for file in "$folder"/*.pid; do
        [ -s "$file" ] || continue
        pid=$(cat "$file")
        rm -f "$file"
        kill "${STORE_SIGNAL:--TERM}" "$pid" 2>/dev/null || continue
        for _ in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$pid" 2>/dev/null || true
    done
}

case "${1:-}" in
up)
    mkdir -p "$3"
    folder=$(realpath "$3")
    "up_$2"
    ;;
down)
    folder=$(realpath "$2")
    down
    ;;
*)
    sed -n '2,12s/^# \{0,1\}//p' "$0"
    exit 64
    ;;
esac
