import AttachmentContainer
import AttachmentPublishing
package import AttachmentStore
import Foundation
package import JobBroker
import Synchronization

/// Submits jobs: uploads attachments that lie here, and publishes a message for each.
///
/// A job that was confirmed is recorded in a file, so that an interrupted submission continues where
/// it stopped. Without the file, equal jobs are submitted again, and answered from the store.
package final class FleetSubmission: Sendable {
    /// One attachment.
    package struct Item: Sendable {
        package let identifier: String
        /// A path, or an `http` or `https` URL.
        package let location: String

        package init(identifier: String, location: String) {
            self.identifier = identifier
            self.location = location
        }

        var isRemote: Bool { location.hasPrefix("http://") || location.hasPrefix("https://") }
    }

    package enum Outcome: Sendable {
        case submitted
        /// An earlier run submitted it.
        case known
        case failed(reason: String)
    }

    private let files: ObjectFiles
    private let messages: JobPublisher
    private let queue: JobQueue
    private let settings: FleetSettings
    private let lifetime: Duration?
    private let record: SubmissionRecord?

    /// Creates a submission.
    ///
    /// `lifetime` is the time after which nobody needs a result; `record` is the file of confirmed
    /// jobs.
    package init(
        files: ObjectFiles, messages: JobPublisher, queue: JobQueue, settings: FleetSettings,
        lifetime: Duration?, record: String?
    ) throws {
        self.files = files
        self.messages = messages
        self.queue = queue
        self.settings = settings
        self.lifetime = lifetime
        self.record = try record.map { try SubmissionRecord(path: $0) }
    }

    /// Time for which a store or a broker that does not answer is tried.
    private static let patience = Duration.seconds(600)

    /// Submits one attachment; returns once the broker has confirmed the job.
    package func submit(_ item: Item) async -> Outcome {
        do {
            let file = item.isRemote ? nil : try await Self.opened(item.location)
            let source: FleetJob.Source =
                file.map { .object(FleetJob.key(ofSource: $0.digest)) } ?? .url(item.location)
            let job = FleetJob(
                source, identifier: item.identifier, settings: settings,
                notAfter: lifetime.map { Date() + $0 / .seconds(1) })
            if record?.has(job.job) == true { return .known }
            let message = try job.message()
            if let file { try await upload(file) }
            try await messages.publish(message, to: queue, by: .now + Self.patience)
            try record?.add(job.job)
            return .submitted
        } catch {
            return .failed(reason: "\(error)")
        }
    }

    /// Uploads a file unless it is there; tries again while the store does not answer.
    private func upload(_ file: Opened) async throws {
        let key = FleetJob.key(ofSource: file.digest)
        let deadline = ContinuousClock.now + Self.patience
        var pause = 0.2
        while true {
            do throws(StoreError) {
                if try await !files.holds(key, bytes: file.bytes, within: .seconds(30)) {
                    try await files.store(
                        file.descriptor, bytes: file.bytes, digest: file.digest, as: key,
                        contentType: "application/octet-stream", within: .seconds(300))
                }
                return
            } catch {
                guard error.code.isTransient, ContinuousClock.now < deadline else { throw error }
            }
            try await Deadline.sleep(for: .seconds(.random(in: pause / 2...pause)))
            pause = min(5, pause * 2)
        }
    }

    private struct Opened: Sendable {
        let descriptor: OwnedDescriptor
        let bytes: Int
        let digest: ContentDigest
    }

    private static func opened(_ path: String) async throws -> Opened {
        try await BlockingWork.run {
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else {
                throw SubmissionError(
                    reason: "it cannot be opened: \(String(cString: strerror(errno)))")
            }
            let descriptor = OwnedDescriptor(number)
            var hasher = ContentHasher()
            var block = [UInt8](repeating: 0, count: 256 << 10)
            var bytes = 0
            while true {
                let count = pread(number, &block, block.count, off_t(bytes))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw SubmissionError(
                        reason: "it cannot be read: \(String(cString: strerror(errno)))")
                }
                guard count > 0 else { break }
                block[..<count].withUnsafeBytes { hasher.update($0) }
                bytes += count
            }
            return Opened(descriptor: descriptor, bytes: bytes, digest: hasher.finalize())
        }
    }
}

/// A failure of one attachment of a submission.
struct SubmissionError: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}

/// Numbers of confirmed jobs, a line each.
private final class SubmissionRecord: Sendable {
    private let descriptor: OwnedDescriptor
    /// 128 bits of each number: 16 MB for a million jobs.
    private let known: Mutex<Set<UInt128>>

    init(path: String) throws {
        let number = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw SubmissionError(
                reason: "\(path): it cannot be opened: \(String(cString: strerror(errno)))")
        }
        descriptor = OwnedDescriptor(number)
        var known: Set<UInt128> = []
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // The last line may be incomplete.
        for line in text.split(separator: "\n") where line.utf8.count == 64 {
            if let key = UInt128(line.prefix(32), radix: 16) { known.insert(key) }
        }
        self.known = Mutex(known)
    }

    func has(_ job: String) -> Bool {
        UInt128(job.prefix(32), radix: 16).map { key in known.withLock { $0.contains(key) } }
            ?? false
    }

    func add(_ job: String) throws {
        let line = Array("\(job)\n".utf8)
        guard write(descriptor.descriptor, line, line.count) == line.count else {
            throw SubmissionError(reason: "the record cannot be written")
        }
        if let key = UInt128(job.prefix(32), radix: 16) {
            known.withLock { _ = $0.insert(key) }
        }
    }
}
