"""Tests of sbom.py: documents about programs of this machine, and damaged ones."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import tempfile
import unittest
from pathlib import Path

import sbom


class BuiltProgram:
    """A build folder with a program, and with one module each in Swift and C of two packages."""

    def __init__(self, folder: Path) -> None:
        self.built = folder / ".build/x86_64/release"
        checkouts = folder / ".build/checkouts"
        dependencies = []
        for name, text in (("swift-log", "Apache License"), ("small", "Permission is hereby granted, free of charge")):
            (checkouts / name).mkdir(parents=True)
            (checkouts / name / "LICENSE.txt").write_text(text)
            dependencies.append({
                "packageRef": {"identity": name, "location": f"https://example.org/{name}.git"},
                "state": {"checkoutState": {"version": "1.2.3", "revision": "abc"}}, "subpath": name})
        state = {"object": {"dependencies": dependencies}}
        (folder / ".build/workspace-state.json").write_text(json.dumps(state))
        (self.built / "true.product").mkdir(parents=True)
        (self.built / "true.product/Objects.LinkFileList").write_text(
            "".join(f"{self.built}/{module}.build/a.o\n" for module in ("Logging", "CSmall", "Own")))
        for module, file, source in (
            ("Logging", "sources", checkouts / "swift-log/Sources/Logging/a.swift"),
            ("CSmall", "a.c.d", checkouts / "small/Sources/CSmall/a.c"),
            ("Own", "sources", folder / "Sources/Own/a.swift"),
        ):
            (self.built / f"{module}.build").mkdir()
            (self.built / f"{module}.build" / file).write_text(f"{source}\n")
        self.program = Path("/usr/bin/true")


@unittest.skipUnless(Path("/usr/bin/dpkg-query").exists(), "needs Debian")
class DocumentTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = BuiltProgram(Path(folder.name))
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH")
        self.document = sbom.document(self.program.built, [self.program.program])

    def links(self, kind: str) -> list[str]:
        names = {package["SPDXID"]: package["name"] for package in self.document["packages"]}
        return [
            names[entry["relatedSpdxElement"]] for entry in self.document["relationships"]
            if entry["relationshipType"] == kind]

    def test_links(self) -> None:
        self.assertEqual(self.links("DESCRIBES"), ["true"])
        self.assertEqual(self.links("STATIC_LINK"), ["swift-runtime", "small", "swift-log"])
        self.assertEqual(self.links("DYNAMIC_LINK"), ["libc6"])

    def test_facts(self) -> None:
        packages = {package["name"]: package for package in self.document["packages"]}
        self.assertEqual(packages["small"]["licenseDeclared"], "MIT")
        self.assertEqual(packages["swift-log"]["licenseDeclared"], "Apache-2.0")
        self.assertEqual(packages["swift-log"]["downloadLocation"], "git+https://example.org/swift-log.git@abc")
        self.assertEqual(
            packages["swift-log"]["externalRefs"][0]["referenceLocator"], "pkg:swift/example.org/swift-log@1.2.3")
        digest = hashlib.sha256(self.program.program.read_bytes()).hexdigest()
        self.assertEqual(packages["true"]["checksums"], [{"algorithm": "SHA256", "checksumValue": digest}])
        self.assertEqual(self.document["creationInfo"]["created"], "1970-01-02T00:00:00Z")

    def test_structure(self) -> None:
        self.assertEqual(list(sbom.faults(self.document)), [])
        again = sbom.document(self.program.built, [self.program.program])
        self.assertEqual(self.document, again)

    def test_damage(self) -> None:
        def remove_link(document: dict) -> None:
            document["relationships"] = [
                entry for entry in document["relationships"] if entry["relationshipType"] != "DYNAMIC_LINK"]

        damages = {
            "spdxVersion is not": lambda document: document.update(spdxVersion="SPDX-2.2"),
            "documentNamespace": lambda document: document.update(documentNamespace="https://example.org/#a"),
            "created is not": lambda document: document["creationInfo"].update(created="today"),
            "a creator is not": lambda document: document["creationInfo"].update(creators=["me"]),
            "lacks versionInfo": lambda document: document["packages"][0].pop("versionInfo"),
            "occurs twice": lambda document: document["packages"].append(document["packages"][0]),
            "not a valid identifier": lambda document: document["packages"][0].update(SPDXID="SPDXRef-a b"),
            "which is unknown": lambda document: document["packages"].pop(0),
            "is related to nothing": remove_link,
            "has no DYNAMIC_LINK": remove_link,
            "it describes nothing": lambda document: document.update(relationships=[]),
        }
        for fault, damage in damages.items():
            with self.subTest(fault):
                damaged = copy.deepcopy(self.document)
                damage(damaged)
                self.assertTrue(any(fault in found for found in sbom.faults(damaged)))


if __name__ == "__main__":
    unittest.main()
