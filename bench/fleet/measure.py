#!/usr/bin/env python3
"""Measures a fleet on one machine: the curve of its workers, the overhead of queue and store, and the wait of
transactional jobs under a full queue.

A worker is held to a share of a core by a control group, with all its processes. Broker and store run beside them.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bed import Bed, photographs, pixels, stop
from groups import ControlGroup
from parts import ROOT

sys.path.insert(0, str(ROOT / "bench/server"))
from server import machine  # noqa: E402

# The first and the last tenth of the jobs of a run are not measured.
EDGE = 0.1


# The process that decodes and encodes; everything else of a job or of a batch is overhead of its kind.
PICTURES = "thimble-row-worker"


def picture_seconds(begin: dict[int, float], end: dict[int, float]) -> float:
    """CPU of the processes of pictures between two moments."""
    if begin.keys() != end.keys():
        raise SystemExit("a worker process was replaced during the measurement")
    return sum(end.values()) - sum(begin.values())


class Window:
    """Time, results and CPU between two moments."""

    def __init__(self, bed: Bed, workers: list[ControlGroup]) -> None:
        self.bed, self.workers = bed, workers
        self.pictures = self.picture_processes()
        self.begin = self.state()

    def picture_processes(self) -> dict[int, float]:
        return {number: cpu for group in self.workers for number, cpu in group.processes(PICTURES).items()}

    def state(self) -> tuple[float, int, float, float, float]:
        groups = self.bed.groups
        return (time.monotonic(), self.bed.finished(), sum(group.seconds for group in self.workers),
                groups["broker"].seconds, groups["store"].seconds)

    def end(self) -> None:
        self.seconds, self.jobs, *self.cpu = [
            last - first for first, last in zip(self.begin, self.state(), strict=True)]
        self.picture = picture_seconds(self.pictures, self.picture_processes()) / self.jobs * 1000

    @property
    def rate(self) -> float:
        return self.jobs / self.seconds

    @property
    def milliseconds(self) -> list[float]:
        """CPU a job of workers, broker and store."""
        return [seconds / self.jobs * 1000 for seconds in self.cpu]


def run_workers(bed: Bed, workers: int, cores: float, jobs: int) -> Window:
    """Fills the queue, then starts the workers together."""
    before = bed.finished()
    bed.submit(jobs)
    groups = [ControlGroup(f"worker-{number}", cores) for number in range(workers)]
    processes = [bed.start_worker(number, group, "--jobs", "1", "--threads", "1") for number, group in enumerate(groups)]
    try:
        bed.wait_for(before + round(jobs * EDGE), 600)
        window = Window(bed, groups)
        bed.wait_for(before + round(jobs * (1 - EDGE)), 3600)
        window.end()
        bed.wait_for(before + jobs, 600)
    finally:
        stop(processes)
        for group in groups:
            group.remove()
        for folder in bed.folder.glob(f"container-{bed.runs}-*"):
            shutil.rmtree(folder)
    return window


def batch_cost(bed: Bed, cores: float, count: int) -> tuple[float, float]:
    """CPU milliseconds a picture of `thimble batch` in the same kind of group: of its worker, and of the rest."""
    folder = bed.new_names(count)
    group = ControlGroup("batch", cores)
    container = bed.folder / "batch"
    marks: list[tuple[float, dict[int, float]]] = []
    process = subprocess.Popen(
        [*group.entering, bed.programs / "thimble", "batch", folder, "--container", container, "--jobs", "1",
         "--threads", "1", "--report", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    edges = round(count * EDGE), round(count * (1 - EDGE))
    try:
        for number, _ in enumerate(process.stdout or [], 1):
            if number in edges:
                marks.append((group.seconds, group.processes(PICTURES)))
        if process.wait():
            raise SystemExit(f"thimble batch ended with {process.returncode}")
    finally:
        group.remove()
        shutil.rmtree(container, ignore_errors=True)
    (first, before), (last, after) = marks
    each = 1000 / (edges[1] - edges[0])
    picture = picture_seconds(before, after)
    return picture * each, (last - first - picture) * each


def scaling(bed: Bed, options: argparse.Namespace) -> list[str]:
    """The curve for each share of a core, beside the cost of the pictures alone."""
    lines = [
        "| core a worker | workers | jobs | jobs a second | linear | CPU ms a job: worker | broker | store | "
        "cores in use |",
        "|---|---|---|---|---|---|---|---|---|"]
    overheads = []
    for cores in options.quotas:
        picture, rest = batch_cost(bed, cores, max(20, round(options.seconds * cores / 0.08)))
        print(f"{cores} of a core: {picture:.1f} and {rest:.1f} ms of CPU a picture of thimble batch", flush=True)
        first: Window | None = None
        for workers in options.workers:
            # The cost of the job is not known yet; the bound of the overhead is 5 ms.
            jobs = max(20, round(options.seconds * cores / (picture + rest + 5) * 1000)) * workers
            window = run_workers(bed, workers, cores, jobs)
            first = first or window
            linear = window.rate / first.rate * options.workers[0] / workers
            worker, broker, store = window.milliseconds
            lines.append(
                f"| {cores} | {workers} | {jobs:,} | {window.rate:.2f} | {linear:.3f} | {worker:.1f} | {broker:.1f} | "
                f"{store:.1f} | {sum(window.cpu) / window.seconds:.2f} |")
            print(lines[-1], flush=True)
        worker, broker, store = first.milliseconds
        own = worker - first.picture
        overheads.append(
            f"| {cores} | {picture:.1f} | {rest:.1f} | {first.picture:.1f} | {own:.1f} | **{own - rest:.1f}** | "
            f"{broker:.1f} | {store:.1f} |")
        print(overheads[-1], flush=True)
    return [
        "## Scaling", "", *lines, "",
        "The queue is full before the workers start. *Linear* is the rate relative to that of one worker, times their "
        "number. *Cores in use* is the CPU of workers, broker and store together; the machine has "
        f"{os.cpu_count()} cores. Where these do not suffice for all of them, the workers get less than their share.",
        "",
        "## Overhead of queue and store", "",
        "| core a worker | `thimble batch`: picture | the rest | fleet: picture | the rest | overhead | broker | "
        "store |",
        "|---|---|---|---|---|---|---|---|", *overheads, "",
        "CPU milliseconds a job of one worker, and a picture of `thimble batch --jobs 1` for the same pictures into a "
        "container, in the same kind of control group. *Picture* is the process that decodes and encodes, whose time "
        "depends on what else runs on the cores; *the rest* is all other processes. *Overhead* is what a fleet's rest "
        "takes more than a batch's. Each is measured between the first and the last tenth of its jobs, so without its "
        "start. A job has two renditions, which are published, and a result.", ""]


def transactions(bed: Bed, options: argparse.Namespace) -> list[str]:
    """Wait of transactional jobs under a full queue of a campaign, with one worker for each core."""
    import boto3
    from botocore.config import Config
    from transactional import send

    count = round(options.transaction_seconds * options.rate)
    total = count + options.campaign
    files = bed.files(total)
    store = boto3.client(
        "s3", endpoint_url=bed.store.endpoint, region_name="us-east-1", aws_access_key_id="test:tester",
        aws_secret_access_key="testing", config=Config(s3={"addressing_style": "path"}))
    keys = []
    # No worker has seen these files; the others belong to the campaign.
    for number, file in enumerate(files[options.campaign:]):
        keys.append(f"sources/transactional/{number}")
        store.put_object(Bucket="renditions", Key=f"r/{keys[-1]}", Body=file.read_bytes())
    bed.submit(options.campaign)
    jobs = os.cpu_count() or 1
    worker = bed.start_worker(0, None, "--jobs", str(jobs))
    try:
        before = bed.finished()
        bed.wait_for(before + 2 * jobs, 120)
        window = Window(bed, [])
        times = send(bed.broker.urls, keys, options.rate)
        window.end()
        waiting = bed.waiting()
    finally:
        stop([worker])
    if not waiting:
        raise SystemExit("the queue of the campaign became empty: --campaign must be larger")
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    line = (f"| {len(times)} | {options.rate:g} | {statistics.median(times):.3f} | {cuts[94]:.3f} | {cuts[98]:.3f} | "
            f"{times[-1]:.3f} | {window.jobs / window.seconds:.1f} | {waiting:,} |")
    print(line, flush=True)
    return [
        "## Transactional jobs under a full queue", "",
        "| jobs | a second | median, s | p95 | p99 | worst | all results a second | campaign's jobs still waiting |",
        "|---|---|---|---|---|---|---|---|", line, "",
        f"One `thimble-server work --jobs {jobs}`, with broker, store and client on the same cores. The time is that "
        "from the message to its answer at the client, `bench/fleet/transactional.py`, which knows only the schema of "
        "jobs.", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--photographs", type=pathlib.Path, default=ROOT / "Images")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--quotas", type=float, nargs="+", default=[0.25, 0.1], help="cores a worker")
    parser.add_argument("--seconds", type=float, default=60, help="about, of each run")
    parser.add_argument("--campaign", type=int, default=2000, help="jobs that wait beside the transactional ones")
    parser.add_argument("--rate", type=float, default=1.5, help="transactional jobs a second")
    parser.add_argument("--transaction-seconds", type=float, default=120)
    parser.add_argument("--only", choices=["scaling", "transactional"])
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    pictures = photographs(options.photographs, options.programs)
    print(f"{len(pictures)} photographs of {pixels(pictures):.1f} megapixels on average", flush=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fleet-", dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        bed = Bed(pathlib.Path(name), options.programs, pictures)
        try:
            sections = []
            if options.only != "transactional":
                sections += scaling(bed, options)
            if options.only != "scaling":
                sections += transactions(bed, options)
        finally:
            bed.end()
    size = sum(map(len, pictures)) / len(pictures) / 1e6
    head = [
        "# Fleet", "", "`make fleet-bench`", "",
        f"{len(pictures)} photographs of {pixels(pictures):.1f} megapixels and {size:.1f} MB on average, in turn, each "
        "copy with contrasts and renditions of its own. One node of RabbitMQ and OpenStack Swift on the same machine.",
        ""]
    text = "\n".join([*head, *sections, f"{machine()}; {(time.monotonic() - begun) / 60:.0f} minutes."]) + "\n"
    if options.report:
        options.report.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
