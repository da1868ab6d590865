#!/usr/bin/env bash
# Assembles the file system of the image without a container engine, and starts the service in it as the image
# does: an unprivileged user, a read-only root, one volume. image_test.sh BUILD_FOLDER
#
# Needs root, debootstrap, iproute2 and curl.
set -euo pipefail
built=$(realpath "$1")
cd "$(dirname "$0")"
programs=(thimble-server thimble-row-worker thimble-worker thimble-transfer)

assemble() {
    echo "Assembling the file system"
    debootstrap --variant=minbase bookworm "$root" >"$log" 2>&1 || { tail "$log"; exit 1; }
    xargs -a packages.txt chroot "$root" apt-get install -qq -y --no-install-recommends ca-certificates \
        >"$log" 2>&1 || { tail "$log"; exit 1; }
    mkdir -p "$root/usr/local/lib/thimble"
    for program in "${programs[@]}"; do cp "$built/$program" "$root/usr/local/lib/thimble/"; done
    # A build for tests links the toolchain's runtime; `make server` does not.
    ldd "$built/thimble-server" "$built/thimble-worker" | awk '$3 ~ "/swift/" { print $3 }' | sort -u \
        | xargs -r cp -t "$root/usr/local/lib/thimble/"
    chroot "$root" useradd --system --home-dir /var/lib/thimble --create-home thimble
    ! chroot "$root" ldd "${programs[@]/#//usr/local/lib/thimble/}" | grep 'not found' \
        | grep -vE 'lib(swift|dispatch|BlocksRuntime|_?Foundation)' \
        || { echo "a library is in no package of packages.txt"; exit 1; }
}

# answer STATUS ARGUMENT...: a request and its expected status.
answer() {
    local status
    status=$(curl -s -o "$folder/answer" -w '%{http_code}' "${@:2}")
    [ "$status" = "$1" ] || { echo "status $status instead of $1: ${*:2}"; cat "$folder/answer" "$log"; exit 1; }
}

# In namespaces of its own, which end with it.
serve() {
    ip link set lo up
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o "mode=700,uid=$(stat -c %u "$root/var/lib/thimble")" tmpfs "$root/var/lib/thimble"
    mount -o remount,bind,ro "$root"
    echo "Starting the service"
    mapfile -t variables < <(grep -o 'THIMBLE_SERVER_[A-Z_]*=[^ \\]*' Dockerfile)
    chroot --userspec=thimble "$root" /usr/bin/env -i PATH=/usr/bin:/bin \
        LD_LIBRARY_PATH=/usr/local/lib/thimble "${variables[@]}" setpriv --no-new-privs \
        /usr/local/lib/thimble/thimble-server serve --allow-http --allow-network 127.0.0.0/8 \
        --allow-port 8080 --cap 48MiB >"$log" 2>&1 &
    server=$!
    trap 'kill -KILL $server 2>/dev/null || true' EXIT
    for _ in $(seq 200); do
        curl -sf -o "$folder/answer" localhost:9090/health/ready && break
        kill -0 $server || { cat "$log"; exit 1; }
        sleep 0.05
    done
    [ "$(awk '/^Uid/ { print $2 }' /proc/$server/status)" != 0 ] || { echo "it runs as root"; exit 1; }
    ! touch "$root/etc/written" 2>/dev/null || { echo "its root can be written"; exit 1; }
    echo "Sending pictures of each format, and one by URL"
    for picture in still-life-ready.jpg:jpeg still-life.png:png meadow-lossy.webp:webp lake-evening.heic:heic; do
        answer 201 --data-binary @"../../Images/${picture%%:*}" -H "Content-Type: image/${picture##*:}" \
            localhost:8080/v1/attachments
    done
    path=$(grep -oE '/v1/renditions/[^"]*' "$folder/answer" | head -n 1)
    answer 201 -d "{\"url\": \"http://127.0.0.1:8080$path\"}" -H 'Content-Type: application/json' \
        localhost:8080/v1/attachments
    kill $server
    wait $server || { echo "exit code $? after SIGTERM"; cat "$log"; exit 1; }
    trap - EXIT
}

if [ -z "${THIMBLE_IMAGE_FOLDER:-}" ]; then
    export THIMBLE_IMAGE_FOLDER
    THIMBLE_IMAGE_FOLDER=$(mktemp -d "${TMPDIR:-/var/tmp}/thimble-image-XXXXXX")
    trap 'rm -rf --one-file-system "$THIMBLE_IMAGE_FOLDER"' EXIT
    folder=$THIMBLE_IMAGE_FOLDER root=$THIMBLE_IMAGE_FOLDER/root log=$THIMBLE_IMAGE_FOLDER/log
    assemble
    unshare --mount --net "$PWD/$(basename "$0")" "$built"
    echo "The service answers in the image's file system"
else
    folder=$THIMBLE_IMAGE_FOLDER root=$THIMBLE_IMAGE_FOLDER/root log=$THIMBLE_IMAGE_FOLDER/log
    serve
fi
