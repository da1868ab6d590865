#!/usr/bin/env bash
# Builds this commit and its packages for another release of Debian, in a root of it: package_for.sh RELEASE
# Releases have different versions of libraries, so each needs programs of its own. The toolchain is this machine's.
# Packages of Swift that a build here has fetched are not fetched again. The root is kept, for later builds.
#
# Needs root, debootstrap, git and util-linux.
set -euo pipefail
[ -n "${THIMBLE_MOUNTS:-}" ] || THIMBLE_MOUNTS=own exec unshare --mount "$0" "$@"
cd "$(dirname "$0")/.."
release=$1
# shellcheck source=Packaging/root.sh
. Packaging/root.sh
root=$roots/$release-build
log=$roots/$release-build.log
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")")

[ -d "$root" ] || copy "$release" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
devices "$root"
mkdir -p "$root/toolchain"
mount --bind "$toolchain" "$root/toolchain"
mount -o remount,bind,ro "$root/toolchain"

echo "Taking the sources of $(git rev-parse --short HEAD)"
if [ -d "$root/thimble/.git" ]; then
    # Files that did not change are not compiled again.
    git -C "$root/thimble" fetch --quiet --tags "$PWD" HEAD
    git -C "$root/thimble" reset --quiet --hard FETCH_HEAD
else
    git clone --quiet --no-hardlinks "$PWD" "$root/thimble"
fi
for path in .build/checkouts .build/repositories .build/workspace-state.json {,Sources/Server/}Package.resolved; do
    [ ! -e "$path" ] || [ -e "$root/thimble/$path" ] \
        || { mkdir -p "$root/thimble/$(dirname "$path")" && cp -a "$path" "$root/thimble/$path"; }
done

# in_root COMMAND...: runs a command in the sources, with this machine's toolchain.
in_root() {
    # shellcheck disable=SC2016 # The shell in the root expands it.
    inside "$root" bash -c 'cd /thimble && PATH=/toolchain/bin:$PATH exec "$@"' bash "$@" >"$log" 2>&1
}

echo "Installing what a build needs"
in_root apt-get update || fail "apt-get failed" "$log"
in_root Tests/Support/install.sh package-root || fail "packages cannot be installed" "$log"
echo "Building for Debian $release"
in_root make build server || fail "the build failed" "$log"
in_root Packaging/package.sh .build/release || fail "the packages cannot be made" "$log"
tail -n 5 "$log"
mkdir -p ".build/packages/$release"
cp "$root/thimble/.build/packages/$release"/* ".build/packages/$release/"
