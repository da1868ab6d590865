"""A small HTTP/1.1 client on one connection, an order of magnitude faster than http.client.

It reads answers with Content-Length, chunked ones, and answers without a body. A connection that the server
closes after an answer is opened again for the next request.
"""

import socket
import time


class Answer:
    __slots__ = ("status", "fields", "body")

    def __init__(self, status: int, fields: dict[str, str], body: bytes):
        self.status = status
        self.fields = fields
        self.body = body


class Client:
    def __init__(self, port: int, timeout: float = 60):
        self.port = port
        self.timeout = timeout
        self.socket: socket.socket | None = None
        self.buffer = b""

    def connect(self) -> socket.socket:
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), self.timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.buffer = b""
        return self.socket

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def request(self, method: str, path: str, fields: dict[str, str] | None = None,
                body: bytes = b"") -> Answer:
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
        for name, value in (fields or {}).items():
            head += f"{name}: {value}\r\n"
        if method == "POST":
            head += f"Content-Length: {len(body)}\r\n"
        message = head.encode() + b"\r\n" + body
        try:
            self.connect().sendall(message)
        except (BrokenPipeError, ConnectionResetError):
            # The server may close an idle connection at any time.
            if self.buffer:
                raise
            self.close()
            self.connect().sendall(message)
        try:
            return self.answer(method == "HEAD")
        except OSError:
            self.close()
            raise

    def answer(self, without_body: bool = False) -> Answer:
        while True:
            head = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
            status = int(head[0].split(" ", 2)[1])
            if status >= 200:
                break
        fields = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        if without_body or status in (204, 304):
            body = b""
        elif "chunked" in fields.get("transfer-encoding", ""):
            body = self.chunks()
        else:
            body = self.take(int(fields.get("content-length", "0")))
        if fields.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, fields, body)

    def chunks(self) -> bytes:
        parts = []
        while True:
            length = int(self.until(b"\r\n").split(b";")[0], 16)
            if length == 0:
                # Trailers, which end with an empty line.
                while self.until(b"\r\n"):
                    pass
                return b"".join(parts)
            parts.append(self.take(length))
            self.until(b"\r\n")

    def receive(self) -> bytes:
        bytes_read = self.socket.recv(256 << 10)
        if not bytes_read:
            raise ConnectionResetError("the connection ended before the answer")
        return bytes_read

    def until(self, mark: bytes) -> bytes:
        while (end := self.buffer.find(mark)) < 0:
            self.buffer += self.receive()
        found, self.buffer = self.buffer[:end], self.buffer[end + len(mark):]
        return found

    def take(self, length: int) -> bytes:
        parts, missing = [self.buffer[:length]], length - len(self.buffer)
        self.buffer = self.buffer[length:]
        while missing > 0:
            part = self.receive()
            parts.append(part[:missing])
            self.buffer = part[missing:]
            missing -= len(part)
        return b"".join(parts)

    def leave(self, method: str, path: str, fields: dict[str, str], body: bytes,
              length: int, wait: float = 0) -> None:
        """Sends a part of a request on a connection of its own, and closes it without reading.

        With the whole body sent, the server is at work or answering when the client is gone.
        """
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        head += f"Content-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.port), self.timeout) as connection:
            connection.sendall(head.encode() + body[:length])
            if wait:
                time.sleep(wait)
