#!/usr/bin/env python3
"""Replace the table and the chart of the peak memory benchmark in a README.

The section stands between two HTML comments, which are not rendered. The table comes from
`latest.md` in the folder of results, as `thimble bench --output` writes it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


def picture(folder: str, name: str, title: str) -> str:
    return f"""<picture>
  <source media="(prefers-color-scheme: dark)" srcset="{folder}/{name}-dark.svg">
  <img alt="{title}" src="{folder}/{name}-light.svg">
</picture>"""


def section(report: str, folder: str) -> str:
    day = re.search(r"^(\d{4}-\d{2}-\d{2})\.", report, re.M)
    survived = re.search(r"^## Files survived, of (\d+)\n\n((?:\|.*\n)+)", report, re.M)
    versions = re.search(r"^\d{4}-\d{2}-\d{2}\..* cap by [^.]*\. (.+)\.$", report, re.M)
    if not day or not survived or not versions:
        sys.exit("error: the report has no date, no versions, or no table of the files survived")
    return "\n\n".join([
        picture(folder, "survived", "Files survived at each cap, by tool"),
        f"Files survived under a hard cap, of {survived.group(1)}, at the size asked for "
        f"({day.group(1)}):",
        survived.group(2).rstrip(),
        f"{versions.group(1)}.",
    ])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("results", type=Path, help="folder with latest.md and the chart")
    arguments.add_argument("readme", type=Path, help="file with the section")
    options = arguments.parse_args()
    old = options.readme.read_text(encoding="utf-8")
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"error: {options.readme} has no section: write {BEGIN} and {END} on lines of "
                 "their own")
    report = (options.results / "latest.md").read_text(encoding="utf-8")
    new = f"{before}{BEGIN}\n\n{section(report, str(options.results))}\n\n{END}{after}"
    # Renamed into place, so that an interrupted run leaves the old file.
    with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=options.readme.resolve().parent, delete=False) as file:
        file.write(new)
    os.chmod(file.name, options.readme.stat().st_mode)
    os.replace(file.name, options.readme)


if __name__ == "__main__":
    main()
