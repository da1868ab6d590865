#!/usr/bin/python3
"""Processes a folder of strangers' files, and compares every answer with independent decoders.

Every file is processed at 24 and 12 MiB, under a control group and under RLIMIT_DATA. Each rendition is
compared with what other decoders show (size, orientation, transparency, PSNR), each refusal with what two of
them accept without a warning, and each length with the source's. Four lists come out: silently different,
refused though others decode it, grown, and lost workers.

Exit code 1: a list has an entry. Needs Pillow, numpy, and Debian's libheif-examples, libavif-bin,
libjpeg-turbo-progs, libvips-tools, libjxl-tools, webp, ffmpeg and libgs-common.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import isolation
import judge

CAPS = ("24MiB", "12MiB")
ENFORCEMENTS = ("cgroup", "rlimit")

# Outcomes for which a worker was lost.
LOSSES = {"killed", "crashed"}

LISTS = ("silently different", "refused though others decode it", "grown", "lost")


@dataclass(frozen=True)
class Run:
    """One pass over the folder, and its container."""

    cap: str
    enforcement: str
    container: Path

    @property
    def name(self) -> str:
        return f"{self.cap} {self.enforcement}"

    def batch(self, options) -> list[dict]:
        """Processes the folder, and returns the JSON lines of the report."""
        done = subprocess.run(
            [options.thimble, "batch", options.folder, "--container", self.container,
             "--cap", self.cap, "--enforce", self.enforcement, "--jobs", str(options.jobs),
             "--timeout", str(options.timeout), "--report", "json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        if not lines or "summary" not in lines[-1]:
            raise SystemExit(f"{self.name}: the batch failed: {done.stderr}")
        return lines

    def manifest(self, identifier: str) -> dict:
        """The manifest of an identifier; its file is named by the digest."""
        name = hashlib.sha256(identifier.encode()).hexdigest()
        return json.loads((self.container / "notifications" / f"{name}.json").read_text())


def read_kinds(path: Path) -> list[judge.Kind]:
    """The refusals that are right although others decode the file."""
    with path.open(newline="") as file:
        return [
            judge.Kind(row["code"], re.compile(row["reason"]), row["why"])
            for row in csv.DictReader(file, delimiter="\t")]


def read_misreadings(path: Path) -> list[judge.Misreading]:
    """The files that other decoders read wrongly."""
    with path.open(newline="") as file:
        return [
            judge.Misreading(re.compile(f"(^|/){row['file']}$"), row["why"])
            for row in csv.DictReader(file, delimiter="\t")]


def judge_rendition(source: Path, rendition: Path, manifest: dict, expanded: dict):
    """The verdicts about one rendition."""
    found = [judge.growth(manifest, expanded)]
    try:
        found.append(judge.difference(source, rendition, manifest))
    except Exception as fault:  # A rendition that nobody can decode is the worst of all.
        found.append(judge.Verdict(
            manifest["identifier"], "silently different", f"{type(fault).__name__}: {fault}"))
    return [verdict for verdict in found if verdict]


def tasks(runs: list[Run], reports: list[list[dict]], folder: Path, kinds: list[judge.Kind]):
    """The judgements to make: each distinct rendition and each distinct refusal once."""
    known = set()
    for run, report in zip(runs, reports):
        for line in report:
            if line.get("outcome") == "failed":
                key = line["file"], line["error"]
                if key not in known and line["error"] not in LOSSES:
                    known.add(key)
                    yield run, judge.refusal, (folder / line["file"], line, kinds)
            elif line.get("outcome") in ("made", "reused"):
                manifest = run.manifest(line["file"])
                expanded = next(
                    (r for r in manifest["renditions"] if r["role"] == "expanded"), None)
                # Of a sound or a movie nothing is decoded by us.
                if expanded is None or manifest["rung"] == "passed-through":
                    continue
                if (key := (line["file"], expanded["sha256"])) not in known:
                    known.add(key)
                    yield run, judge_rendition, (
                        folder / line["file"], run.container / "renditions" / expanded["file"],
                        manifest, expanded)


def losses(runs: list[Run], reports: list[list[dict]]) -> list[tuple[Run, judge.Verdict]]:
    """The files for which a worker was lost."""
    return [
        (run, judge.Verdict(line["file"], "lost", f"{line['error']}: {line['reason']}"))
        for run, report in zip(runs, reports) for line in report
        if line.get("outcome") == "failed" and line["error"] in LOSSES]


def judged(work: list, jobs: int) -> list[tuple[Run, judge.Verdict]]:
    """The verdicts of all judgements, with progress on a terminal."""
    verdicts = []
    calls = [(function, arguments) for _, function, arguments in work]
    for count, (index, future) in enumerate(isolation.all_isolated(calls, jobs), 1):
        run, _, arguments = work[index]
        try:
            result = future.result()
        except isolation.Lost as lost:
            result = judge.Verdict(arguments[0].name, "not judged", str(lost))
        found = result if isinstance(result, list) else [result] if result else []
        verdicts += [(run, verdict) for verdict in found]
        if sys.stderr.isatty():
            print(f"\r{count} of {len(work)} judged", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return verdicts


def page(runs, reports, verdicts) -> str:
    """The result as Markdown."""
    lines = ["# Strangers' files", "", "| cap and enforcement | made | refused | lost |",
             "|---|---|---|---|"]
    for run, report in zip(runs, reports):
        outcomes = [line for line in report if "outcome" in line]
        failed = [line for line in outcomes if line["outcome"] == "failed"]
        lost = sum(line["error"] in LOSSES for line in failed)
        made = sum(line["outcome"] in ("made", "reused") for line in outcomes)
        lines.append(f"| {run.name} | {made} | {len(failed) - lost} | {lost} |")
    kinds = list(LISTS) + sorted({verdict.kind for _, verdict in verdicts} - set(LISTS))
    for kind in kinds:
        rows = sorted({(v.file, v.reason, r.name) for r, v in verdicts if v.kind == kind})
        lines += ["", f"## {kind.capitalize()}: {len(rows)}", ""]
        lines += [f"- `{file}` ({name}): {reason}" for file, reason, name in rows]
    return "\n".join(lines)


def main() -> int:
    """Runs the campaign."""
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of files, also in folders below")
    parser.add_argument("--thimble", type=Path, required=True, help="the program")
    parser.add_argument("--work", type=Path, required=True, help="a new folder for the containers")
    parser.add_argument("--kinds", type=Path, default=here / "kinds.tsv",
                        help="refusals that are right although others decode the file")
    parser.add_argument("--misreadings", type=Path, default=here / "misreadings.tsv",
                        help="files that other decoders read wrongly")
    parser.add_argument("--jobs", type=int, default=2)
    # A slow or busy machine refuses nothing.
    parser.add_argument("--timeout", type=int, default=120, help="seconds for a file")
    parser.add_argument("--runs", type=int, default=4, help="only the first runs, of four")
    parser.add_argument("--report", type=Path, help="also write the lists here")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is not a folder")

    if options.work.exists() and any(options.work.iterdir()):
        # Files that are unchanged would not be judged again.
        parser.error(f"{options.work} is not empty")

    runs = [
        Run(cap, enforcement, options.work / f"{cap}-{enforcement}")
        for enforcement in ENFORCEMENTS for cap in CAPS][:options.runs]
    reports = []
    for run in runs:
        print(f"Processing {options.folder} at {run.name}", file=sys.stderr)
        reports.append(run.batch(options))
    work = list(tasks(runs, reports, options.folder, read_kinds(options.kinds)))
    print(f"Comparing {len(work)} answers with independent decoders", file=sys.stderr)
    misreadings = read_misreadings(options.misreadings)
    verdicts = losses(runs, reports) + [
        (run, judge.excused(verdict, misreadings)) for run, verdict in judged(work, options.jobs)]
    text = page(runs, reports, verdicts)
    if options.report:
        options.report.write_text(text + "\n")
    print(text)
    return int(any(verdict.kind in LISTS for _, verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
