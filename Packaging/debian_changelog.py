#!/usr/bin/python3
"""Prints the changelog of a Debian package, from CHANGELOG.md: debian_changelog.py VERSION

The date is SOURCE_DATE_EPOCH's. Debian's form has one entry for a version, with the lines of the first section.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
from email.utils import formatdate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def maintainer() -> str:
    return re.search(r"^Maintainer: (.*)", (ROOT / "Packaging/debian/thimble.control").read_text(), re.MULTILINE)[1]


def main() -> None:
    section = re.split(r"(?m)^## ", (ROOT / "CHANGELOG.md").read_text())[1]
    print(f"thimble ({sys.argv[1]}) unstable; urgency=medium\n")
    for change in re.findall(r"(?m)^- (.*(?:\n  .*)*)", section):
        text = re.sub(r"\s+", " ", change).replace("`", "'")
        print(textwrap.fill(text, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False))
    date = formatdate(int(os.environ["SOURCE_DATE_EPOCH"]))
    print(f"\n -- {maintainer()}  {date.replace('-0000', '+0000')}")


if __name__ == "__main__":
    main()
