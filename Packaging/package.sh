#!/usr/bin/env bash
# Makes Debian packages for the release of Debian that this runs on, a tarball, and a list in SPDX of what the programs
# contain and link: package.sh BUILD_FOLDER [OUTPUT]. OUTPUT is .build/packages/RELEASE by default.
#
# Needs dpkg-dev, binutils, patchelf and python3. The same commit gives the same bytes.
set -euo pipefail
built=$(realpath "$1")
cd "$(dirname "$0")/.."
# shellcheck source=/dev/null
. /etc/os-release
output=$(realpath -m "${2:-.build/packages/$VERSION_CODENAME}")
architecture=$(dpkg --print-architecture)
# Files are as old as the commit, so that the same commit gives the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
upstream=$(Packaging/version.sh)
# Before its release, a version is lower than the release.
git describe --exact-match --match "v$upstream" >/dev/null 2>&1 \
    || upstream+="~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M)"
version=$upstream-1~deb$VERSION_ID
work=$(mktemp -d "${TMPDIR:-/var/tmp}/thimble-package-XXXXXX")
trap 'rm -rf "$work"' EXIT

[ -x "$built/thimble-server" ] || { echo "$built has no thimble-server; run 'make server' first" >&2; exit 1; }
mkdir -p "$output"
rm -f "$output"/thimble*
umask 022

# The layout is the installation's.
DESTDIR=$work/all PREFIX=/usr Packaging/install.sh "$built" >/dev/null
rm "$work/all/usr/libexec/thimble/installed"
# Digests of the compiler's inputs, and of the whole file, have the paths of the build in them. Nothing reads them.
find "$work/all/usr" -type f -perm -100 \
    -exec strip --strip-unneeded --remove-section=.swift_modhash --remove-section=.note.gnu.build-id {} + \
    -exec patchelf --remove-rpath {} \;

echo "Making the tarball"
name=thimble-$upstream-linux-$(uname -m)
cp -r "$work/all/usr" "$work/$name"
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    -cf - "$name" | gzip -9n >"$output/$name.tar.gz"

echo "Listing what the programs link"
Packaging/sbom.py "$built" "$work/all/usr"/{bin,libexec/thimble}/* >"$output/$name.spdx.json"

# depends PROGRAM...: the packages of the libraries that programs link, with their versions.
depends() {
    mkdir -p "$work/debian"
    printf 'Source: thimble\n\nPackage: thimble\nArchitecture: any\n' >"$work/debian/control"
    (cd "$work" && dpkg-shlibdeps -O "$@" 2>"$work/warnings") | sed 's/^shlibs:Depends=//' \
        || { cat "$work/warnings" >&2; return 1; }
}

# take PACKAGE PATTERN...: moves files of the installation to a package.
take() {
    local root=$work/$1 pattern path
    for pattern in "${@:2}"; do
        # Patterns are expanded here.
        # shellcheck disable=SC2086
        for path in $(cd "$work/all/usr" && echo $pattern); do
            mkdir -p "$root/usr/${path%/*}"
            mv "$work/all/usr/$path" "$root/usr/$path"
        done
    done
}

# finish PACKAGE PROGRAM...: adds documents and control data, and makes the package.
finish() {
    local package=$1 root=$work/$1 documents=$work/$1/usr/share/doc/$1 depends
    # An assignment of its own, because a failure in a declaration would go unnoticed.
    depends=$(depends "${@:2}")
    mkdir -p "$root/DEBIAN" "$documents"
    Packaging/copyright.py "$built" "${@:2}" >"$documents/copyright"
    Packaging/debian_changelog.py "$version" | gzip -9n >"$documents/changelog.Debian.gz"
    gzip -9nc CHANGELOG.md >"$documents/changelog.gz"
    find "$root/usr/share/man" -type f -exec gzip -9n {} +
    local script
    for script in preinst postinst prerm postrm; do
        [ ! -e "Packaging/debian/$package.$script" ] \
            || install -m 755 "Packaging/debian/$package.$script" "$root/DEBIAN/$script"
    done
    [ ! -d "$root/etc" ] || (cd "$root" && find etc -type f -printf '/%p\n' | LC_ALL=C sort >DEBIAN/conffiles)
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    {
        echo "Package: $package"
        echo "Version: $version"
        echo "Architecture: $architecture"
        sed "s/@VERSION@/$version/; s/@DEPENDS@/$depends/" "Packaging/debian/$package.control"
        echo "Installed-Size: $(du -k --apparent-size -s --exclude=DEBIAN "$root" | cut -f 1)"
    } >"$work/control"
    # The description, of several lines, is last.
    awk '/^Description:/ { late = 1 } /^Installed-Size:/ { late = 0 } late { text = text $0 "\n"; next } { print }
        END { printf "%s", text }' "$work/control" >"$root/DEBIAN/control"
    chmod -R u=rwX,go=rX "$root"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    # Level 6 takes a minute for each package, and saves an eighth.
    dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$output" >/dev/null
}

echo "Making the packages $version"
# Debian's zsh looks there.
mkdir -p "$work/all/usr/share/zsh/vendor-completions"
mv "$work/all/usr/share/zsh/site-functions"/* "$work/all/usr/share/zsh/vendor-completions/"
completions='share/*/*completions*/'
take thimble-server bin/thimble-server 'share/man/*/thimble-server*' "$completions*thimble-server*"
take thimble bin/thimble 'libexec/thimble/*' 'share/thimble/*/*/*' 'share/man/*/thimble*' "$completions*thimble*"
server=$work/thimble-server
mkdir -p "$server/usr/lib/systemd/system" "$server/etc/thimble"
sed -E -e 's|/usr/local/lib/thimble/|/usr/bin/|' -e 's|^Documentation=.*|Documentation=man:thimble-server(8)|' \
    -e '1,/^\[Unit\]/ { /^#/d }' Examples/Server/thimble-server.service \
    >"$server/usr/lib/systemd/system/thimble-server.service"
install -m 644 Packaging/debian/server.json "$server/etc/thimble/server.json"
finish thimble "$work/thimble/usr/bin/thimble" "$work/thimble/usr/libexec/thimble"/*
finish thimble-server "$server/usr/bin/thimble-server"
(cd "$output" && sha256sum -- *.deb *.tar.gz *.spdx.json >SHA256SUMS && ls -l -- *.deb *.tar.gz *.spdx.json)
