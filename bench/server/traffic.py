"""The mixed requests of a soak: attachments of every format, payloads, streams, renditions and mistakes.

Every request knows the statuses that are right for it, and whole renditions, ranges and manifests are compared
with the bytes that the server published at first.
"""

import json
import pathlib
import random
import struct
import time
import zlib

from client import Client

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "Images"
# Small and middle pictures of each format.
PICTURES = {
    "still-life-ready.jpg": "image/jpeg", "dunes-grey.jpg": "image/jpeg",
    "gerbera-display-p3.jpg": "image/jpeg", "lake-baseline.jpg": "image/jpeg",
    "ridges-progressive.jpg": "image/jpeg", "gerbera-palette.png": "image/png",
    "still-life.png": "image/png", "thimble-alpha.png": "image/png",
    "meadow-lossy.webp": "image/webp", "bubbles-lossless.webp": "image/webp",
    "lake-evening.heic": "image/heic", "aurora-animated.gif": "image/gif",
}
# Requests of each kind among 10,000. Known renditions are most of a service's traffic: each picture is made
# once, and fetched by every phone.
MIX = {
    "range of a rendition": 4000,
    "small rendition": 1400,
    "HEAD": 900,
    "If-None-Match": 900,
    "manifest": 900,
    "payload without a picture": 900,
    "payload with a known picture": 400,
    "known attachment": 250,
    "invalid request": 200,
    "broken attachment": 40,
    "new attachment": 40,
    "inspection": 30,
    "stream of 20 payloads": 20,
    "client that goes away": 20,
}
KINDS = list(MIX)
WEIGHTS = list(MIX.values())


class Published:
    """What the server published at first: paths and bytes of renditions, and manifests."""

    def __init__(self, server) -> None:
        self.files: dict[str, bytes] = {}
        self.manifests: dict[str, bytes] = {}
        client = Client(server.port)
        for name, kind in PICTURES.items():
            answer = client.request("POST", "/v1/attachments", {"Content-Type": kind},
                                    (IMAGES / name).read_bytes())
            if answer.status not in (200, 201):
                raise SystemExit(f"{name}: {answer.status}, {answer.body.decode()}")
            document = json.loads(answer.body)
            for path in document["paths"].values():
                self.files[path] = client.request("GET", path).body
            path = "/v1/attachments/" + document["identifier"]
            self.manifests[path] = client.request("GET", path).body
        client.close()
        self.paths = list(self.files)
        self.small = [path for path, body in self.files.items() if len(body) < 40_000]


class Traffic:
    """One client, which draws requests of the mix."""

    def __init__(self, port: int, published: Published, seed: int):
        self.client = Client(port)
        self.published = published
        self.random = random.Random(seed)
        self.seed = seed
        self.serial = 0
        self.counts: dict[str, int] = dict.fromkeys(KINDS, 0)
        self.refused = 0
        self.faults: list[str] = []
        self.bytes = 0

    def run(self, count: int) -> None:
        for kind in self.random.choices(KINDS, WEIGHTS, k=count):
            self.counts[kind] += 1
            try:
                fault = self.once(kind)
            except OSError as error:
                fault = f"{type(error).__name__}: {error}"
                self.client.close()
            if fault and len(self.faults) < 20:
                self.faults.append(f"{kind}: {fault}")
        self.client.close()

    def once(self, kind: str) -> str | None:
        match kind:
            case "range of a rendition": return self.range()
            case "small rendition": return self.whole()
            case "HEAD": return self.expect((200,), "HEAD", self.path())
            case "If-None-Match": return self.revalidate()
            case "manifest": return self.manifest()
            case "payload without a picture": return self.plain_payload()
            case "payload with a known picture": return self.picture_payload()
            case "known attachment": return self.upload(*self.picture(), (200,))
            case "new attachment": return self.upload(*self.new_picture(), (201,))
            case "broken attachment": return self.broken()
            case "inspection":
                body, kind = self.picture()
                return self.expect((200,), "POST", "/v1/inspect", {"Content-Type": kind}, body)
            case "invalid request": return self.invalid()
            case "stream of 20 payloads": return self.stream()
            case "client that goes away": return self.leave()
        raise ValueError(kind)

    # MARK: known renditions

    def path(self) -> str:
        return self.random.choice(self.published.paths)

    def range(self) -> str | None:
        path = self.path()
        body = self.published.files[path]
        start = self.random.randrange(len(body))
        end = min(len(body), start + self.random.randint(1, 16_000))
        return self.expect((206,), "GET", path, {"Range": f"bytes={start}-{end - 1}"},
                           body=b"", equals=body[start:end])

    def whole(self) -> str | None:
        path = self.random.choice(self.published.small)
        return self.expect((200,), "GET", path, equals=self.published.files[path])

    def revalidate(self) -> str | None:
        path = self.path()
        tag = '"' + path.rsplit("/", 1)[1].split(".")[0] + '"'
        return self.expect((304,), "GET", path, {"If-None-Match": tag})

    def manifest(self) -> str | None:
        path, body = self.random.choice(list(self.published.manifests.items()))
        return self.expect((200,), "GET", path, equals=body)

    # MARK: payloads

    def plain_payload(self) -> str | None:
        body = b'{"aps":{"alert":"No. %d"},"n":[1,2,3]}' % self.random.randrange(1_000_000)
        return self.expect((200,), "POST", "/v1/stage", {"Content-Type": "application/json"}, body)

    def payload(self) -> bytes:
        name = self.random.choice(list(PICTURES))
        # The container keeps a manifest for each payload without an identifier.
        number = self.random.randrange(100)
        return json.dumps({"aps": {"alert": f"No. {number}"},
                           "attachment-url": str(IMAGES / name)}).encode()

    def picture_payload(self) -> str | None:
        fault = self.expect((200,), "POST", "/v1/stage", {"Content-Type": "application/json"},
                            self.payload())
        return fault or (None if self.answer.status == 429 or
                         self.answer.fields.get("thimble-outcome") == "rendition"
                         else f"outcome {self.answer.fields.get('thimble-outcome')}")

    def stream(self) -> str | None:
        body = b"".join(
            (self.payload() if self.random.random() < 0.3 else b'{"aps":{"alert":"None"}}') + b"\n"
            for _ in range(20))
        fault = self.expect((200,), "POST", "/v1/stage",
                            {"Content-Type": "application/x-ndjson"}, body)
        lines = self.answer.body.splitlines()
        if self.answer.status == 200 and len(lines) != 20:
            return f"{len(lines)} answers"
        return fault

    # MARK: attachments

    def picture(self) -> tuple[bytes, str]:
        name = self.random.choice(list(PICTURES))
        return (IMAGES / name).read_bytes(), PICTURES[name]

    def new_picture(self) -> tuple[bytes, str]:
        """A picture with other bytes than all before it, and the same pixels."""
        body, kind = self.picture()
        self.serial += 1
        note = b"%d-%d" % (self.seed, self.serial)
        match kind:
            case "image/jpeg":
                # A comment after the start of the image.
                return body[:2] + b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note + body[2:], kind
            case "image/png":
                chunk = b"tEXtComment\0" + note
                chunk = struct.pack(">I", len(chunk) - 4) + chunk
                return body[:33] + chunk + struct.pack(">I", zlib.crc32(chunk[4:])) + body[33:], kind
            case "image/gif":
                return body[:-1] + b"\x21\xfe" + bytes([len(note)]) + note + b"\0\x3b", kind
            case "image/webp":
                data = note + b"\0" * (len(note) % 2)
                body += b"NOTE" + struct.pack("<I", len(note)) + data
                return body[:4] + struct.pack("<I", len(body) - 8) + body[8:], kind
        return body + struct.pack(">I", len(note) + 8) + b"free" + note, kind

    def upload(self, body: bytes, kind: str, statuses: tuple[int, ...]) -> str | None:
        fields = {"Content-Type": kind}
        if self.random.random() < 0.3:
            boundary = "b%016x" % self.random.getrandbits(64)
            fields["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            body = (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; '
                    f'filename="a"\r\nContent-Type: {kind}\r\n\r\n').encode() + body \
                + f"\r\n--{boundary}--\r\n".encode()
        return self.expect(statuses, "POST", "/v1/attachments", fields, body)

    def broken(self) -> str | None:
        """Noise, or a picture that is damaged at one place; some of those can still be shown."""
        if self.random.random() < 0.3:
            body = self.random.randbytes(self.random.randint(0, 5000))
            return self.upload(body, "application/octet-stream", (422,))
        body, kind = self.picture()
        body = bytearray(body)
        start = self.random.randrange(len(body))
        length = min(len(body) - start, self.random.randint(1, 400))
        body[start:start + length] = self.random.randbytes(length)
        return self.upload(bytes(body), kind, (200, 201, 413, 422))

    # MARK: mistakes

    def invalid(self) -> str | None:
        json_type = {"Content-Type": "application/json"}
        cases = [
            ((404,), "GET", "/v1/renditions/00/" + "0" * 64 + ".jpg", {}, b""),
            ((404,), "GET", "/v1/attachments/unknown", {}, b""),
            ((404,), "GET", "/v2", {}, b""),
            ((405,), "GET", "/v1/stage", {}, b""),
            ((415,), "POST", "/v1/attachments", {"Content-Type": "text/plain"}, b"text"),
            ((422,), "POST", "/v1/stage", json_type, b'{"aps":'),
            ((400,), "POST", "/v1/stage", json_type | {"Thimble-Deadline": "soon"}, b"{}"),
            ((416,), "GET", self.path(), {"Range": "bytes=99999999-"}, b""),
        ]
        statuses, method, path, fields, body = self.random.choice(cases)
        return self.expect(statuses, method, path, fields, body)

    def leave(self) -> None:
        """A client that is gone in its request, while the server works, or in the answer."""
        body, kind = self.new_picture()
        fields = {"Content-Type": kind}
        match self.random.randrange(5):
            case 0: self.client.leave("POST", "/v1/attachments", fields, body, len(body) // 2)
            case 1: self.client.leave("POST", "/v1/attachments", fields, body, len(body))
            case 2: self.client.leave("POST", "/v1/attachments", fields, body, len(body), 0.02)
            case 3:
                lines = (self.payload() + b"\n") * 10
                fields = {"Content-Type": "application/x-ndjson"}
                self.client.leave("POST", "/v1/stage", fields, lines, len(lines) - 5, 0.01)
            case 4:
                largest = max(self.published.files, key=lambda path: len(self.published.files[path]))
                self.client.leave("GET", largest, {}, b"", 0, 0.002)

    # MARK: answers

    def expect(self, statuses: tuple[int, ...], method: str, path: str,
               fields: dict[str, str] | None = None, body: bytes = b"",
               equals: bytes | None = None) -> str | None:
        self.answer = self.client.request(method, path, fields, body)
        self.bytes += len(self.answer.body)
        if self.answer.status == 429:
            self.refused += 1
            return None
        if self.answer.status not in statuses:
            return f"{method} {path.split('?')[0][:20]}…: {self.answer.status}, " \
                   f"{self.answer.body[:300]!r}"
        if equals is not None and self.answer.body != equals:
            return "other bytes than published"
        return None


def run(port: int, published: Published, seed: int, count: int, results) -> None:
    """Body of a client process."""
    traffic = Traffic(port, published, seed)
    start = time.monotonic()
    traffic.run(count)
    results.put({"counts": traffic.counts, "refused": traffic.refused, "faults": traffic.faults,
                 "bytes": traffic.bytes, "seconds": time.monotonic() - start})
