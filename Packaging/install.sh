#!/usr/bin/env bash
# Installs built programs, their manual pages and completions below DESTDIR and PREFIX, by default /usr/local:
# install.sh BUILD_FOLDER
# The service is installed too if it is built. uninstall.sh removes what PREFIX/libexec/thimble/installed lists.
set -euo pipefail
built=$(realpath "$1")
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
[[ $prefix == /* ]] || { echo "PREFIX is $prefix; name an absolute path" >&2; exit 1; }
top=${DESTDIR:-}$prefix
list=libexec/thimble/installed
internals=(thimble-worker thimble-row-worker thimble-transfer)

for program in thimble "${internals[@]}"; do
    [ -x "$built/$program" ] || { echo "$built has no $program; run 'make build' first" >&2; exit 1; }
done

# Paths below the prefix: files, and folders that did not exist, each with a slash at its end.
entries=()
[ -d "$top" ] || entries+=(/)

# folder PATH: creates a folder and those above it.
folder() {
    local path=$1 missing=()
    while [ ! -d "$top/$path" ]; do
        missing=("$path/" "${missing[@]}")
        [[ $path == */* ]] || break
        path=${path%/*}
    done
    mkdir -p "$top/$1"
    entries+=("${missing[@]}")
}

# file MODE SOURCE PATH: installs a file. A running program keeps its old one.
file() {
    folder "${3%/*}"
    install -m "$1" "$2" "$top/$3.new"
    mv -f "$top/$3.new" "$top/$3"
    entries+=("$3")
}

previous=()
[ ! -e "$top/$list" ] || mapfile -t previous <"$top/$list"
file 755 "$built/thimble" bin/thimble
[ ! -x "$built/thimble-server" ] || file 755 "$built/thimble-server" bin/thimble-server
for program in "${internals[@]}"; do file 755 "$built/$program" "libexec/thimble/$program"; done
for document in LICENSE CHANGELOG.md; do file 644 "$document" "share/doc/thimble/$document"; done

# `thimble bench` needs descriptions of other tools, and scripts for quality.
for script in bench/peers/{peers.json,fit_*.py} bench/fidelity/*.py; do
    [[ $script == */test_* ]] || file 644 "$script" "share/thimble/$script"
done

# Pages and completions are made from the declarations of the programs.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in thimble thimble-server; do
    [ -x "$built/$program" ] || continue
    # Shells source completions, so a line that names an interpreter is misplaced in them.
    for shell in bash zsh fish; do
        "$built/$program" --generate-completion-script $shell | sed '1{/^#!/d;}' >"$work/$shell"
    done
    file 644 "$work/bash" "share/bash-completion/completions/$program"
    file 644 "$work/zsh" "share/zsh/site-functions/_$program"
    file 644 "$work/fish" "share/fish/vendor_completions.d/$program.fish"
done
if command -v python3 >/dev/null; then
    python3 Packaging/manuals.py "$built" "$work/man"
    for page in "$work"/man/*/*; do file 644 "$page" "share/man/${page#"$work/man/"}"; done
else
    echo "No manual pages are installed, because they need python3"
fi

# What an earlier version installed, and this one does not, goes; its folders are still ours.
for entry in "${previous[@]}"; do
    case $entry in
        */) entries+=("$entry") ;;
        *) printf '%s\n' "${entries[@]}" "$list" | grep -qxF -e "$entry" || rm -f "$top/$entry" ;;
    esac
done
printf '%s\n' "${entries[@]}" "$list" | LC_ALL=C sort -u >"$top/$list.new"
mv -f "$top/$list.new" "$top/$list"
echo "Installed $(grep -vc '/$' "$top/$list") files below $top"
