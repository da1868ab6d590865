#!/usr/bin/python3
"""Writes a package with a target for each Swift listing of the pages: listings.py PAGES FOLDER DEPENDENCY

PAGES is a checkout, DEPENDENCY the line of the manifest that names the package. A listing begins with the comment
`// Products: NAME, NAME`, and its target has these products only. Listings that begin with an import are for Apple's
platforms; `make lint` checks them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# With fewer listings, this program misses some.
FEWEST = 8


def listings(pages: Path) -> Iterator[tuple[str, list[str], str]]:
    """Page, products and code of each listing."""
    paths = [pages / "README.md", *sorted(pages.glob("Examples/**/*.md")), *sorted(pages.glob("Sources/**/*.md"))]
    for path in paths:
        for code in re.findall(r"^```swift\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL):
            if match := re.match(r"// Products: (.+)\n", code):
                yield str(path.relative_to(pages)), match[1].split(", "), code


def main() -> None:
    pages, folder, dependency = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    targets = []
    for page, products, code in listings(pages):
        name = f"Listing{len(targets) + 1}"
        path = folder / "Sources" / name / "Listing.swift"
        path.parent.mkdir(parents=True)
        path.write_text(f"// {page}\n{code}")
        dependencies = ", ".join(f'.product(name: "{product}", package: "thimble")' for product in products)
        targets.append(f'        .target(name: "{name}", dependencies: [{dependencies}]),\n')
    if len(targets) < FEWEST:
        sys.exit(f"the pages have {len(targets)} listings with products, but at least {FEWEST} were expected")
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n"
        '    name: "listings",\n    platforms: [.macOS(.v15)],\n'
        f"    dependencies: [{dependency}],\n    targets: [\n{''.join(targets)}    ]\n)\n")
    print(f"{len(targets)} listings")


if __name__ == "__main__":
    main()
