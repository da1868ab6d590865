#!/usr/bin/env bash
# Checks the libraries that the built programs link. The argument is a build folder.
set -euo pipefail
built=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# only NAME LIBRARY PATTERN PROGRAM OTHER...: fails unless PROGRAM links LIBRARY and the others no library of the pattern.
only() {
    local name=$1 library=$2 pattern=$3 program=$4 other
    shift 4
    for other in "$program" "$@"; do
        [ -x "$built/$other" ] || { echo "the check itself is broken: $other is not built"; exit 1; }
    done
    readelf -d "$built/$program" | grep "NEEDED.*$library" >/dev/null \
        || { echo "the check itself is broken: $program does not link $name"; exit 1; }
    for other; do
        ! readelf -d "$built/$other" | grep -E "NEEDED.*$pattern" || { echo "$other must not link $name"; exit 1; }
    done
}

echo "Checking that only one worker links libvips"
only libvips libvips 'lib(vips|glib|gobject)' thimble-worker \
    show-notification thimble thimble-row-worker thimble-transfer

echo "Checking that only one program links libcurl"
only libcurl libcurl libcurl thimble-transfer show-notification thimble thimble-row-worker thimble-worker

echo "Checking that no program links a library under the GPL: those of the formats, of films and of pages"
gpl='lib(imagequant|x264|x265|xvidcore|postproc|vidstab|rubberband|dvdcss|fftw3f?|gsl|poppler|gs|mupdf|readline)[-.]'
for program in "$built"/{show-notification,thimble,thimble-server,thimble-row-worker,thimble-worker,thimble-transfer}; do
    ! readelf -d "$program" | grep -E "NEEDED.*\[$gpl" || { echo "$program must not link a library under the GPL"; exit 1; }
done

echo "Checking that no program uses more than the essentials of Foundation: ICU is 40 MB, and costs 0.4 MB of every cap"
for program in thimble thimble-worker thimble-row-worker thimble-transfer; do
    ! nm -D --undefined-only "$built/$program" | "${SWIFT:-swift}" demangle --compact \
        | grep -E ' Foundation\.|extension in Foundation\)' || { echo "$program must not use these"; exit 1; }
    # A static run-time library leaves no undefined symbols; the data of ICU have this name.
    ! grep -q icudt "$built/$program" || { echo "$program must not contain ICU"; exit 1; }
done

echo "Checking the packages of the image"
# The list is of Debian 12, as the image is.
! grep -qs bookworm /etc/os-release \
    || Examples/Server/packages.sh "$built"/{thimble-server,thimble-row-worker,thimble-worker,thimble-transfer} \
    | diff Examples/Server/packages.txt - || { echo "packages.txt is not what the programs link"; exit 1; }
