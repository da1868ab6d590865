#!/usr/bin/python3
"""Prints the copyright file of a Debian package with some of the programs: copyright.py BUILD_FOLDER PROGRAM...

It names the packages of Swift that the programs contain. Libraries of Debian have files of their own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from linked import checkouts, dependencies, licence

HEAD = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: thimble
Source: https://example.org/thimble
Comment:
 The programs contain the packages of Swift below and the run-time library of
 Swift. They also link libraries of the system.
"""

OWN = """
Files: *
Copyright: 2026 The authors of Thimble
License: Apache-2.0
"""

SWIFT = """
Files: run-time-library-of-Swift
Copyright: 2014-2026 Apple Inc. and the Swift project authors
License: Apache-2.0 with Runtime Library Exception
 Apache-2.0, as below. As an exception, if you use this Software to compile
 your source code and portions of this Software are embedded into the binary
 product as a result, you may redistribute such product without providing
 attribution as would otherwise be required by Sections 4(a), 4(b) and 4(d) of
 the License.
"""

APACHE = """
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0
"""

NOTICE = re.compile(r"Copyright \(c\) (?:(\d{4})(?:\s*-\s*(\d{4}))? )?(.+)")


def indented(text: str) -> str:
    """Further lines of a field."""
    return "".join(f"\n {line.rstrip()}" if line.strip() else "\n ." for line in text.strip().splitlines())


def holders(folder: Path) -> str:
    """The copyright notices of the sources, one a line: each holder with the first and last year."""
    years: dict[str, set[str]] = {}
    for path in folder.glob("Sources/**/*.swift"):
        if match := NOTICE.search(path.read_text()):
            years.setdefault(match[3].strip(), set()).update(filter(None, match.groups()[:2]))
    if not years:
        sys.exit(f"{folder} has no copyright notice")
    return "\n".join(
        " ".join(filter(None, ["-".join(sorted({min(found), max(found)})) if found else "", holder]))
        for holder, found in sorted(years.items()))


def main() -> None:
    built, programs = Path(sys.argv[1]), [Path(argument) for argument in sys.argv[2:]]
    sources = dependencies(built)
    print(HEAD + OWN + SWIFT, end="")
    texts = []
    for name in sorted({name for program in programs for name in checkouts(built, program.name)}):
        folder = built / "../../checkouts" / name
        state = sources[name]["state"]["checkoutState"]
        version = state.get("version") or state["revision"]
        short, text = licence(folder)
        print(f"\nFiles: {name}-{version}\nCopyright:{indented(holders(folder))}\nLicense: {short}")
        # The Apache License requires these notices.
        for notice in folder.glob("NOTICE*"):
            print(f"Comment:{indented(notice.read_text())}")
        if text:
            texts.append(f"\nLicense: {short}{indented(text)}")
    print(APACHE + "\n".join(texts))


if __name__ == "__main__":
    main()
