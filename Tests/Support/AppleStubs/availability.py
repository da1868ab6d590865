#!/usr/bin/env python3
"""Lists what modules use of the standard library and Foundation that is newer than their platform's floor.

availability.py SYMBOLS PLATFORM VERSION CHECKED NAME...: SYMBOLS is a folder of symbol graphs. CHECKED has the
rewritten sources of each module in source/Sources/NAME, and their index in index/NAME. Linux has no floors, so its
compiler does not judge them. A source that names the version in `#available` or `@available` may use what it introduced.
"""
import bisect
import json
import pathlib
import re
import sys

# In place of these the compiler takes an older declaration where the floor asks for it.
REPLACED = re.compile(r"FixedWidthInteger\.&\*\(_:_:\)|.*\.next\(isolation:\)")


def newer(folder, platform, floor):
    """Names and versions of the symbols introduced after the floor, by mangled name."""
    found = {}
    for graph in pathlib.Path(folder).glob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            name = ".".join(symbol["pathComponents"])
            for entry in symbol.get("availability", []):
                introduced = entry.get("introduced", {})
                version = (introduced.get("major", 0), introduced.get("minor", 0))
                if entry.get("domain") == platform and version > floor and not REPLACED.fullmatch(name):
                    found[symbol["identifier"]["precise"]] = (name, version)
    return found


def guarded(source, platform):
    """The newest version that a source asks for at run time."""
    versions = re.findall(rf"available\([^)]*\b{platform} (\d+)(?:\.(\d+))?", source)
    return max(((int(major), int(minor or 0)) for major, minor in versions), default=(0, 0))


def used(record, symbols, types):
    """What a record of the index names. Its names are not always followed by a separator."""
    names = sorted(set(re.findall(rb"s:[A-Za-z0-9_]+", record.read_bytes())))
    for key, symbol in symbols.items():
        place = bisect.bisect_left(names, key)
        if place < len(names) and names[place].startswith(key):
            yield symbol
    # Types are part of the names of declarations whose type is inferred.
    text = b" ".join(names)
    for key, symbol in types.items():
        if key in text:
            yield symbol


def main(folder, platform, version, checked, *modules):
    floor = tuple(map(int, version.split(".")))
    symbols = {key.encode(): symbol for key, symbol in newer(folder, platform, floor).items()}
    if not symbols:
        sys.exit("the check itself is broken: no symbol is newer than the floor")
    types = {key[2:]: symbol for key, symbol in symbols.items() if re.fullmatch(rb"s:s?\d+\w+[VCO]", key)}
    checked = pathlib.Path(checked)
    failures = 0
    for module in modules:
        sources = {source.name: source for source in (checked / "source/Sources" / module).rglob("*.swift")}
        records = [record for record in (checked / "index" / module).rglob("*.swift-*") if record.is_file()]
        if not records:
            sys.exit(f"the check itself is broken: {module} has no index")
        for record in records:
            name = record.name.rpartition("-")[0]
            # The index has records of imported modules too.
            if name not in sources:
                continue
            reached = guarded(sources[name].read_text(), platform)
            for text, needed in sorted(set(used(record, symbols, types))):
                if needed > reached:
                    print(f"{module}/{name} uses {text} ({platform} {needed[0]}.{needed[1]}), "
                          f"but its floor is {platform} {version}")
                    failures += 1
    sys.exit(1 if failures else 0)


main(*sys.argv[1:])
