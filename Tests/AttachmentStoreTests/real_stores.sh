#!/usr/bin/env bash
# Publishes to real S3 servers: OpenStack Swift, which verifies signatures, and moto. Each is killed
# while payloads are staged, and started again; every URL that a payload names must then have its object.
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
trap '"$here/stores.sh" down "$work/store" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"

# Fails unless the bucket has every object that the payloads of a file name.
check() { # FILE URL
    "$python" - "$1" "$2" <<'END'
import hashlib, json, sys, boto3
from botocore.config import Config
s3 = boto3.client(
    "s3", endpoint_url=sys.argv[2], config=Config(
        s3={"addressing_style": "path"}, response_checksum_validation="when_required"))
prefix, found = sys.argv[2] + "/renditions/", 0
for line in open(sys.argv[1]):
    location = json.loads(line)["attachment"]
    if not location.startswith("http"):
        continue
    assert location.startswith(prefix), location
    stored = s3.get_object(Bucket="renditions", Key=location[len(prefix):])
    assert hashlib.sha256(stored["Body"].read()).hexdigest() in location, location
    assert stored["ContentType"].startswith("image/"), stored["ContentType"]
    assert "immutable" in stored["CacheControl"], stored["CacheControl"]
    found += 1
print(f"{found} payloads with a URL, all found")
END
}

for kind in swift moto; do
    url=$("$here/stores.sh" up $kind store)
    echo "$kind at $url"
    for name in lake-baseline.jpg still-life.png thimble-alpha.png dunes-grey.jpg meadow.tiff; do
        echo '{"attachment":"'"$images/$name"'"}'
    done >in.ndjson
    stage() {
        thimble stage --container "container-$kind" --allow-root "$images" --deadline 8 "$@" \
            --publish s3://renditions/$kind --s3-endpoint "$url" <in.ndjson 2>>reports
    }
    stage >out
    check out "$url"
    stage >out
    check out "$url"
    AWS_SECRET_ACCESS_KEY=wrong stage --quality 60 >out && [ $kind = swift ] \
        && { echo "a wrong key was accepted"; exit 1; }
    if [ $kind = swift ]; then
        for round in 1 2 3; do
            stage --quality 7$round >out &
            sleep 0.$((RANDOM % 6 + 1))
            STORE_SIGNAL=-KILL "$here/stores.sh" down store
            wait $! || true
            url=$("$here/stores.sh" up $kind store)
            check out "$url"
        done
    fi
    "$here/stores.sh" down store
    rm -rf store
done
