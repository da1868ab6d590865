"""Resolver and HTTP server in a network of their own, for tests of names: names.py FOLDER.

Runs in new user, mount and network namespaces (unshare(1)), where every address is local: the wildcard
listener counts a connection to any address of the Internet or of a private network. FOLDER/names.json has the
answers: names with their look-ups, each a list of records such as "A 10.0.0.1", "AAAA ::1" and
"CNAME localhost". The last look-up is repeated. Instead of records, a look-up may have one word:

silent      no answer
refused     the server's failure (SERVFAIL)
garbage     a datagram that is no message
truncated   an empty answer that asks for TCP, where the records after the word are sent
stranger    an answer that has the records under another name

Prints "ready", and then one line for each look-up and connection: "lookup NAME TYPE", "connection ADDRESS".
Standard library only; ends when standard input ends.
"""

import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading

RESOLVER = "127.0.0.53"
PORT = 80
TYPES = {"A": 1, "CNAME": 5, "AAAA": 28}
counts = {}
lock = threading.Lock()


def report(*words):
    with lock:
        print(*words, flush=True)


def isolate(folder):
    """Makes every address local, and gives the resolver the test's files."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"], check=True)
    subprocess.run(["ip", "-6", "route", "add", "local", "::/0", "dev", "lo"], check=True)
    for name, text in [
        ("resolv.conf", f"nameserver {RESOLVER}\n"), ("nsswitch.conf", "hosts: files dns\n"),
    ]:
        file = folder / name
        file.write_text(text)
        if os.path.exists(f"/etc/{name}"):
            subprocess.run(["mount", "--bind", file, f"/etc/{name}"], check=True)


def encoded(name):
    labels = [label.encode() for label in name.rstrip(".").split(".")]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def question(message):
    """The name, the number of its type, and the end of the question (RFC 1035, section 4.1.2)."""
    labels, offset = [], 12
    while message[offset]:
        labels.append(message[offset + 1:offset + 1 + message[offset]].decode())
        offset += 1 + message[offset]
    return ".".join(labels).lower(), struct.unpack_from("!H", message, offset + 1)[0], offset + 5


def records(owner, lines, wanted):
    """Records of the wanted type, and aliases with the names that they lead to."""
    found = []
    for line in lines:
        kind, value = line.split()
        if kind == "CNAME":
            data, next_owner = encoded(value), value
        elif TYPES[kind] != wanted:
            continue
        else:
            family = socket.AF_INET if kind == "A" else socket.AF_INET6
            data, next_owner = socket.inet_pton(family, value), owner
        # A lifetime of 0 forbids caching.
        found.append(encoded(owner) + struct.pack("!HHIH", TYPES[kind], 1, 0, len(data)) + data)
        owner = next_owner
    return found


def answer(message, names, is_datagram):
    """The answer to a query; None for silence."""
    name, wanted, end = question(message)
    lookups = names.get(name)
    with lock:
        number = counts.get((name, wanted), 0)
        # A repetition over TCP belongs to the same look-up.
        counts[name, wanted] = number + (1 if is_datagram else 0)
    if is_datagram:
        report("lookup", name, wanted)
    else:
        number -= 1
    lines = lookups[min(number, len(lookups) - 1)] if lookups else []
    word, owner, code, flags = "", name, 0 if lookups else 3, 0x8180
    if lines and " " not in lines[0]:
        word, lines = lines[0], lines[1:]
    if word == "silent":
        return None
    if word == "garbage":
        return b"\xff" * 40
    if word == "refused":
        code = 2
    if word == "stranger":
        owner = "stranger.example"
    if word == "truncated" and is_datagram:
        lines, flags = [], 0x8380
    found = records(owner, lines, wanted)
    head = message[:2] + struct.pack("!HHHHH", flags | code, 1, len(found), 0, 0)
    return head + message[12:end] + b"".join(found)


def resolve(names):
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind((RESOLVER, 53))
    streams = socket.create_server((RESOLVER, 53))

    def serve_datagrams():
        while True:
            message, client = datagrams.recvfrom(4096)
            if (reply := answer(message, names, True)) is not None:
                datagrams.sendto(reply, client)

    def serve_stream(connection):
        with connection, connection.makefile("rb") as stream:
            while len(head := stream.read(2)) == 2:
                reply = answer(stream.read(struct.unpack("!H", head)[0]), names, False)
                connection.sendall(struct.pack("!H", len(reply)) + reply)

    def serve_streams():
        while True:
            connection, _ = streams.accept()
            threading.Thread(target=serve_stream, args=(connection,), daemon=True).start()

    for server in (serve_datagrams, serve_streams):
        threading.Thread(target=server, daemon=True).start()


def respond(connection):
    """Sends one byte, or a redirection to the host that the path names: /to/HOST."""
    with connection:
        target = connection.recv(65536).split(b" ")[1].decode()
        head = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n"
        if target.startswith("/to/"):
            head = f"HTTP/1.1 302 Found\r\nLocation: http://{target[4:]}/\r\n"
        connection.sendall(f"{head}Connection: close\r\nContent-Length: 1\r\n\r\nx".encode())


def listen():
    """Counts connections to any address, those to IPv4 addresses in mapped form too."""
    server = socket.create_server(("::", PORT), family=socket.AF_INET6, dualstack_ipv6=True)
    while True:
        connection, _ = server.accept()
        report("connection", connection.getsockname()[0].removeprefix("::ffff:"))
        threading.Thread(target=respond, args=(connection,), daemon=True).start()


def main():
    folder = pathlib.Path(sys.argv[1])
    isolate(folder)
    resolve(json.loads((folder / "names.json").read_text()))
    threading.Thread(target=listen, daemon=True).start()
    report("ready")
    sys.stdin.read()
    os._exit(0)


main()
