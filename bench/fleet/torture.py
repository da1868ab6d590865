#!/usr/bin/env python3
"""Kills, suspends, cuts off and parts a fleet at random while it works, and checks that every job ends once.

RabbitMQ of three nodes, OpenStack Swift and several `thimble-server work` run as plain processes, each in a network
namespace of its own. While jobs are submitted, the leader of their queue is parted from the other nodes of the broker,
and still reached by everybody else. One of a hundred jobs kills every worker that begins it. At one moment all nodes of
the broker are gone for a while. In the end every job has exactly one result, which is a manifest whose objects are all
there and verify, or a typed failure.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from accesses import Accesses, Progress
from harm import Harm, Tormentor
from jobs import make_jobs
from logs import LogLines
from network import Network, address, enter_private_namespaces
from parts import (
    ACCESS, Broker, NODES, OPERATIONS_PORT, ORIGIN, ORIGIN_PORT, Origin, ROOT, Store, WORKER, Worker)
from verify import Fault, check_dead, dead_jobs, verify

sys.path.insert(0, str(ROOT / "bench/server"))
from server import machine  # noqa: E402


# Seconds in which some job must end, apart from the outage. Harm lasts up to 35 s, and each part notices it in 30 s.
LONGEST_PAUSE = 240
# Share of the jobs after whose submission the broker is parted, and seconds; nodes give each other up after 12.
PARTED_SHARE, PARTITION = 0.1, 40.0


class Torture:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)
        # Harm must not depend on the drawing of jobs.
        self.harm = Harm.draw(random.Random(f"{options.seed} harm"))
        self.network = Network(folder / "net")
        self.broker = Broker(folder / "broker", NODES, self.network)
        self.store = Store(folder / "store", self.network)
        self.network.add("origin", ORIGIN)
        numbers = range(WORKER + 1, WORKER + 1 + options.workers)
        for number in numbers:
            self.network.add(f"worker-{number - WORKER}", number)
        self.network.know_each_other()
        print("Making jobs, and starting the parts", flush=True)
        origin = f"http://{address(ORIGIN)}:{ORIGIN_PORT}"
        self.kinds = make_jobs(
            folder / "jobs", options.jobs, options.broken, options.poison, origin, options.pictures, self.chance)
        self.workers: list[Worker] = []
        self.origin: Origin | None = None
        self.statements: list[str] = []
        # Of the logs; they do not end the run.
        self.faults: list[str] = []

    def start(self) -> None:
        urls, endpoint = self.broker.up(), self.store.up()
        self.environment = os.environ | ACCESS | {
            "THIMBLE_SERVER_BROKER": urls, "THIMBLE_SERVER_S3_ENDPOINT": endpoint}
        self.accesses = Accesses(self.store.folder / "object.log")
        # The submission is where nothing is cut off. The longest cut must not make poison unreachable.
        for number in range(WORKER + 1, WORKER + 1 + self.options.workers):
            name = f"worker-{number - WORKER}"
            command = [
                *self.network.entering(name), str(self.options.programs / "thimble-server"), "work",
                "--container", str(self.folder / name), "--jobs", str(self.options.jobs_each), "--width", "100",
                "--operations-host", address(number), "--operations-port", str(OPERATIONS_PORT),
                "--allow-network", f"{address(ORIGIN)}/32", "--allow-http", "--connect-timeout", "60",
                "--fetch-timeout", "120"]
            self.workers.append(Worker(name, number, command, self.environment, self.folder / f"{name}.log"))
        self.origin = Origin(self.network, self.workers, self.folder / "origin.log")
        self.begun, self.reported_at = time.monotonic(), 0.0
        self.progress = Progress(self.accesses)
        self.submission = self.submit()

    def submit(self) -> subprocess.Popen[bytes]:
        with open(self.folder / "submit.log", "ab") as log:
            return subprocess.Popen(
                [self.options.programs / "thimble-server", "submit", "--list", self.folder / "jobs/list",
                 "--record", self.folder / "submitted"], env=self.environment, stderr=log, stdin=subprocess.DEVNULL)

    def torment(self) -> None:
        """Harm until its time is over; in the middle, the outage of the broker."""
        tormentor = Tormentor(self.network, self.broker, self.store, self.workers)
        self.tormentor = tormentor
        self.partition(tormentor)
        end = self.begun + self.options.seconds
        outage = self.begun + self.options.seconds / 3 if self.options.outage else None
        while time.monotonic() < end:
            if outage and time.monotonic() > outage:
                # The outage's time does not count as time of harm.
                outage, end = None, end + self.options.outage
                self.outage()
            self.say(tormentor.do(next(self.harm)))
            self.report()
        tormentor.wait_for_broker()

    def partition(self, tormentor: Tormentor) -> None:
        """Parts the leader from the other nodes in the middle of the submission, for longer than they bear it."""
        record = self.folder / "submitted"
        while self.submission.poll() is None and self.submitted(record) < self.options.jobs * PARTED_SHARE:
            time.sleep(0.05)
        before = self.submitted(record)
        self.say(tormentor.do(Harm(0, "part leader", 0, PARTITION)))
        self.state(f"The leader was parted from the other nodes for {PARTITION:.0f} s after {before:,} jobs were "
                   f"submitted; {self.submitted(record):,} were at its end")

    @staticmethod
    def submitted(record: pathlib.Path) -> int:
        return record.read_bytes().count(b"\n") if record.exists() else 0

    def outage(self) -> None:
        """The broker is gone for a while; each process may say so in two lines for each connection."""
        self.say(f"the whole broker is gone for {self.options.outage:.0f} s")
        logs = [(worker.name, LogLines(worker.log, worker.starts), worker) for worker in self.workers]
        submission = LogLines(self.folder / "submit.log", 0)
        self.progress.is_halted = True
        self.tormentor.end_broker(self.options.outage)
        deadline = time.monotonic() + 180
        while not all(worker.is_connected() for worker in self.workers):
            if time.monotonic() > deadline:
                raise Fault("a worker has not connected again three minutes after the broker's start")
            time.sleep(0.5)
        self.say("all workers are connected again")
        time.sleep(5)
        for name, lines, worker in logs:
            self.state_outage(name, *lines.outage(worker.starts, connections=2))
        self.progress.is_halted = False
        if self.submission.poll() is None:
            self.state_outage("submission", *submission.outage(0, connections=1))

    def state_outage(self, name: str, text: str, is_fine: bool) -> None:
        text = f"Log lines about {self.options.outage:.0f} s without a broker, {name}: {text}"
        self.state(text)
        if not is_fine:
            self.faults.append(text)

    def finish(self) -> None:
        """Waits until all is submitted, and all queues are empty."""
        for attempt in range(6):
            while self.submission.poll() is None:
                self.report()
                time.sleep(1)
            # Attachments that could not be uploaded in time are submitted again.
            if self.submission.returncode == 0:
                break
            self.say(f"submitting again, after exit code {self.submission.returncode}")
            self.submission = self.submit()
        else:
            raise Fault("the submission does not succeed; see submit.log")
        while self.progress.finished < self.options.jobs:
            self.report()
            # A result may be missing in the log; if one is really missing, its verification says so.
            if self.progress.pause > LONGEST_PAUSE / 2:
                break
            time.sleep(1)

    def report(self) -> None:
        """Prints the progress now and then; fails if there is none."""
        now, done = time.monotonic(), self.progress.finished
        if done < self.options.jobs and self.progress.pause > LONGEST_PAUSE:
            raise Fault(f"no job has ended for {self.progress.pause:.0f} s")
        if now - self.reported_at < 10:
            return
        self.reported_at = now
        left = (now - self.begun) / max(done, 1) * (self.options.jobs - done)
        kills = sum(self.origin.kills.values()) if self.origin else 0
        self.say(f"{done:,} of {self.options.jobs:,} results, {left / 60:.0f} min left; {kills:,} kills by poison")

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self.begun:.0f} s: {text}", flush=True)

    def check(self) -> None:
        self.progress.look()
        self.say("verifying")
        outcome = verify(self.store.endpoint, self.folder / "submitted", self.kinds)
        dead = dead_jobs(self.options.programs, self.environment)
        check_dead(outcome, dead)
        begun, finished = self.accesses.begun, self.accesses.finished
        jobs = set(finished) - outcome.poison
        minutes = (time.monotonic() - self.begun) / 60
        self.state(f"{self.options.jobs:,} jobs, each with one result, after {minutes:.0f} minutes: "
                   f"{outcome.describe()}")
        self.state(f"{outcome.objects:,} objects verified; {len(outcome.lost):,} jobs with `consumer-lost`, "
                   f"{len(dead):,} in `dead` with {dead.total():,} messages")
        harms = ", ".join(f"{count} × {kind}" for kind, count in sorted(self.tormentor.done.items()))
        self.state(f"Harm: {harms}; kills by poison: {sum(self.origin.kills.values()):,}; "
                   f"starts of workers: {sum(worker.starts for worker in self.workers):,}")
        self.state(f"Longest time without an end of a job, apart from the outage: {self.progress.longest_pause:.0f} s")
        again, stored = Accesses.again(begun, jobs), Accesses.again(finished, jobs)
        self.state(f"Duplicates: work on the {len(jobs):,} jobs without poison was begun {again:,} times again, and "
                   f"finished {stored:,} times again; results of poison were stored "
                   f"{Accesses.again(finished, outcome.poison):,} times again")
        harm = self.tormentor.done.total()
        for worker in self.workers:
            lines = LogLines(worker.log, 0, from_beginning=True).count()
            if lines > 20 + 8 * worker.starts + 6 * harm:
                self.faults.append(f"{worker.name} logged {lines:,} lines")
            self.state(f"{worker.name}: {lines:,} log lines, {worker.starts:,} starts")
        if self.options.report:
            self.write_report()
        if self.faults:
            raise Fault("; ".join(self.faults))

    def state(self, text: str) -> None:
        self.statements.append(text)
        print(text, flush=True)

    def write_report(self) -> None:
        options = self.options
        command = (f"make fleet-torture FLEET_JOBS={options.jobs} FLEET_SECONDS={options.seconds:.0f} "
                   f"FLEET_OUTAGE={options.outage:.0f} SEED={options.seed}")
        lines = "".join(f"- {text}\n" for text in self.statements)
        options.report.write_text(
            f"# A fleet under harm\n\n`{command}`\n\n{options.workers} workers of {options.jobs_each} jobs, "
            f"{NODES} nodes of RabbitMQ, OpenStack Swift.\n\n{lines}\n{machine()}.\n")

    def end(self) -> None:
        for worker in self.workers:
            worker.is_ending = True
            worker.signal(signal.SIGTERM)
        for worker in self.workers:
            if code := worker.end():
                print(f"{worker.name} ended with {code}", flush=True)
        if self.origin:
            self.origin.end()
        self.broker.down()
        self.store.down()
        self.network.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--jobs-each", type=int, default=2, help="jobs of a worker at once")
    parser.add_argument("--broken", type=float, default=0.05, help="share of broken pictures")
    parser.add_argument("--poison", type=float, default=0.01, help="share of jobs that kill their workers")
    parser.add_argument("--pictures", type=int, default=48, help="pictures with different renditions")
    parser.add_argument("--seconds", type=float, default=1200, help="time of the harm")
    parser.add_argument("--outage", type=float, default=300, help="time without the broker; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and store")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    enter_private_namespaces()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet-", dir=os.environ.get("TMPDIR", "/var/tmp")))
    torture = None
    try:
        torture = Torture(options, folder)
        torture.start()
        torture.torment()
        torture.finish()
        torture.check()
    except BaseException as fault:
        print(f"{'Failed' if isinstance(fault, Fault) else 'Stopped'}: {fault or type(fault).__name__}; "
              f"logs are in {folder}", flush=True)
        raise SystemExit(1) if isinstance(fault, Fault) else fault
    finally:
        if torture:
            torture.end()
    if options.keep:
        print(f"Logs are in {folder}")
    else:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
