import Foundation
import Testing

@testable import AttachmentWorker

extension PoolFixture {
    /// Common code of fake workers: framing, and the messages of a correct worker.
    private static let prelude = #"""
        #!/usr/bin/python3 -IS
        import json, os, socket, struct, time

        here = os.path.dirname(os.path.abspath(__file__))
        # The kinds of a worker's messages, in their order.
        READY, UNABLE, STARTED, DONE, INSPECTED, FAILED = range(6)
        ready = [READY, {
            "libvips": "0", "baseline": 1, "sandbox": {"mode": "off", "entries": []}}]
        unable = [UNABLE, {
            "domain": "workers", "code": "unable", "reason": "it will not", "remedy": "ask again"}]
        failed = [FAILED, {"code": "corrupt", "file": "file", "detail": "", "fault": {
            "domain": "attachment", "code": "corrupt", "reason": "it is fake", "remedy": "none"}}]

        def started(rung):
            return [STARTED, {"rung": rung, "predictedPeak": 1}]

        inbox = socket.socket(fileno=0)
        files = []

        def receive():
            """Receives a message; exits when the supervisor is gone."""
            def take(count):
                taken = b""
                while len(taken) < count:
                    part, brought, _, _ = socket.recv_fds(inbox, count - len(taken), 8)
                    files.extend(brought)
                    if not part:
                        os._exit(0)
                    taken += part
                return taken
            return json.loads(take(struct.unpack(">I", take(4))[0]))

        def send(*messages):
            """Sends messages, or raw bytes as a message body, in one write."""
            bodies = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
            os.write(1, b"".join(struct.pack(">I", len(body)) + body for body in bodies))

        # The configuration, with the socket for scratch files.
        receive()
        scratch = socket.socket(fileno=files.pop())

        """#

    /// A script in place of `thimble-worker`, with the same name, by which workers are counted.
    ///
    /// `lines` is Python code that runs after the configuration. `receive()` receives a message,
    /// `send(…)` sends some, and `here` is the fixture's folder.
    func fakeWorker(_ lines: String) throws -> URL {
        let url = folder.appending(path: "thimble-worker")
        try Data((Self.prelude + lines + "\n").utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        return url
    }

    /// Starts the worker of a pool with a short timeout, within which a start may fail.
    static func warmUp(_ pool: WorkerPool) async throws {
        for _ in 0..<20 {
            if (try? await pool.warmUp()) != nil { return }
        }
        try await pool.warmUp()
    }

    /// Waits until a condition holds.
    static func wait(until condition: () throws -> Bool) async throws {
        let latest = ContinuousClock.now + .seconds(30)
        while try !condition() {
            try #require(ContinuousClock.now < latest, "the condition does not hold in time")
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
