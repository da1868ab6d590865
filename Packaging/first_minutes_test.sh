#!/usr/bin/env bash
# Runs the commands of the pages TenMinutes*.md of Thimble.docc, each page in an empty Debian 12 with the packages and a
# picture in the folder: first_minutes_test.sh [PAGE...]
#
# Blocks `sh` run as they are, in the page's order. Those with apt-get have the network of the machine, all others one of
# their own, so that no port of this machine is used. A block `text` is output of the block before it: each line must be
# there, digits may differ, and … stands for the rest. Lines of blocks `sh systemd` have substitutes below.
# Needs root, debootstrap, iproute2 and util-linux.
set -euo pipefail
[ -n "${THIMBLE_MOUNTS:-}" ] || THIMBLE_MOUNTS=own exec unshare --mount "$0" "$@"
cd "$(dirname "$0")/.."
# shellcheck source=Packaging/root.sh
. Packaging/root.sh
packages=$PWD/.build/packages/bookworm
ls "$packages"/*.deb >/dev/null || fail "there are no packages for bookworm; run 'make package'"
[ $# -gt 0 ] || set -- Examples/Documentation/Thimble.docc/TenMinutes*.md

work=$(mktemp -d "${TMPDIR:-/var/tmp}/thimble-minutes-XXXXXX")
root=$work/root log=$work/log
declare -A running=()
end() {
    local process
    for process in "${running[@]}" ${network:-}; do kill "$process" 2>/dev/null || true; done
    wait || true
    umount -lR "$root"/{proc,dev} 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap end EXIT

unshare --net sleep infinity &
network=$!
until [ "$(readlink "/proc/$network/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
nsenter --net="/proc/$network/ns/net" ip link set lo up
# Words before a command that run it in the root, and in its network, by the same process.
chrooted=(chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
inside=(nsenter --net="/proc/$network/ns/net" "${chrooted[@]}")
unit=$root/usr/lib/systemd/system/thimble-server.service
# shellcheck source=Examples/Server/unit.sh
. Examples/Server/unit.sh
# shellcheck source=Examples/Server/blocks.sh
. Examples/Server/blocks.sh

# begin: makes the empty root with what a reader has.
begin() {
    copy bookworm "$root"
    devices "$root"
    mkdir "$root/root/first"
    cp "$packages"/*.deb "$root/root/first"
    cp Images/lake-evening.heic "$root/root/first/photo.heic"
}

finish() {
    umount -lR "$root"/{proc,dev}
    rm -rf --one-file-system "$root"
}

instead() { # LINE
    case $1 in
        'systemctl enable --now thimble-server') start ;;
        'systemctl disable --now thimble-server') stop ;;
        *) fail "no substitute for: $1" ;;
    esac
}

comparable() { sed -E 's/[0-9a-f]{16,}/#/g; s/[0-9]+(\.[0-9]+)?( ?[kM]?B\b)?/0/g; s/ +$//'; }

# expect TEXT: fails unless the output of the last block has each line.
expect() {
    comparable <"$log" >"$work/found"
    comparable <<<"$1" | while IFS= read -r line; do
        LINE=$line awk '
            BEGIN { line = ENVIRON["LINE"]; rest = sub(/…$/, "", line) }
            $0 == line || rest && index($0, line) == 1 { found = 1; exit }
            END { exit !found }' "$work/found" || fail "the output lacks: $line" "$log"
    done
}

run() { # LANGUAGE BLOCK
    local line
    case $1 in
        text) expect "$2" ;;
        'sh systemd') while IFS= read -r line; do instead "$line"; done <<<"$2" ;;
        sh)
            local words=("${inside[@]}")
            [[ $2 != *apt-get* ]] || words=("${chrooted[@]}")
            "${words[@]}" timeout 300 bash -euo pipefail -c "cd /root/first; $2" >"$log" 2>"$work/errors" \
                || fail "exit code $? of: $2" "$log" "$work/errors" "$work"/*.log
            cat "$work/errors" >>"$log" ;;
        *) fail "a block of unknown language: $1" ;;
    esac
}

for page; do
    begun=$SECONDS
    begin
    blocks "$page"
    [ "$count" -ge 6 ] || fail "only $count blocks were found in $page"
    finish
    echo "$(basename "$page" .md): $count blocks in $((SECONDS - begun)) s"
done
