#!/usr/bin/python3
"""Prints the copyright file of the Debian packages: copyright.py BUILD_FOLDER

It names the packages of Swift that the programs link statically, from the checkouts of the build, which has those
of the service too if that was built. Libraries of Debian have files of their own.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

HEAD = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: thimble
Source: https://example.org/thimble
Comment:
 The programs contain the packages of Swift below and the run-time library of
 Swift. They also link libraries of the system. Of these, libimagequant is
 under the GPL, version 3 or later, so the workers as a whole may only be
 distributed under its conditions: /usr/share/common-licenses/GPL-3

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


def licence(folder: Path) -> tuple[str, str]:
    """The licence's name, and its text if Debian does not have it."""
    files = sorted(folder.glob("LICENSE*")) + sorted(folder.glob("COPYING*"))
    if not files:
        sys.exit(f"{folder} has no licence")
    text = files[0].read_text()
    if "Apache License" in text:
        return "Apache-2.0", ""
    if "Permission is hereby granted, free of charge" in text:
        return f"Expat-{folder.name}", text
    sys.exit(f"{files[0]}: the licence is unknown; add it to {Path(__file__).name}")


def main() -> None:
    built = Path(sys.argv[1])
    state = json.loads((built / "workspace-state.json").read_text())
    versions = {
        dependency["subpath"]: dependency["state"].get("checkoutState", {})
        for dependency in state["object"]["dependencies"]}
    print(HEAD + SWIFT, end="")
    texts = []
    for folder in sorted((built / "checkouts").iterdir()):
        # What earlier builds fetched stays there.
        if folder.name not in versions:
            continue
        checkout = versions[folder.name]
        version = checkout.get("version") or checkout.get("revision", "")
        name, text = licence(folder)
        print(f"\nFiles: {folder.name}-{version}\nCopyright:{indented(holders(folder))}\nLicense: {name}")
        # The Apache License requires these notices.
        for notice in folder.glob("NOTICE*"):
            print(f"Comment:{indented(notice.read_text())}")
        if text:
            texts.append(f"\nLicense: {name}{indented(text)}")
    print(APACHE + "\n".join(texts))


if __name__ == "__main__":
    main()
