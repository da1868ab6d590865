#!/usr/bin/python3
"""Prints what built programs contain and link, as SPDX 2.3 in JSON: sbom.py BUILD_FOLDER PROGRAM...

BUILD_FOLDER has the lists of objects that the linker got for each program; from them follow the packages of Swift in
it. The programs may be stripped copies elsewhere: their own tables name the libraries of the system, whose packages
dpkg knows. The same programs give the same bytes; the date is SOURCE_DATE_EPOCH's.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from linked import checkouts, dependencies, libraries, licence

ROOT = Path(__file__).resolve().parent.parent
SUPPLIER = "Organization: The authors of Thimble"
# What the tools that read these documents require of each package (SPDX 2.3, clause 7).
REQUIRED = ("SPDXID", "name", "versionInfo", "downloadLocation", "filesAnalyzed", "licenseConcluded",
            "licenseDeclared", "copyrightText", "supplier")
LINKS = ("STATIC_LINK", "DYNAMIC_LINK")


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def identifier(kind: str, name: str) -> str:
    """SPDX allows letters, digits, dots and hyphens."""
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.]", "-", name)


def package(spdx_id: str, name: str, version: str, **fields: object) -> dict:
    return {
        "SPDXID": spdx_id, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION", "supplier": "NOASSERTION", **fields}


def reference(locator: str) -> list[dict]:
    """The package's URL, by which scanners find known faults."""
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]


def swift_package(built: Path, dependency: dict) -> dict:
    location, state = dependency["packageRef"]["location"], dependency["state"]["checkoutState"]
    version = state.get("version") or state["revision"]
    name = dependency["packageRef"]["identity"]
    # The other one that is accepted is Expat's, which SPDX calls MIT.
    name_of_licence = licence(built / "../../checkouts" / dependency["subpath"])[0]
    licence_id = name_of_licence if name_of_licence == "Apache-2.0" else "MIT"
    site = re.sub(r"^https?://|\.git$", "", location)
    return package(
        identifier("Swift", name), name, version, downloadLocation=f"git+{location}@{state['revision']}",
        licenseDeclared=licence_id, externalRefs=reference(f"pkg:swift/{site}@{version}"))


def run_time_library() -> dict:
    """The static run-time library, which comes with the compiler."""
    version = re.search(r"Swift version (\S+)", output(os.environ.get("SWIFT", "swift"), "--version"))[1]
    return package(
        "SPDXRef-Swift-runtime", "swift-runtime", version, licenseDeclared="Apache-2.0 WITH Swift-exception",
        downloadLocation=f"git+https://github.com/swiftlang/swift@swift-{version}-RELEASE",
        supplier="Organization: Apple Inc. and the Swift project authors")


def debian_package(name: str) -> dict:
    version, architecture = output(
        "dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", name).split("\n")[0].split()
    release = re.search(r"(?m)^VERSION_CODENAME=(.*)", Path("/etc/os-release").read_text())[1]
    return package(
        identifier("Debian", name), name, version, supplier="Organization: Debian",
        externalRefs=reference(f"pkg:deb/debian/{name}@{version}?arch={architecture}&distro={release}"))


def document(built: Path, programs: list[Path]) -> dict:
    version = output(ROOT / "Packaging/version.sh")
    sources = dependencies(built)
    packages: dict[str, dict] = {}
    relationships: list[dict] = []

    def relate(first: str, kind: str, second: dict | str) -> None:
        if isinstance(second, dict):
            packages[second["SPDXID"]] = second
            second = second["SPDXID"]
        relationships.append(
            {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second})

    for program in programs:
        spdx_id = identifier("Program", program.name)
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        relate("SPDXRef-DOCUMENT", "DESCRIBES", package(
            spdx_id, program.name, version, supplier=SUPPLIER, licenseDeclared="Apache-2.0",
            copyrightText="2026 The authors of Thimble", primaryPackagePurpose="APPLICATION",
            checksums=[{"algorithm": "SHA256", "checksumValue": digest}]))
        relate(spdx_id, "STATIC_LINK", run_time_library())
        for folder in sorted(checkouts(built, program.name)):
            relate(spdx_id, "STATIC_LINK", swift_package(built, sources[folder]))
        for name in libraries(program):
            relate(spdx_id, "DYNAMIC_LINK", debian_package(name))

    contents = {"packages": [packages[key] for key in sorted(packages)], "relationships": relationships}
    digest = hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"thimble-{version}", "documentNamespace": f"https://example.org/thimble/spdx/{digest}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "creators": [SUPPLIER, "Tool: Packaging/sbom.py"]},
        **contents}


def faults(found: dict) -> Iterator[str]:
    """Sentences about what is wrong with a document."""
    for key, value in (("spdxVersion", "SPDX-2.3"), ("dataLicense", "CC0-1.0"), ("SPDXID", "SPDXRef-DOCUMENT")):
        if found.get(key) != value:
            yield f"{key} is not {value}"
    if not re.fullmatch(r"https://[^#\s]+", found.get("documentNamespace", "")):
        yield "documentNamespace is not a URI without a fragment"
    creation = found.get("creationInfo", {})
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", creation.get("created", "")):
        yield "created is not a time in UTC"
    if not all(re.match(r"(Tool|Organization|Person): ", creator) for creator in creation.get("creators", [""])):
        yield "a creator is not a tool, an organization or a person"
    identifiers = [entry.get("SPDXID", "") for entry in found.get("packages", [])]
    for spdx_id in sorted({spdx_id for spdx_id in identifiers if identifiers.count(spdx_id) > 1}):
        yield f"{spdx_id} occurs twice"
    for entry in found.get("packages", []):
        if missing := [key for key in REQUIRED if entry.get(key) in (None, "")]:
            yield f"{entry.get('SPDXID')} lacks {', '.join(missing)}"
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", entry.get("SPDXID", "")):
            yield f"{entry.get('SPDXID')} is not a valid identifier"
    known, related = {"SPDXRef-DOCUMENT", *identifiers}, set()
    links: dict[str, set[str]] = {}
    for entry in found.get("relationships", []):
        ends = (entry.get("spdxElementId", ""), entry.get("relatedSpdxElement", ""))
        yield from (f"a relationship names {end}, which is unknown" for end in ends if end not in known)
        related.add(ends[1])
        links.setdefault(ends[0], set()).add(entry.get("relationshipType", ""))
    described = [
        entry["relatedSpdxElement"] for entry in found.get("relationships", [])
        if entry.get("relationshipType") == "DESCRIBES"]
    if not described:
        yield "it describes nothing"
    for spdx_id in described:
        yield from (f"{spdx_id} has no {kind}" for kind in LINKS if kind not in links.get(spdx_id, set()))
    yield from (f"{spdx_id} is related to nothing" for spdx_id in identifiers if spdx_id not in related)


def main() -> None:
    built = Path(sys.argv[1]).resolve()
    found = document(built, [Path(argument).resolve() for argument in sys.argv[2:]])
    if wrong := list(faults(found)):
        sys.exit("\n".join(wrong))
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
