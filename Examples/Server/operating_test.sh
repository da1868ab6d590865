#!/usr/bin/env bash
# Runs the commands of OPERATING.md in an empty Debian 12: operating_test.sh BUILD_FOLDER [ROOT]
# ROOT is a root that debootstrap made before, and is kept. Without it one is made, and removed.
#
# Blocks `sh` run as they are, in the root. Those with apt-get have the network of the machine, all others one of
# their own, so that no port of this machine is used. Of blocks `sh systemd`, each line has a trial below.
# Needs root, debootstrap, iproute2 and util-linux.
set -euo pipefail
page=$(dirname "$(realpath "$0")")/OPERATING.md
built=$(realpath "$1")
[ -n "${THIMBLE_MOUNTS:-}" ] || THIMBLE_MOUNTS=own exec unshare --mount "$0" "$@"

work=$(mktemp -d "${TMPDIR:-/var/tmp}/thimble-operating-XXXXXX")
root=${2:-$work/root}
log=$work/log
declare -A running=()

end() {
    local process
    for process in "${running[@]}" ${network:-}; do kill "$process" 2>/dev/null || true; done
    wait || true
    umount -lR "$root/proc" "$root/dev" "$checkout"/{Examples,Images,.build/release} 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
checkout=$root/root/thimble
trap end EXIT

fail() { echo "$1"; shift; [ $# = 0 ] || tail -n 20 "$@"; exit 1; }

assemble() {
    echo "Assembling an empty Debian 12"
    [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root" >"$log" 2>&1 \
        || fail "debootstrap failed" "$log"
    # As Debian's installer writes it.
    echo "127.0.0.1 localhost" >"$root/etc/hosts"
    rm -rf "$root/var/lib/thimble" "$root"/var/lib/prometheus/*/*
    # Debian's packages would start services.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    mkdir -p "$checkout"/{Examples,Images,.build/release}
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --make-rslave "$root/dev"
    mount --bind "$(dirname "$page")/.." "$checkout/Examples"
    mount --bind "$(dirname "$page")/../../Images" "$checkout/Images"
    mount --bind "$built" "$checkout/.build/release"
    # A build for tests links the toolchain's runtime; `make server` does not.
    mkdir -p "$root/usr/local/lib/thimble"
    ldd "$built/thimble-server" "$built/thimble-worker" | awk '$3 ~ "/swift/" { print $3 }' | sort -u \
        | xargs -r cp -t "$root/usr/local/lib/thimble/"
    unshare --net sleep infinity &
    network=$!
    until [ "$(readlink "/proc/$network/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
    inside=(nsenter --net="/proc/$network/ns/net" "${chrooted[@]}")
    nsenter --net="/proc/$network/ns/net" ip link set lo up
}

variables=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    LD_LIBRARY_PATH=/usr/local/lib/thimble DEBIAN_FRONTEND=noninteractive)

# Words before a command that run it in the root, and in its network, by the same process.
chrooted=(chroot "$root" /usr/bin/env -i "${variables[@]}")

# A service of Debian, as its unit starts it.
daemon() { # NAME USER FOLDER
    local command
    command=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/$1.service")
    [ -n "$command" ] || fail "no unit $1"
    "${inside[@]}" bash -c "cd $3; . /etc/default/$1 2>/dev/null; exec setpriv --reuid $2 --regid $2 --init-groups $command" \
        >"$work/$1.log" 2>&1 &
    running[$1]=$!
}

unit=$root/etc/systemd/system/thimble-server.service
# shellcheck source=Examples/Server/unit.sh
. "$(dirname "$page")/unit.sh"
# shellcheck source=Examples/Server/blocks.sh
. "$(dirname "$page")/blocks.sh"

# The trial of a line that needs systemd.
instead() { # LINE
    echo "instead of: $1"
    case $1 in
        'systemctl daemon-reload') ;;
        'systemctl enable --now thimble-server') start ;;
        'systemctl restart thimble-server') stop; start ;;
        'systemctl restart nginx') "${inside[@]}" nginx; running[nginx]=$(cat "$root/run/nginx.pid") ;;
        'systemctl restart prometheus prometheus-alertmanager')
            daemon prometheus prometheus /var/lib/prometheus
            daemon prometheus-alertmanager prometheus /var/lib/prometheus ;;
        systemd-run*" sh -c '"*"'")
            local command=${1#*" sh -c '"}
            "${service[@]}" sh -c "${command%"'"}" | tee "$log"
            grep -q '^warning  port .*a thimble-server runs here' "$log" || fail "the doctor sees no service" "$log" ;;
        'journalctl -u thimble-server -o cat | '*)
            "${inside[@]}" bash -c "${1#*| }" <"$work/service.log" || fail "nothing in the log" "$work/service.log" ;;
        *) fail "no trial of: $1" ;;
    esac
}

run() { # LANGUAGE BLOCK
    local line
    case $1 in
        'sh systemd') while IFS= read -r line; do instead "$line"; done <<<"$2" ;;
        sh)
            echo "> ${2//$'\n'/$'\n'> }"
            local shell=(bash -euo pipefail -c "cd /root/thimble; $2")
            if [[ $2 == *apt-get* ]]; then
                "${chrooted[@]}" "${shell[@]}" >"$log" 2>&1
            else
                "${inside[@]}" timeout 60 "${shell[@]}" >"$log" 2>&1
            fi || fail "exit code $?" "$log" "$work"/*.log
            tail -n 3 "$log" ;;
        *) fail "a block of unknown language: $1" ;;
    esac
}

assemble
blocks "$page"
[ "$count" -ge 15 ] || fail "only $count blocks were found"
stop
echo "All $count blocks of the page succeed"
