# Functions for roots of Debian releases, to be sourced: roots that debootstrap made are kept in .build/roots.
# shellcheck shell=bash

roots=${THIMBLE_ROOTS:-$PWD/.build/roots}

fail() { echo "$1" >&2; shift; [ $# = 0 ] || tail -n 20 "$@" >&2; exit 1; }

# base RELEASE: makes the kept root of a release, once.
base() {
    local root=$roots/$1
    [ -e "$root/.complete" ] && return
    rm -rf --one-file-system "$root"
    mkdir -p "$roots"
    echo "Assembling Debian $1"
    debootstrap --variant=minbase "$1" "$root" >"$roots/log" 2>&1 || fail "debootstrap failed" "$roots/log"
    # Debian's packages would start services.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    touch "$root/.complete"
}

# copy RELEASE FOLDER: a root of one's own, as of the first start.
copy() {
    base "$1"
    cp -a --reflink=auto "$roots/$1" "$2"
    echo "127.0.0.1 localhost" >"$2/etc/hosts"
    cp /etc/resolv.conf "$2/etc/resolv.conf"
}

# devices ROOT: mounts /proc and /dev, for a process in a mount namespace of its own.
devices() {
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount --make-rslave "$1/dev"
}

# inside ROOT COMMAND...: runs a command in a root, with a clean environment.
inside() {
    chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:2}"
}
