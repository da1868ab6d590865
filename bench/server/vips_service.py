#!/usr/bin/env python3
"""A plain service around libvips, as a peer: vips_service.py FOLDER WIDTH PORT PROCESSES

`GET /NAME` answers with the picture of the folder at the width, as JPEG of quality 80. It prints the version of
libvips once it listens.
"""

import http.server
import os
import pathlib
import sys
import threading

os.environ["VIPS_CONCURRENCY"] = "1"

import pyvips  # noqa: E402

folder, width, port, processes = pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:5])
# One picture at a time in each process, as in the workers of the others.
place = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        try:
            with place:
                picture = pyvips.Image.thumbnail(str(folder / pathlib.Path(self.path).name), width, height=10_000_000)
                body, status = picture.jpegsave_buffer(Q=80, keep="none"), 200
        except pyvips.Error as error:
            body, status = str(error).encode(), 422
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128


server = Server(("127.0.0.1", port), Handler)
print(".".join(str(pyvips.version(part)) for part in range(3)), flush=True)
# Processes that share the socket; libvips has no threads yet.
for _ in range(processes - 1):
    if os.fork() == 0:
        break
server.serve_forever()
