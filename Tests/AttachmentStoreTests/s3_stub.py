#!/usr/bin/env python3
"""S3 server for tests, which fails on request.

Usage: s3_stub.py FOLDER [PORT [CERTIFICATE KEY]]

Prints its port, and then each request as a line: method, path, status, and seconds of a clock. Objects
are files below FOLDER, so they outlast the process. `BUCKET.localhost` as the host's name is the bucket.
`POST /_faults` with JSON sets faults: a list of objects with `kind`, `method` (default: any), `key` of
the credentials (default: any), `count` (default: for ever), and values of the kind. It ends with its
standard input.
"""
import hashlib, json, os, ssl, sys, threading, time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

folder = Path(sys.argv[1])
faults = []
lock = threading.Lock()
printing = threading.Lock()


def take_fault(method, authorization):
    with lock:
        for fault in faults:
            if f"Credential={fault.get('key', '')}" not in authorization and "key" in fault:
                continue
            if fault.get("method", method) == method and fault.get("count", 1) > 0:
                if "count" in fault:
                    fault["count"] -= 1
                return fault
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    offset = 0

    def log_message(self, *arguments):
        pass

    def date_time_string(self, timestamp=None):
        return formatdate(time.time() + self.offset, usegmt=True)

    def answer(self, status, body=b"", headers=()):
        with printing:
            print(self.command, self.path, status, f"{time.monotonic():.3f}", flush=True)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if not any(name == "Content-Length" for name, _ in headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def error(self, status, code, headers=()):
        self.answer(status, f"<?xml version='1.0'?><Error><Code>{code}</Code></Error>".encode(),
                    [("Content-Type", "application/xml"), *headers])

    def drop(self):
        with printing:
            print(self.command, self.path, "dropped", f"{time.monotonic():.3f}", flush=True)
        self.close_connection = True
        self.connection.close()

    def fails(self):
        """Applies a fault before the body is read; true if the request is over."""
        self.offset = 0
        fault = take_fault(self.command, self.headers.get("Authorization", ""))
        self.fault = fault
        if fault is None:
            return False
        kind = fault["kind"]
        if kind == "error":
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.offset = fault.get("skew", 0)
            wait = fault.get("retry-after")
            self.error(fault["status"], fault.get("code", "Fault"),
                       [] if wait is None else [("Retry-After", str(wait))])
        elif kind == "drop":
            self.rfile.read(int(self.headers.get("Content-Length", 0)) // 2)
            self.drop()
        elif kind == "hang":
            time.sleep(fault["seconds"])
            self.drop()
        elif kind == "garbage":
            self.wfile.write(b"\x00\xff not HTTP\r\n\r\n")
            self.drop()
        elif kind == "endless":
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                self.answer(500, headers=[("Content-Length", str(1 << 40))])
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                self.close_connection = True
        elif kind == "skew":
            self.offset = fault["seconds"]
            return False
        elif kind == "slow":
            time.sleep(fault["seconds"])
            return False
        else:
            return False
        return True

    @property
    def file(self):
        bucket, dot, _ = self.headers.get("Host", "").partition(".localhost")
        path = f"{bucket}{self.path}" if dot else self.path.lstrip("/")
        return folder / path.replace("/", "%")

    def do_PUT(self):
        if self.fails():
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if hashlib.sha256(body).hexdigest() != self.headers.get("x-amz-content-sha256"):
            return self.error(400, "XAmzContentSHA256Mismatch")
        if "AWS4-HMAC-SHA256 Credential=" not in self.headers.get("Authorization", ""):
            return self.error(403, "AccessDenied")
        headers = {name.lower(): value for name, value in self.headers.items()}
        unfinished = folder / f".{time.monotonic_ns()}"
        unfinished.write_bytes(json.dumps(headers).encode() + b"\n" + body)
        os.rename(unfinished, self.file)
        if self.fault and self.fault["kind"] == "lost-answer":
            return self.drop()
        self.answer(200)

    def stored(self):
        headers, body = self.file.read_bytes().split(b"\n", 1)
        return json.loads(headers), body

    def do_HEAD(self):
        if self.fails():
            return
        try:
            headers, body = self.stored()
        except FileNotFoundError:
            return self.answer(404)
        length = len(body) + (1 if self.fault and self.fault["kind"] == "wrong-length" else 0)
        self.answer(200, headers=[("Content-Length", str(length)),
                                  ("Content-Type", headers.get("content-type", ""))])

    def do_GET(self):
        if self.path == "/_headers":
            return self.answer(200, json.dumps(
                {file.name: json.loads(file.read_bytes().split(b"\n", 1)[0])
                 for file in folder.iterdir() if not file.name.startswith(".")}).encode())
        try:
            headers, body = self.stored()
        except FileNotFoundError:
            return self.error(404, "NoSuchKey")
        self.answer(200, body, [("Content-Type", headers.get("content-type", ""))])

    def do_DELETE(self):
        if self.fails():
            return
        self.file.unlink(missing_ok=True)
        if self.fault and self.fault["kind"] == "lost-answer":
            return self.drop()
        self.answer(204)

    def do_POST(self):
        global faults
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            faults = json.loads(body)
        self.answer(204)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass


folder.mkdir(parents=True, exist_ok=True)
server = Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
if len(sys.argv) > 3:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    # The handshake takes place in the connection's own thread.
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
