import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import CEscapes
import Foundation
import ProcessSandbox
import WorkerProtocol

/// A worker that was taken over before its first attachment: it speaks the protocol, keeps every
/// descriptor that it is given, and does with each what it can.
///
/// What it does for an attachment is told by the number at the attachment's end. For each it also tries
/// the container by its paths, and writes to all that it kept of earlier ones. How often the system
/// let it is in its errors, for the test to read.
@main
struct HostileWorker {
    static func main() {
        let outbox = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        var reader = MessageReader()
        guard let order = try? reader.next(), let scratch = order.descriptors.first,
            case .configuration(let configuration) = order.message
        else { exit(2) }
        // It lies beside the container, which no worker is told of.
        let root = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "container").path
        var policy = SandboxPolicy()
        policy.mode = configuration.sandbox
        policy.descriptors = [outbox, scratch]
        policy.inboxes = [STDIN_FILENO, scratch]
        policy.limits = configuration.limits
        guard let sandbox = try? Sandbox.enter(policy) else { exit(3) }
        var session = HostileSession(outbox: outbox, scratch: scratch, root: root)
        session.say(
            .ready(
                WorkerReady(
                    libvips: "8.14", baseline: ByteCount(1), limit: nil, sandbox: sandbox)))
        while let order = try? reader.next() {
            guard case .request = order.message else { exit(4) }
            session.misuse(order.descriptors)
        }
    }
}

/// What a worker that was taken over has in hand.
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

    /// Sends a message.
    func say(_ message: WorkerMessage) {
        guard let frame = try? Frame.encode(message) else { exit(5) }
        send(frame)
    }

    private func send(_ frame: Data) {
        _ = frame.withUnsafeBytes { write(outbox, $0.baseAddress, $0.count) }
    }

    /// Does for one attachment what its number says.
    mutating func misuse(_ descriptors: [CInt]) {
        let number = Self.number(of: descriptors[0])
        // As many as a worker may have open.
        kept = (descriptors + kept)
        for descriptor in kept.dropFirst(180) { close(descriptor) }
        kept = Array(kept.prefix(180))
        let escapes = overwrite(kept.dropFirst(descriptors.count)) + tryPaths()
        let outputs = Array(descriptors.dropFirst())
        let lies = Lie.all
        if number % 8 == 0 {
            var attachment = Self.honest(outputs)
            lies[number / 8 % lies.count].tell(&attachment, outputs)
            say(Self.done(attachment))
        } else if number % 8 == 1 {
            // Whoever reads them while they are written to has some of it, and of this attachment.
            say(Self.done(Self.honest(outputs)))
            for _ in 0..<20 { _ = overwrite(outputs[...]) }
        } else if number % 64 == 2 {
            say(.started(WorkerStarted(rung: .preview, predictedPeak: ByteCount(1 << 40))))
            send(Data([0, 0, 0, 3] + Array("{]}".utf8)))
        } else {
            say(
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

    /// Writes over files: 1 for each attachment that could be written to.
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

    /// Tries what is in the container by its path: how often the system let it.
    private func tryPaths() -> Int {
        let tries: [() -> Bool] = [
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
        return tries.count { $0() }
    }
}
