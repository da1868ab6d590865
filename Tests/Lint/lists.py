#!/usr/bin/python3
"""Compares the lists of targets, tests and campaigns, so that nothing falls out of one of them.

- Every test target of every package is run exactly once by Tests/run.sh, every test in Python too.
- Every other target of every package is built by what .ci/run calls.
- Every target of the Makefile is reached by .ci/run or `make nightly`, or has its reason in .ci/by-hand.txt.
- Both workflows call what .ci/run and `make nightly` call. Pages name only targets that exist.

The lists are asked, not read: programs that only take notes stand for tests, and make prints its commands.
--self-test also damages a copy of each list, and fails unless that is found.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from manifests import ROOT, dump, packages

# Targets of this mode of the manifests exist in no other; the others only remove some.
FUZZ = {"THIMBLE_FUZZ": "none"}
MODES: list[dict[str, str]] = [{}, FUZZ]

# Folders of the copy for the self-test that are real; the others are links.
COPIED = ("Makefile", ".ci", ".github", "Tests/run.sh", "Tests/Lint")


def without_comments(path: Path) -> list[str]:
    lines = path.read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def make(root: Path, *arguments: str) -> str:
    """The output of make. Variables of a make that runs this script do not reach it."""
    environment = {
        name: value for name, value in os.environ.items()
        if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "FILTER")}
    return subprocess.run(
        ["make", "-C", root, "--no-print-directory", *arguments], env=environment,
        stdout=subprocess.PIPE, text=True, check=True).stdout


class TestRuns:
    """Runs of test programs by Tests/run.sh, with or without a filter."""

    def __init__(self, root: Path, names: list[str], filter: str = "") -> None:
        with tempfile.TemporaryDirectory() as folder:
            built, notes = Path(folder) / "built", Path(folder) / "notes"
            built.mkdir()
            script = f'#!/bin/sh\n{{ basename "$0"; pwd; printf "%s\\n" "$@"; echo; }} >>{notes}.$$\n'
            programs = [built / f"{name}PackageTests.xctest" for name in names]
            for program in [*programs, built / "python"]:
                program.write_text(script)
                program.chmod(0o755)
            subprocess.run(
                [root / "Tests/run.sh", built, *([filter] if filter else [])], check=True,
                env=os.environ | {"TEST_LOGS": folder, "PYTHON": str(built / "python")},
                stdout=subprocess.DEVNULL)
            # One file a process, so that lanes do not mix their lines.
            runs = [path.read_text().split("\n") for path in sorted(Path(folder).glob("notes.*"))]
        self.swift = [(run[0], run[2:]) for run in runs if run[0] != "python"]
        self.python = [Path(run[1]).name for run in runs if run[0] == "python"]

    def count(self, package: str, target: str) -> int:
        """The number of runs that include the tests of a target."""
        test = f"{target}.Suite/test()"
        return sum(
            (not options["--filter"] or any(re.search(name, test) for name in options["--filter"]))
            and not any(re.search(name, test) for name in options["--skip"])
            for options in self.options(package))

    def options(self, package: str) -> Iterator[dict[str, list[str]]]:
        for program, arguments in self.swift:
            if program == f"{package}PackageTests.xctest":
                yield {
                    option: [value for name, value in zip(arguments, arguments[1:]) if name == option]
                    for option in ("--filter", "--skip")}

    def named(self, package: str) -> set[str]:
        """Targets that the options name."""
        patterns = {value for run in self.options(package) for values in run.values() for value in values}
        return {name for pattern in patterns for name in re.findall(r"\w+", pattern)}


class Makefile:
    """Rules of the Makefile: what a target needs and calls."""

    def __init__(self, path: Path) -> None:
        self.needs: dict[str, set[str]] = {}
        rule: str | None = None
        for line in path.read_text().splitlines():
            if match := re.match(r"([a-z-]+):(?!=)([^#]*)", line):
                rule = match[1]
                self.needs[rule] = set(match[2].split())
            elif not line.startswith("\t"):
                rule = None
            elif rule and "$(MAKE)" in line:
                self.needs[rule] |= set(line.split("$(MAKE)")[1].split())

    def reached(self, names: list[str]) -> set[str]:
        """Targets that some targets need, directly or indirectly, and these themselves."""
        reached: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in self.needs and name not in reached:
                reached.add(name)
                waiting += self.needs[name]
        return reached


def builds(commands: str) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Package, environment and options of each `swift build` among commands of a shell."""
    for match in re.finditer(r"((?:\w+=\S+ )*)\bswift build\b([^|&;\n]*)", commands.replace("\\\n", " ")):
        options = shlex.split(match[2])
        environment = dict(word.split("=", 1) for word in match[1].split())
        package = options[options.index("--package-path") + 1] if "--package-path" in options else "."
        yield package, environment, options


def matches(pattern: str, path: Path) -> list[str]:
    return re.findall(pattern, path.read_text(), re.MULTILINE)


def findings(root: Path, dumps: dict) -> Iterator[str]:
    """Sentences about what a list lacks."""
    makefile = Makefile(root / "Makefile")
    continuous = matches(r"^make ([a-z-]+)$", root / ".ci/run")
    nightly = [
        part.removeprefix("--no-print-directory ")
        for part in make(root, "nightly", "MAKE=echo").splitlines()]
    yield from unequal("ci.yml", continuous, matches(r"^ +- run: make (.*)$", root / ".github/workflows/ci.yml"))
    workflow = (root / ".github/workflows/nightly.yml").read_text()
    matrix = re.search(r"^ +target:\n((?: +- .*\n)+)", workflow, re.MULTILINE)
    yield from unequal("nightly.yml", nightly, re.findall(r"- (.*)", matrix[1] if matrix else ""))
    yield from unreached(root, makefile, continuous, nightly)
    yield from untested(root, dumps)
    commands = make(root, "-n", *continuous, "SWIFT=swift")
    for script in re.findall(r"^Tests/Lint/\S+\.sh", commands, re.MULTILINE):
        commands += (root / script).read_text().replace('"$swift"', "swift")
    yield from unbuilt(dumps, commands)


def untested(root: Path, dumps: dict) -> Iterator[str]:
    names = sorted(dump["name"] for dump in dumps["modes"][0].values())
    runs, filtered = TestRuns(root, names), TestRuns(root, names, "Some")
    for dump in dumps["modes"][0].values():
        package = dump["name"]
        tests = {target["name"] for target in dump["targets"] if target["type"] == "test"}
        for target in sorted(tests):
            if (count := runs.count(package, target)) != 1:
                yield f"Tests/run.sh runs {target} of {package} {count} times"
        for target in sorted(runs.named(package) - tests):
            yield f"Tests/run.sh names {target}, which {package} does not have"
        if tests and not list(filtered.options(package)):
            yield f"Tests/run.sh with a filter passes over {package}"
    tests = [*(root / "bench").glob("*/test_*.py"), *(root / "Packaging").glob("test_*.py")]
    folders = sorted({path.parent.name for path in tests})
    yield from unequal("Tests/run.sh in Python", folders, runs.python)


def unbuilt(dumps: dict, commands: str) -> Iterator[str]:
    built = list(builds(commands))
    for mode, packages in zip(MODES, dumps["modes"]):
        for package, dump in packages.items():
            # Targets of all modes need only be built in one.
            usual = {target["name"] for target in dumps["modes"][0][package]["targets"]} if mode else set()
            for target in dump["targets"]:
                if target["type"] == "system" or target["name"] in usual:
                    continue
                if not any(
                    path == package and environment == mode and builds_target(options, target)
                    for path, environment, options in built
                ):
                    yield f".ci/run does not build {target['name']} of {dump['name']}"


def builds_target(options: list[str], target: dict) -> bool:
    for option in ("--target", "--product"):
        if option in options:
            return options[options.index(option) + 1] == target["name"]
    return target["type"] != "test" or "--build-tests" in options


def unreached(root: Path, makefile: Makefile, continuous: list[str], nightly: list[str]) -> Iterator[str]:
    reached = makefile.reached(continuous + [part.split()[0] for part in nightly])
    reasons = dict(line.partition(":")[::2] for line in without_comments(root / ".ci/by-hand.txt"))
    for part in nightly:
        if part.split()[0] not in makefile.needs:
            yield f"make nightly calls {part}, which the Makefile does not have"
    for name in sorted(makefile.needs.keys() - reached - reasons.keys()):
        yield f"neither .ci/run nor make nightly reaches {name}, and .ci/by-hand.txt has no reason"
    for name, reason in reasons.items():
        if name not in makefile.needs:
            yield f".ci/by-hand.txt names {name}, which the Makefile does not have"
        elif name in reached:
            yield f".ci/by-hand.txt names {name}, which .ci/run or make nightly reaches"
        elif not reason.strip():
            yield f".ci/by-hand.txt has no reason for {name}"
    for page in sorted(pages(root)):
        for name in matches(r"(?:`|^)(?:sudo )?make ([a-z][a-z-]*)", page):
            if name not in makefile.needs:
                yield f"{page.relative_to(root)} names make {name}, which the Makefile does not have"


def pages(root: Path) -> Iterator[Path]:
    yield from root.glob("*.md")
    for folder in ("Sources", "Tests", "bench", "Examples"):
        yield from (path for path in (root / folder).rglob("*.md") if ".build" not in path.parts)


def unequal(name: str, expected: list[str], found: list[str]) -> Iterator[str]:
    for entry in sorted(set(expected) - set(found)):
        yield f"{name} lacks {entry}"
    for entry in sorted(set(found) - set(expected)):
        yield f"{name} has {entry}, which is unexpected"
    for entry in sorted({entry for entry in found if found.count(entry) > 1}):
        yield f"{name} has {entry} twice"


# Faults of the self-test: a file, and what is replaced in it by what.
FAULTS = [
    ("Tests/run.sh", "lane server >", "lane python >"),
    ("Tests/run.sh", "workers others", "workers workers others"),
    ("Tests/run.sh", "|SandboxTests", "|SandBoxTests"),
    ("Tests/run.sh", "program=$server ;;", "program=$main ;;"),
    ("Tests/run.sh", "bench/fidelity bench/foreign", "bench/fidelity"),
    ("Makefile", "$(SWIFT) build --build-tests $(TESTED) \\\n\t    && ", ""),
    ("Tests/Lint/run.sh", " --target fuzz", " --target other"),
    ("Makefile", "\nformat:", "\nunheard:\nformat:"),
    (".ci/nightly.txt", "page-test\n", ""),
    (".ci/nightly.txt", "page-test\n", "page-test\nunheard\n"),
    (".ci/by-hand.txt", "\ncold:", "\n#"),
    (".ci/by-hand.txt", "\ncold:", "\nfleet-test:"),
    (".ci/by-hand.txt", "prints text", ""),
    (".github/workflows/nightly.yml", "          - fleet-test\n", ""),
    (".github/workflows/ci.yml", "      - run: make lint\n", ""),
]


def self_test(dumps: dict) -> Iterator[str]:
    """Faults that are not found in a copy of the lists."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (file, old, new) in enumerate(FAULTS):
            root = Path(folder) / str(number)
            copy(root)
            text = (root / file).read_text()
            if text.count(old) != 1:
                yield f"{file} does not have {old!r} once"
                continue
            (root / file).write_text(text.replace(old, new))
            if next(findings(root, dumps), None) is None:
                yield f"it accepts {file} with {new!r} for {old!r}"


def copy(root: Path) -> None:
    (root / "Tests").mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, root / name)
    for path in [*ROOT.iterdir(), *(ROOT / "Tests").iterdir()]:
        link = root / path.relative_to(ROOT)
        if not link.exists() and path.name not in (".git", ".build"):
            link.symlink_to(path)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the lists of targets, tests and campaigns.")
    parser.add_argument("--self-test", action="store_true", help="also check that faults are found")
    options = parser.parse_args()
    print("Checking that no list of targets, tests or campaigns lacks an entry", flush=True)
    folders = packages()
    dumps = {"modes": [{folder: dump(folder, **mode) for folder in folders} for mode in MODES]}
    found = list(findings(ROOT, dumps))
    if options.self_test and not found:
        found = [f"the check itself is broken: {fault}" for fault in self_test(dumps)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
