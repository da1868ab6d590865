#!/usr/bin/env bash
# Removes what install.sh installed below DESTDIR and PREFIX, and the folders that it created, unless others use them.
set -euo pipefail
top=${DESTDIR:-}${PREFIX:-/usr/local}
list=$top/libexec/thimble/installed
[ -e "$list" ] || { echo "nothing is installed: there is no $list" >&2; exit 1; }
mapfile -t entries <"$list"
for entry in "${entries[@]}"; do [[ $entry == */ ]] || rm -f "$top/$entry"; done
# Inner folders follow their outer ones in the list.
for ((i = ${#entries[@]} - 1; i >= 0; i--)); do
    [[ ${entries[i]} != */ ]] || rmdir --ignore-fail-on-non-empty "$top/${entries[i]}" 2>/dev/null || true
done
echo "Removed what was installed below $top"
