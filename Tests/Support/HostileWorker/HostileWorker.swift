import AttachmentContainer
import AttachmentModel
import CEscapes
import Foundation
import WorkerProtocol

/// A compromised worker.
///
/// It speaks the protocol, keeps every descriptor and misuses it.
///
/// The number at the end of an attachment selects the attack. For each attachment it also tries to
/// access the container by path, and writes to all descriptors of earlier ones. Its errors contain
/// the number of successful attempts, for the test.
@main
struct HostileWorker {
    static func main() {
        let outbox = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        var reader = MessageReader<SupervisorMessage>()
        guard let order = try? reader.next(), let scratch = order.descriptors.first,
            case .configuration(let configuration) = order.message
        else { exit(2) }
        // The container is beside the program; workers do not receive its path.
        let root = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "container").path
        var policy = SandboxPolicy()
        policy.mode = configuration.sandbox
        policy.descriptors = [outbox, scratch]
        policy.inboxes = [STDIN_FILENO, scratch]
        policy.limits = configuration.limits
        guard let sandbox = try? Sandbox.enter(policy) else { exit(3) }
        var session = HostileSession(outbox: outbox, scratch: scratch, root: root)
        session.send(
            .ready(
                WorkerReady(
                    libvips: "8.14", baseline: ByteCount(1), limit: nil, sandbox: sandbox)))
        while let order = try? reader.next() {
            guard case .request = order.message else { exit(4) }
            session.misuse(order.descriptors)
        }
    }
}

/// State of the compromised worker.
struct HostileSession {
    private let outbox: CInt
    private let scratch: CInt
    private let root: String
    /// Descriptors of earlier attachments.
    private var kept: [CInt] = []

    init(outbox: CInt, scratch: CInt, root: String) {
        self.outbox = outbox
        self.scratch = scratch
        self.root = root
    }

    func send(_ message: WorkerMessage) {
        guard let frame = try? Frame.encode(message) else { exit(5) }
        send(frame)
    }

    private func send(_ frame: Data) {
        _ = frame.withUnsafeBytes { write(outbox, $0.baseAddress, $0.count) }
    }

    /// Runs the attack selected by the attachment's number.
    mutating func misuse(_ descriptors: [CInt]) {
        let number = Self.number(of: descriptors[0])
        // Stay below the limit on open files.
        kept = (descriptors + kept)
        for descriptor in kept.dropFirst(180) { close(descriptor) }
        kept = Array(kept.prefix(180))
        let escapes = overwrite(kept.dropFirst(descriptors.count)) + tryPaths()
        let outputs = Array(descriptors.dropFirst())
        let falsehoods = Falsehood.all
        if number % 8 == 0 {
            var attachment = Self.honest(outputs)
            falsehoods[number / 8 % falsehoods.count].apply(&attachment, outputs)
            send(Self.done(attachment))
        } else if number % 8 == 1 {
            // Write while the supervisor reads. This may affect only this attachment's renditions.
            send(Self.done(Self.honest(outputs)))
            for _ in 0..<20 { _ = overwrite(outputs[...]) }
        } else if number % 64 == 2 {
            send(.started(WorkerStarted(rung: .preview, predictedPeak: ByteCount(1 << 40))))
            send(Data([0, 0, 0, 3] + Array("{]}".utf8)))
        } else {
            send(
                .failed(
                    AttachmentError(
                        .corrupt, file: "\(root)/other", reason: "escapes: \(escapes)",
                        detail: "\u{1B}[2J")))
        }
    }

    /// The number at the end of an attachment.
    private static func number(of attachment: CInt) -> Int {
        var bytes = [UInt8](repeating: 0, count: 8)
        let length = lseek(attachment, 0, SEEK_END)
        guard pread(attachment, &bytes, 8, max(0, length - 8)) == 8 else { return 0 }
        return Int(String(decoding: bytes, as: UTF8.self)) ?? 0
    }

    /// Overwrites files and returns the number of writable attachments.
    private func overwrite(_ descriptors: ArraySlice<CInt>) -> Int {
        var escapes = 0
        for descriptor in descriptors {
            let isReadOnly = fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY
            let isWritten = pwrite(descriptor, "hostile", 7, 0) == 7
            if isReadOnly, isWritten || ftruncate(descriptor, 1) == 0 { escapes += 1 }
            _ = ftruncate(descriptor, off_t.random(in: 0...100_000))
        }
        return escapes
    }

    /// Tries to access the container by path and returns the number of successes.
    private func tryPaths() -> Int {
        let attempts: [() -> Bool] = [
            { escape_open("\(root)/thimble.json", O_RDONLY) == 0 },
            { escape_open("\(root)/thimble.json", O_WRONLY) == 0 },
            { escape_open("\(root)/incoming", O_RDONLY | O_DIRECTORY) == 0 },
            { escape_open("\(root)/incoming", 0o20_000_000 | O_DIRECTORY | O_RDWR) == 0 },
            { escape_open("\(root)/notifications/hostile.json", O_WRONLY | O_CREAT) == 0 },
            { rename("\(root)/results", "\(root)/results2") == 0 },
            { rename("\(root)/notifications", "\(root)/incoming/n") == 0 },
            { unlink("\(root)/thimble.json") == 0 },
            { link("\(root)/thimble.json", "\(root)/incoming/link") == 0 },
            { chmod("\(root)/renditions", 0o777) == 0 },
            { mkdir("\(root)/renditions/zz", 0o700) == 0 },
            {
                kept.contains {
                    linkat(AT_FDCWD, "/proc/self/fd/\($0)", AT_FDCWD, "\(root)/pinned/x", 0x400)
                        == 0
                }
            },
        ]
        return attempts.count { $0() }
    }
}
