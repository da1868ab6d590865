"""HTTP origin for tests on a loopback address: origin.py [--tls CERTIFICATE KEY] [ADDRESS].

Prints its port, and then one line for each request: method, path and, after a space each, the
headers of interest as NAME=VALUE. Standard library only; ends when standard input ends.
"""

import os
import socket
import ssl
import sys
import threading
import time
import urllib.parse
import zlib
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPORTED = ["Authorization", "If-None-Match", "If-Modified-Since", "Accept-Encoding", "Host"]
counts = {}
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def report(self):
        fields = [f"{name}={self.headers[name]}" for name in REPORTED if self.headers[name]]
        with lock:
            counts[self.path] = counts.get(self.path, 0) + 1
            print(self.command, self.path, *fields, flush=True)

    def send(self, body, status=200, headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data):
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = True

    def do_GET(self):
        self.report()
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        try:
            getattr(self, "page_" + url.path.strip("/").replace("-", "_"))(query)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_HEAD = do_GET

    def do_PUT(self):
        self.report()
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        signed = self.headers.get("Authorization", "").startswith("AWS4-HMAC-SHA256 Credential=KEY/")
        self.send(b"stored %d %d" % (zlib.crc32(body), signed), headers=[("ETag", '"put"')])

    def page_file(self, query):
        """A body of `bytes` bytes, with the headers `cache`, `etag` and others."""
        body = query.get("text", "x").encode() * int(query.get("bytes", "1"))
        headers = [("Content-Type", query.get("type", "image/jpeg"))]
        for name, key in [
            ("Cache-Control", "cache"), ("Last-Modified", "modified"), ("Age", "age"),
            ("Content-Encoding", "encoding"),
        ]:
            if key in query:
                headers.append((name, query[key]))
        if "etag" in query:
            headers.append(("ETag", query["etag"]))
            if self.headers["If-None-Match"] == query["etag"]:
                self.send_response(304)
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                return
        time.sleep(float(query.get("delay", "0")))
        self.send(body, int(query.get("status", "200")), headers)

    def page_picture(self, query):
        with open(query["path"], "rb") as file:
            self.send(file.read(), headers=[("Content-Type", query.get("type", "image/jpeg"))])

    def page_private(self, query):
        """A picture for requests with the bearer `token`."""
        if self.headers["Authorization"] != f"Bearer {query['token']}":
            return self.send(b"", 401, [("WWW-Authenticate", "Bearer")])
        self.page_picture(query)

    def page_redirect(self, query):
        headers = [("Location", query["to"])]
        if "cache" in query:
            headers.append(("Cache-Control", query["cache"]))
        self.send(b"moved" * 10, int(query.get("status", "302")), headers)

    def page_chain(self, query):
        left = int(query["left"])
        time.sleep(float(query.get("delay", "0")))
        more = f"&delay={query['delay']}" if "delay" in query else ""
        target = f"/chain?left={left - 1}{more}" if left else "/file?text=end"
        self.send(b"", 302, [("Location", target)])

    def page_loop(self, query):
        self.send(b"", 302, [("Location", "/loop")])

    def page_drip(self, query):
        self.send_response(int(query.get("status", "200")))
        self.send_header("Location", "/file")
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        for _ in range(1000):
            self.wfile.write(b"x")
            self.wfile.flush()
            time.sleep(0.05)

    def page_headers(self, query):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1000):
            self.wfile.write(b"X-%d: 1\r\n" % number)
            self.wfile.flush()
            time.sleep(0.05)

    def page_many_headers(self, query):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(2000):
            self.wfile.write(b"X-%d: %s\r\n" % (number, b"y" * 200))
        self.raw(b"Content-Length: 1\r\n\r\nx")

    def page_short(self, query):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 10)

    def page_long(self, query):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + b"x" * 1000)

    def page_length(self, query):
        """Ten bytes with the header lines of `head`, separated by full stops."""
        lines = query["head"].replace(".", "\r\n")
        self.raw(f"HTTP/1.1 200 OK\r\n{lines}\r\n\r\n".encode() + b"x" * 10)

    def page_chunks(self, query):
        """The bytes of `text` in place of chunks, with full stops for the ends of lines."""
        body = query["text"].replace(".", "\r\n").encode()
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)

    def page_unending(self, query):
        """A response whose `part` never ends."""
        head = b"HTTP/1.1 200 OK\r\n"
        chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
        first, more = {
            "interim": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
            "status": (b"HTTP/1.1 200 ", b"y" * 100),
            "line": (head + b"X-Long: ", b"y" * 100),
            "lines": (head, b"X-More: y\r\n"),
            "folded": (head + b"X-Long: y", b"\r\n y"),
            "extension": (chunked + b"1;", b"y" * 100),
            "trailer": (chunked + b"1\r\nx\r\n0\r\nX-Long: ", b"y" * 100),
            "trailers": (chunked + b"1\r\nx\r\n0\r\n", b"X-More: y\r\n"),
            "chunks": (chunked, b"1\r\nx\r\n"),
        }[query["part"]]
        self.wfile.write(first)
        while True:
            self.wfile.write(more * 100)

    def page_garbage(self, query):
        self.raw(b"\x00\x01garbage\r\n\r\n")

    def page_nothing(self, query):
        self.close_connection = True

    def page_huge(self, query):
        """Announces `bytes` bytes, and sends them."""
        total = int(query["bytes"])
        self.send_response(200)
        if "silent" in query:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(total))
        self.end_headers()
        block = b"x" * 65536
        for _ in range(total // len(block)):
            self.wfile.write(block)

    def page_endless(self, query):
        self.send_response(int(query.get("status", "200")))
        self.send_header("Location", "/file")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        block = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        while True:
            self.wfile.write(block)

    def page_bomb(self, query):
        """100 MB of zeros in a body that is encoded, or in a transfer coding."""
        packer = zlib.compressobj(wbits=31)
        body = packer.compress(bytes(100_000_000)) + packer.flush()
        if "transfer" not in query:
            return self.send(body, headers=[("Content-Encoding", "gzip")])
        self.send_response(200)
        self.send_header("Transfer-Encoding", "gzip, chunked")
        self.end_headers()
        self.raw(b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")

    def page_counts(self, query):
        with lock:
            self.send(str(counts.get(query["of"], 0)).encode())

    def page_stale(self, query):
        """A file whose date is an hour ago."""
        then = formatdate(time.time() - 3600, usegmt=True)
        self.send(b"old", headers=[("Expires", then), ("Date", then)])


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    address_family = socket.AF_INET

    def handle_error(self, request, client_address):
        pass


def main():
    arguments = sys.argv[1:]
    keys = None
    if arguments[:1] == ["--tls"]:
        keys, arguments = arguments[1:3], arguments[3:]
    address = arguments[0] if arguments else "127.0.0.1"
    if ":" in address:
        Server.address_family = socket.AF_INET6
    server = Server((address, 0), Handler)
    if keys:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*keys)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
