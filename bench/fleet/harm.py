"""Harm to the parts of a fleet, drawn in advance."""

from __future__ import annotations

import collections
import dataclasses
import os
import random
import signal
import time
from collections.abc import Iterator

from network import Network
from parts import Broker, NODES, Store, Worker

# Kinds of harm, as often as they are listed. The leader is the leader of the campaign's queue.
KINDS = [
    "kill worker", "kill worker", "suspend worker", "suspend worker", "cut worker", "cut worker", "kill node",
    "kill leader", "suspend node", "suspend leader", "cut node", "cut leader", "part node", "part leader", "kill store",
    "suspend store", "cut store"]


@dataclasses.dataclass(frozen=True)
class Harm:
    wait: float  # seconds before it
    kind: str
    part: float  # below 1: which worker or node
    pause: float  # seconds until it is undone

    @staticmethod
    def draw(chance: random.Random) -> Iterator[Harm]:
        """Harm without end; always equal for equal chance."""
        while True:
            # The longer third exceeds the times after which broker, nodes and workers give each other up.
            pause = chance.uniform(1, 8) if chance.random() < 2 / 3 else chance.uniform(15, 35)
            yield Harm(chance.uniform(0.5, 4), chance.choice(KINDS), chance.random(), pause)


class Tormentor:
    """Does harm to one part at a time, and undoes it."""

    def __init__(self, network: Network, broker: Broker, store: Store, workers: list[Worker]) -> None:
        self.network, self.broker, self.store, self.workers = network, broker, store, workers
        self.done: collections.Counter[str] = collections.Counter()

    def do(self, harm: Harm) -> str:
        """Returns what was done to whom."""
        time.sleep(harm.wait)
        action, _, victim = harm.kind.partition(" ")
        self.done[harm.kind] += 1
        if victim == "worker":
            name = self.harm_worker(action, self.workers[int(harm.part * len(self.workers))], harm.pause)
        elif victim == "store":
            name = "store"
            self.harm_store(action, harm.pause)
        else:
            # A majority must be there for most of the time, or nothing would be worked on.
            is_whole = self.wait_for_broker()
            leader = self.broker.leader() if victim == "leader" else None
            node = leader or int(harm.part * NODES) + 1
            self.harm_node(action, node, harm.pause)
            name = f"{'leader, ' if leader else ''}node-{node}{'' if is_whole else ' beside a missing one'}"
        return f"{action} {name}, {harm.pause:.1f} s"

    def harm_worker(self, action: str, worker: Worker, pause: float) -> str:
        if action == "kill":
            worker.kill()
        elif action == "suspend":
            process = worker.process
            if process:
                process.send_signal(signal.SIGSTOP)
                time.sleep(pause)
                process.send_signal(signal.SIGCONT)
        else:
            self.cut(worker.name, pause)
        return worker.name

    def harm_store(self, action: str, pause: float) -> None:
        if action == "kill":
            self.store.down("-KILL")
            time.sleep(pause)
            self.store.up()
        elif action == "suspend":
            self.suspend(self.store.processes, pause)
        else:
            self.cut("store", pause)

    def harm_node(self, action: str, node: int, pause: float) -> None:
        if action == "kill":
            self.broker.kill(node)
            time.sleep(pause)
            self.broker.start(node)
        elif action == "suspend":
            self.suspend([self.broker.process(node)], pause)
        elif action == "part":
            self.part(node, pause)
        else:
            self.cut(f"node-{node}", pause)

    def part(self, node: int, pause: float) -> None:
        """Parts a node from the other nodes; workers and submission still reach both sides."""
        name, others = f"node-{node}", [f"node-{other}" for other in range(1, NODES + 1) if other != node]
        self.network.part(name, others)
        time.sleep(pause)
        self.network.unite(name, others)

    def end_broker(self, pause: float) -> None:
        """Kills all nodes at one moment, and starts them after a while."""
        self.wait_for_broker()
        for node in range(1, NODES + 1):
            self.broker.kill(node)
        time.sleep(pause)
        for node in range(1, NODES + 1):
            self.broker.start(node)

    def wait_for_broker(self) -> bool:
        """Waits for all nodes, and starts those that have ended by themselves, as a service manager does."""
        is_whole = self.broker.wait_for_all(90)
        for node in range(1, NODES + 1):
            if not is_whole and not self.broker.is_running(node):
                self.broker.start(node)
                self.done["restart of a node that ended by itself"] += 1
        return is_whole or self.broker.wait_for_all(90)

    def cut(self, name: str, pause: float) -> None:
        self.network.cut(name)
        time.sleep(pause)
        self.network.join(name)

    @staticmethod
    def suspend(processes: list[int], pause: float) -> None:
        # Child processes are not suspended: a node's children look up names, and the store has
        # none.
        for process in processes:
            send(process, signal.SIGSTOP)
        time.sleep(pause)
        for process in processes:
            send(process, signal.SIGCONT)


def send(process: int, number: signal.Signals) -> None:
    """Signals a process that may have ended."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass
