#!/usr/bin/env bash
# Builds the documentation of every module with a catalog as a static site. Arguments: the folder of the modules'
# symbol graphs, the folder for the site, and the path under which it will be served or an empty one for the root.
set -euo pipefail
cd "$(dirname "$0")/../.."
graphs=$1 output=$2 base=$3
mapfile -t catalogs < <(find Sources -name '*.docc' | sort)
[ ${#catalogs[@]} -gt 0 ] || { echo "Sources has no catalogs"; exit 1; }
archives=$output/archives site=$output/site tutorials=Examples/Documentation/Thimble.docc
rm -rf "$output"
mkdir -p "$archives"

# convert NAME CATALOG IDENTIFIER [OPTION...]: makes the pages of a catalog. Text for readers without scripts is
# an experiment of docc that crashes on Linux (--experimental-transform-for-static-hosting-with-content).
convert() {
    local name=$1 catalog=$2 identifier=$3
    shift 3
    docc convert "$catalog" "$@" --fallback-display-name "$name" --fallback-bundle-identifier "$identifier" \
        --warnings-as-errors ${base:+--hosting-base-path "$base"} \
        --output-path "$archives/$name.doccarchive"
}

# summary PAGE: its first sentence, as HTML. title PAGE: its heading.
escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/[*`]//g'; }
summary() { awk 'NR > 1 && NF { print; exit }' "$1" | escaped; }
title() { sed -n '1s/^# *//p' "$1" | escaped; }

item() { echo "    <li><a href=\"documentation/$1/\">$2</a>: $3</li>"; }

# pages TOPIC: the heading of a topic of the first page, and its pages.
pages() {
    local name page
    echo "  <h2>$1</h2>"
    echo "  <ul>"
    for name in $(sed -n "/^### $1\$/,/^### /s/^- <doc:\(.*\)>\$/\1/p" $tutorials/Thimble.md); do
        page=$tutorials/$name.md
        item "thimble/${name,,}" "$(title "$page")" "$(summary "$page")"
    done
    echo "  </ul>"
}

convert Thimble $tutorials thimble
for catalog in "${catalogs[@]}"; do
    module=$(basename "$catalog" .docc)
    mkdir -p "$archives/$module"
    cp "$graphs/$module"*.symbols.json "$archives/$module"
    convert "$module" "$catalog" "thimble.$module" --additional-symbol-graph-dir "$archives/$module"
done
docc merge "$archives"/*.doccarchive --synthesized-landing-page-name Thimble --output-path "$site"

# The index page replaces an empty one.
{
    cat <<'HTML'
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Thimble</title>
  <style>
    :root { color-scheme: light dark; }
    body { font: 1.05rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 44rem; padding: 0 1rem; }
    li { margin: 0.4rem 0; }
  </style>
</head>
<body>
  <h1>Thimble</h1>
HTML
    echo "  <p>$(summary $tutorials/Thimble.md)</p>"
    pages "Ten minutes"
    pages Tutorials
    pages Frameworks
    pages Guides
    echo "  <h2>Modules</h2>"
    echo "  <ul>"
    for catalog in "${catalogs[@]}"; do
        module=$(basename "$catalog" .docc)
        item "${module,,}" "$module" "$(summary "$catalog/$module.md")"
    done
    echo "  </ul>"
    echo "</body>"
    echo "</html>"
} >"$site/index.html"

count=0
for page in $(sed -n 's/.*href="\([^"]*\)".*/\1/p' "$site/index.html"); do
    [ -s "$site/${page}index.html" ] || { echo "the index page links to $page, which is missing"; exit 1; }
    count=$((count + 1))
done
[ "$count" -gt ${#catalogs[@]} ] || { echo "the index page has only $count links"; exit 1; }
echo "$site, for example: python3 -m http.server --directory $site"
