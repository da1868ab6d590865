#!/usr/bin/env bash
# Installs the packages of each release in an empty root of it, without a toolchain, uses them as root and as an
# unprivileged user, purges them, and upgrades older ones: package_test.sh RELEASE...
#
# Needs root, debootstrap, fish, iproute2, lintian, man-db, mandoc, util-linux and zsh.
set -euo pipefail
[ -n "${THIMBLE_MOUNTS:-}" ] || THIMBLE_MOUNTS=own exec unshare --mount "$0" "$@"
cd "$(dirname "$0")/.."
# shellcheck source=Packaging/root.sh
. Packaging/root.sh
# Time from the installation until everything below has worked, in seconds.
limit=60

work=$(mktemp -d "${TMPDIR:-/var/tmp}/thimble-packages-XXXXXX")
log=$work/log
end() {
    [ -z "${server:-}" ] || kill "$server" 2>/dev/null || true
    umount -lR "$work"/*/{proc,dev} "$work"/*/Images 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap end EXIT

# left ROOT: paths of the packages in a root, but for what apt and dpkg keep of every package.
left() {
    find "$1" -xdev \( -path "$1/proc" -o -path "$1/dev" -o -path "$1/Images" -o -path "$1/var/cache" \
        -o -path "$1/var/log" -o -path "$1/var/lib/apt" -o -path "$1/packages" -o -path "$1/older" \) \
        -prune -o -iname '*thimble*' -print
}

# purge ROOT: purges the packages, and checks that nothing is left.
purge() {
    local left
    inside "$1" apt-get purge -y thimble thimble-server >"$log" 2>&1 || fail "apt-get purge failed" "$log"
    left=$(left "$1")
    [ -z "$left" ] || fail "purging leaves: $left"
}

# install ROOT FOLDER: installs the packages of a folder in a root.
install() {
    # shellcheck disable=SC2016 # The shell in the root expands it.
    inside "$1" bash -c 'apt-get install -y --no-install-recommends "$0"/*.deb' "$2" >"$log" 2>&1 \
        || fail "apt-get install failed" "$log"
}

# older PACKAGES FOLDER: makes packages of a lower version, of the same files and one more.
older() {
    local package files=$work/older version
    mkdir -p "$2"
    for package in "$1"/*.deb; do
        rm -rf "$files"
        dpkg-deb --raw-extract "$package" "$files"
        version=$(dpkg-deb --field "$package" Version)
        sed -i "s/${version//./\\.}/0.0.1-1/" "$files/DEBIAN/control"
        touch "$files/usr/bin/older-$(dpkg-deb --field "$package" Package)"
        dpkg-deb --root-owner-group -Znone --build "$files" "$2" >/dev/null
    done
    rm -rf "$files"
}

# upgrade ROOT: upgrades older packages, whose configuration an operator has changed.
upgrade() {
    local token configuration=$1/etc/thimble/server.json
    install "$1" /older
    [ -e "$1/usr/bin/older-thimble-server" ] || fail "the older packages are not installed"
    token=$(<"$1/etc/thimble/tokens")
    sed -i 's/"port" *: *8080/"port": 8090/' "$configuration"
    install "$1" /packages
    [ "$(<"$1/etc/thimble/tokens")" = "$token" ] || fail "an upgrade replaces the token"
    grep -q '"port": 8090' "$configuration" || fail "an upgrade replaces the configuration"
    inside "$1" thimble-server check-config --config /etc/thimble/server.json --container /tmp >"$log" 2>&1 \
        || fail "the new service refuses the old configuration" "$log"
    [ -z "$(find "$1/usr" -name 'older-thimble*')" ] || fail "an upgrade leaves files of the older packages"
    echo "  upgraded, with configuration and token kept"
}

# pages ROOT: checks every manual page of the packages.
pages() {
    local page
    for page in "$1"/usr/share/man/man*/thimble*.gz; do
        zcat "$page" >"$work/page"
        mandoc -Tlint -Wwarning "$work/page" >"$log" || fail "mandoc complains about $page" "$log"
        lexgrog "$page" >"$log" || fail "lexgrog finds no name in $page" "$log"
        page=$(basename "${page%.gz}")
        MANPATH=$1/usr/share/man man -w "${page##*.}" "${page%.*}" >/dev/null || fail "man finds no $page"
    done
}

# completions ROOT PROGRAM WORD EXPECTED: loads a program's completions in each shell. Bash and fish also complete a word.
# shellcheck disable=SC2016 # The shells expand it.
completions() {
    local share=$1/usr/share shell
    declare -A found=(
        [bash]=$(bash --norc --noprofile -c '
            . "$1/bash-completion/completions/$2"
            COMP_LINE="$2 $3" COMP_POINT=$((${#2} + 1 + ${#3})) COMP_WORDS=("$2" "$3") COMP_CWORD=1
            $(complete -p "$2" | sed "s/.* -F \([^ ]*\) .*/\1/") "$2" "$3" "$2"
            echo "${COMPREPLY[@]}"' bash "$share" "$2" "$3" 2>&1)
        [fish]=$(fish --no-config -c '
            source $argv[1]/fish/vendor_completions.d/$argv[2].fish
            complete -C "$argv[2] $argv[3]"' "$share" "$2" "$3" 2>&1 | cut -f 1)
        # Completing needs a terminal.
        [zsh]=$(zsh -f -c '
            fpath=($1/zsh/vendor-completions $fpath)
            autoload -Uz compinit && compinit -D -u && autoload -Uz +X "$_comps[$2]" && echo "$3"
            ' zsh "$share" "$2" "$4" 2>&1)
    )
    for shell in "${!found[@]}"; do
        [ "${found[$shell]}" = "$4" ] || fail "$shell completes '$2 $3' to: ${found[$shell]}"
    done
}

# use USER: what the packages are for, in a network of its own.
# shellcheck disable=SC2016 # The shell in the root expands it.
use() {
    inside "$root" setpriv --reuid "$1" --regid "$1" --clear-groups --no-new-privs bash -euo pipefail -c '
        cd "$(mktemp -d)"
        thimble --version
        thimble doctor --report json >doctor.json
        # Two of the files are intentionally broken, so the exit code is 3; another is no picture.
        thimble batch /Images --container container || [ $? -eq 3 ]
        thimble container verify --container container | tee verified
        grep -q "^$(($(ls /Images | wc -l) - 3)) manifests .* no damage$" verified
        thimble convert /Images/lake-evening.heic -o picture.jpg
        thimble convert - -o - </Images/still-life.png >picture.png
        cp /Images/still-life-ready.jpg .
        cat >payload.json <<END
{"aps": {"alert": "x", "mutable-content": 1}, "attachment-url": "$PWD/still-life-ready.jpg"}
END
        # Only root can read the token of the installation.
        tokens=/etc/thimble/tokens
        [ -r $tokens ] || { tokens=$PWD/tokens && (umask 077 && printf "%064d\n" 1 >$tokens); }
        options=(--config /etc/thimble/server.json --container served --tokens $tokens)
        thimble-server check-config "${options[@]}" >/dev/null
        thimble-server serve "${options[@]}" --allow-root "$PWD" >log 2>&1 &
        server=$!
        for _ in $(seq 200); do
            exec 3<>/dev/tcp/127.0.0.1/8080 && break
            kill -0 $server || { cat log; exit 1; }
            sleep 0.05
        done 2>/dev/null
        printf "POST /v1/stage HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" >&3
        printf "Authorization: Bearer %s\r\n" "$(<$tokens)" >&3
        printf "Connection: close\r\nContent-Length: %s\r\n\r\n" "$(stat -c %s payload.json)" >&3
        cat payload.json >&3
        cat <&3 >answer
        # A payload without a rendition is status 200 too.
        grep -q "^HTTP/1.1 200" answer && grep -q \"outcome\":\"rendition\" answer || { cat answer log; exit 1; }
        kill $server
        wait $server
        rm -rf "$PWD"' >"$log" 2>&1 || fail "as user $1" "$log"
    echo "  as user $1: $(grep -m1 ^thimble "$log"), batch, convert and a staged payload"
}

for release; do
    packages=$(realpath ".build/packages/$release")
    ls "$packages"/*.deb >/dev/null || fail "there are no packages for $release; run 'make package'"
    echo "Debian $release"
    lintian --fail-on error --suppress-tags bad-distribution-in-changes-file "$packages"/*.deb >"$log" 2>&1 \
        || fail "lintian finds errors" "$log"
    root=$work/$release
    copy "$release" "$root"
    devices "$root"
    mkdir -p "$root/Images"
    mount --bind Images "$root/Images"
    mount -o remount,bind,ro "$root/Images"
    mkdir "$root/packages"
    cp "$packages"/*.deb "$root/packages/"
    older "$packages" "$root/older"
    inside "$root" apt-get update >"$log" 2>&1 || fail "apt-get failed" "$log"
    begun=$SECONDS
    install "$root" /packages
    installed=$SECONDS
    export root log
    for user in 0 65534; do
        unshare --net bash -euo pipefail -c "ip link set lo up; $(declare -f use fail inside); use $user" || exit 1
    done
    echo "  installed in $((installed - begun)) s, used within $((SECONDS - installed)) s"
    [ $((SECONDS - installed)) -le $limit ] || fail "that is more than $limit s"
    pages "$root"
    completions "$root" thimble conv convert
    completions "$root" thimble-server check- check-config
    (cd "$root/usr" && find bin/thimble* libexec/thimble -type f -printf '  %s bytes: %p\n')
    purge "$root"
    upgrade "$root"
    purge "$root"
    umount -lR "$root"/{proc,dev,Images}
    rm -rf --one-file-system "$root"
done
echo "The packages work"
