#!/usr/bin/env bash
# Installs the peers of `make server-peers` in .build/server-peers. Those that are not available are left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=$PWD/.build/server-peers
mkdir -p "$peers"

# environment NAME PIP_ARGUMENT...: an environment of Python with packages.
environment() {
    [ -x "$peers/$1/bin/python" ] || /usr/bin/python3 -m venv "$peers/$1" || return 1
    "$peers/$1/bin/python" -m pip install --quiet --disable-pip-version-check "${@:2}"
}

# nginx with its image filter. Debian's package would start a server, so it is unpacked only.
nginx() {
    local package
    cd "$peers" && apt-get download -qq nginx libnginx-mod-http-image-filter || return 1
    for package in *.deb; do dpkg -x "$package" root || return 1; done
}

# libvips of PyPI. In this order: pyvips that comes second would be built against the system's libvips.
libvips() {
    local package packages
    mapfile -t packages < <(grep pyvips bench/python.txt)
    for package in "${packages[@]}"; do environment vips "$package" || return 1; done
}

[ -x "$peers/root/usr/sbin/nginx" ] || (nginx) || echo "nginx is not available; it is left out"
[ -x "$peers/python/bin/thumbor" ] || environment python -r bench/server/peers.txt \
    || echo "Thumbor is not available; it is left out"
libvips || { rm -rf "$peers/vips"; echo "libvips of PyPI is not available; it is left out"; }
