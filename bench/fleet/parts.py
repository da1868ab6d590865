"""The parts of a fleet as processes: broker, store, origin and workers."""

from __future__ import annotations

import collections
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

from network import Network, address, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROKER = ROOT / "Examples/Fleet/broker.sh"
STORES = ROOT / "Tests/AttachmentStoreTests/stores.sh"

NODES = 3
# Numbers of the parts in the network. Nodes have 11 to 13; workers' numbers follow WORKER.
NODE_PREFIX, STORE, ORIGIN, WORKER = "1", 20, 21, 100
ORIGIN_PORT = 80
OPERATIONS_PORT = 9090

ACCESS = {
    "THIMBLE_SERVER_PUBLISH": "s3://renditions/r", "THIMBLE_SERVER_S3_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "testing"}


class Broker:
    """Nodes of RabbitMQ, each in a namespace of its own if there is a network."""

    def __init__(
            self, folder: pathlib.Path, nodes: int, network: Network | None = None, wrapper: str = "") -> None:
        self.folder, self.nodes = folder, nodes
        self.environment = dict(os.environ)
        if network:
            for node in range(1, nodes + 1):
                network.add(f"node-{node}", int(f"{NODE_PREFIX}{node}"))
            self.environment["BROKER_ADDRESS"] = address(0)[:-1] + NODE_PREFIX + "%"
            wrapper = " ".join([*network.entering("node-%"), wrapper]).strip()
        self.environment["BROKER_WRAPPER"] = wrapper

    def up(self) -> str:
        """Starts all nodes; their URLs."""
        # The nodes must not keep this pipe open.
        urls = self.folder.with_suffix(".urls")
        with open(urls, "wb") as output:
            subprocess.run([BROKER, "up", str(self.nodes), self.folder], check=True, env=self.environment,
                           stdout=output)
        self.urls = urls.read_text().strip()
        self.places = [
            (host, int(port)) for host, port in re.findall(r"@([\d.]+):(\d+)", self.urls)]
        return self.urls

    def process(self, node: int) -> int:
        return int((self.folder / str(node) / "pid").read_text())

    def is_running(self, node: int) -> bool:
        return pathlib.Path(f"/proc/{self.process(node)}").exists()

    def kill(self, node: int) -> None:
        os.kill(self.process(node), signal.SIGKILL)

    def start(self, node: int) -> None:
        subprocess.run([BROKER, "start", str(node), self.folder], check=True, env=self.environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answers(self, node: int) -> bool:
        try:
            with socket.create_connection(self.places[node - 1], 2) as connection:
                connection.settimeout(2)
                connection.sendall(b"AMQP\x00\x00\x09\x01")
                return connection.recv(1) == b"\x01"
        except OSError:
            return False

    def wait_for_all(self, seconds: float) -> bool:
        """False if a node does not answer in time."""
        deadline = time.monotonic() + seconds
        while not all(self.answers(node) for node in range(1, self.nodes + 1)):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.5)
        return True

    def leader(self, queue: str = "thimble.campaign") -> int | None:
        """The node of the latest election of a queue, from the logs of the nodes."""
        elected = re.compile(rf"'{re.escape(queue)}' in vhost '/': \S+ -> leader in term: (\d+)")
        terms = [
            (int(term), node) for node in range(1, self.nodes + 1)
            for log in (self.folder / str(node) / "log").glob("*.log")
            for term in elected.findall(log.read_text(errors="replace"))]
        return max(terms)[1] if terms else None

    def down(self) -> None:
        subprocess.run([BROKER, "down", self.folder], check=False, env=self.environment)


class Store:
    """OpenStack Swift, whose object server logs every request."""

    def __init__(self, folder: pathlib.Path, network: Network | None = None, wrapper: str = "") -> None:
        self.folder = folder
        # This interpreter has boto3.
        self.environment = os.environ | {"STORE_LOG_LEVEL": "INFO", "PYTHON": sys.executable}
        if network:
            network.add("store", STORE)
            self.environment["STORE_ADDRESS"] = address(STORE)
            wrapper = " ".join([*network.entering("store"), wrapper]).strip()
        self.environment["STORE_WRAPPER"] = wrapper

    def up(self) -> str:
        output = self.folder.with_suffix(".endpoint")
        with open(output, "wb") as file:
            subprocess.run([STORES, "up", "swift", self.folder], check=True, env=self.environment, stdout=file)
        self.endpoint = output.read_text().strip()
        return self.endpoint

    @property
    def processes(self) -> list[int]:
        return [int(file.read_text()) for file in self.folder.glob("*.pid")]

    def down(self, signal_option: str = "-TERM") -> None:
        subprocess.run([STORES, "down", self.folder], check=False,
                       env=self.environment | {"STORE_SIGNAL": signal_option})


class Worker:
    """A worker that is started again whenever it ends."""

    def __init__(
            self, name: str, number: int, command: list[str], environment: dict[str, str], log: pathlib.Path) -> None:
        self.name, self.address, self.log = name, address(number), log
        self.command, self.environment = command, environment
        self.starts = 0
        self.ends: collections.Counter[int] = collections.Counter()
        self.is_ending = False
        self.process: subprocess.Popen[bytes] | None = None
        self.thread = threading.Thread(target=self.supervise, daemon=True)
        self.thread.start()

    def supervise(self) -> None:
        while not self.is_ending:
            begun = time.monotonic()
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    self.command, env=self.environment, stderr=log, stdin=subprocess.DEVNULL)
            self.starts += 1
            self.ends[self.process.wait()] += 1
            # One that cannot even start must not take all the time of a core.
            time.sleep(max(0, 0.2 - (time.monotonic() - begun)))

    def kill(self) -> None:
        if self.process:
            self.process.kill()

    def signal(self, number: signal.Signals) -> None:
        if self.process:
            self.process.send_signal(number)

    def is_connected(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self.address}:{OPERATIONS_PORT}/metrics", timeout=2) as answer:
                return "\nthimble_broker_connected 1" in answer.read().decode()
        except OSError:
            return False

    def end(self) -> int:
        """Ends it in order; its exit code."""
        self.is_ending = True
        self.signal(signal.SIGTERM)
        self.thread.join(60)
        if self.thread.is_alive():
            self.kill()
            self.thread.join()
        return self.process.returncode if self.process else 0


class Origin:
    """The server of poison, whose clients are killed."""

    def __init__(self, network: Network, workers: list[Worker], log: pathlib.Path) -> None:
        self.kills: collections.Counter[int] = collections.Counter()
        self.workers = {worker.address: worker for worker in workers}
        self.process = subprocess.Popen(
            [*network.entering("origin"), "/usr/bin/python3", str(pathlib.Path(__file__).with_name("origin.py")),
             address(ORIGIN), str(ORIGIN_PORT)],
            stdout=subprocess.PIPE, stderr=open(log, "ab"), stdin=subprocess.DEVNULL, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout or []:
            client, number = line.split()
            if client in self.workers:
                self.workers[client].kill()
                self.kills[int(number)] += 1

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
