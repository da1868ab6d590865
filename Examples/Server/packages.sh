#!/usr/bin/env bash
# Prints the Debian packages of the libraries that programs link, one a line: packages.sh PROGRAM...
# Libraries of Swift itself are none of Debian; what they link is.
set -euo pipefail

declare -A seen files

# libraries FILE: collects the files of the libraries that it links itself.
libraries() {
    local name file paths
    paths=$(ldd "$1")
    for name in $(readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p'); do
        [ -z "${seen[$name]:-}" ] || continue
        seen[$name]=yes
        file=$(awk -v name="$name" '$1 == name { print $3 } $1 ~ "/" name "$" { print $1 }' <<<"$paths")
        [ -e "$file" ] || { echo "$1 links $name, which is missing" >&2; exit 1; }
        case $name in
            libswift* | libdispatch* | libBlocksRuntime* | lib_Foundation* | libFoundation*) libraries "$file" ;;
            *) files[$(realpath "$file")]=yes ;;
        esac
    done
}

for program; do libraries "$program"; done
for file in "${!files[@]}"; do
    # Where /lib is a link into /usr, the names of packages' files may lack /usr.
    package=$(dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}") || exit 1
    echo "${package%%:*}"
done | sort -u
