#!/usr/bin/env bash
# Installs missing packages of lists in packages.txt, and others by name: install.sh LIST... [-- PACKAGE...]
#
# Runs under the bash 3.2 of macOS, too.
set -euo pipefail
cd "$(dirname "$0")"

# packages LIST: prints the packages of a list, one a line.
packages() {
    awk -v wanted="$1" '
        function show(list,    words, count, i) {
            if (!(list in lists)) {
                print "packages.txt has no list " list >"/dev/stderr"
                exit 1
            }
            count = split(lists[list], words)
            for (i = 1; i <= count; i++)
                if (words[i] ~ /^@/) show(substr(words[i], 2)); else print words[i]
        }
        /^#/ { next }
        /^[a-z-]+:$/ { name = substr($0, 1, length($0) - 1); lists[name] = ""; next }
        { lists[name] = lists[name] " " $0 }
        END { show(wanted) }' packages.txt
}

# apt COMMAND...: runs apt-get as root.
apt() {
    if [ "$(id -u)" = 0 ]; then apt-get -qq "$@"; else sudo DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"; fi
}

wanted=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    listed=$(packages "$1")
    wanted="$wanted $listed"
    shift
done
[ $# -eq 0 ] || shift
wanted="$wanted $*"

if command -v dpkg-query >/dev/null; then
    missing=()
    for package in $wanted; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || exit 0
    echo "Installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    apt update
    apt install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 || { cat "$log"; exit 1; }
elif command -v brew >/dev/null; then
    libraries=$(packages homebrew | xargs)
    # Word splitting is intended: each is an argument.
    # shellcheck disable=SC2086
    brew list $libraries >/dev/null 2>&1 || {
        echo "Installing $libraries"
        brew install --quiet $libraries pkg-config
    }
else
    echo "Install libcurl 7.87, libvips 8.14, OpenSSL 3.0, dav1d 1.0, libaom 3.6, libde265 1.0.11," \
        "libjpeg-turbo 2.1, libjxl 0.7, libpng 1.6, Little CMS 2.14, libtiff 4.5, libwebp 1.2 and zlib, or later" \
        "ones, with their headers, and pkg-config"
    exit 1
fi
