import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation
import NotificationDelivery

/// The receiver of a picture's bytes.
///
/// Unless `discard` is called, a file with a name belongs to the caller of `finish`.
protocol ByteSink: Sendable {
    /// Adds the next bytes.
    func append(_ bytes: Data) throws(SourceFailure)

    /// The state of a JPEG so far; another format for ciphertext.
    var still: JPEGEnd.Progress { get }

    /// The attachment, after the last byte.
    func finish() throws(SourceFailure) -> ReceivedPicture

    /// Removes what was received.
    func discard()
}

/// A picture that was received, and the file to remove after the answer.
struct ReceivedPicture: Sendable {
    let attachment: DeliveryRequest.Attachment
    /// Nil for a file of the app's, and for one without a name.
    var ownedFile: URL?
    /// Number of bytes; 0 if unknown.
    var length = 0
    /// True for a JPEG without an end.
    var isUnfinished = false
    /// The reason for a picture that is not whole; nil for a whole one.
    var failure: SourceFailure?
}

/// Stores a picture in a file with a unique name.
final class FileSink: ByteSink {
    private struct State {
        var descriptor: CInt = -1
        var count = 0
        var end = JPEGEnd()
    }

    let url: URL
    private let limit: ByteCount
    private let state = Lock(State())

    init(in folder: URL, limit: ByteCount) {
        url = folder.appendingPathComponent(UUID().uuidString)
        self.limit = limit
    }

    deinit {
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    func append(_ bytes: Data) throws(SourceFailure) {
        guard !bytes.isEmpty else { return }
        try state.withLock { state throws(SourceFailure) in
            guard state.count + bytes.count <= limit.bytes else {
                throw .download(.tooLarge(limit))
            }
            if state.descriptor < 0 {
                state.descriptor = open(
                    url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            }
            do {
                guard state.descriptor >= 0 else {
                    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                }
                try FileHandle(fileDescriptor: state.descriptor, closeOnDealloc: false)
                    .write(contentsOf: bytes)
            } catch {
                throw SourceFailure.download(
                    DownloadError(
                        .storage, reason: "the file could not be stored", detail: "\(error)"))
            }
            state.count += bytes.count
            state.end.add(bytes)
        }
    }

    var still: JPEGEnd.Progress { state.withLock { $0.end.progress } }

    func finish() throws(SourceFailure) -> ReceivedPicture {
        let count = state.withLock { $0.count }
        guard count > 0 else { throw .download(.empty) }
        return ReceivedPicture(
            attachment: .file(url), ownedFile: url, length: count,
            isUnfinished: still == .unfinished)
    }

    func discard() {
        let isCreated = state.withLock { $0.descriptor >= 0 }
        if isCreated { try? FileManager.default.removeItem(at: url) }
    }
}

/// Stores and authenticates a ciphertext.
final class CiphertextSink: ByteSink {
    private let receiver: CiphertextReceiver
    private let limit: ByteCount
    private let count = Lock(0)

    init(
        _ decryption: any StreamDecryption, in folder: URL, limit: ByteCount
    ) throws(SourceFailure) {
        do throws(DecryptionError) {
            receiver = try CiphertextReceiver(decryption, in: folder)
        } catch {
            throw .decryption(error)
        }
        self.limit = limit
    }

    func append(_ bytes: Data) throws(SourceFailure) {
        let count = count.withLock { count in
            count += bytes.count
            return count
        }
        guard count <= limit.bytes else { throw .download(.tooLarge(limit)) }
        do throws(DecryptionError) {
            try receiver.append(bytes)
        } catch {
            throw .decryption(error)
        }
    }

    var still: JPEGEnd.Progress { .otherFormat }

    func finish() throws(SourceFailure) -> ReceivedPicture {
        guard count.withLock({ $0 }) > 0 else { throw .download(.empty) }
        do throws(DecryptionError) {
            let file = AllowedFile(try receiver.finish(), path: "encrypted picture")
            return ReceivedPicture(attachment: .opened(file))
        } catch {
            throw .decryption(error)
        }
    }

    func discard() {}
}

/// Encrypts a picture that arrives in the clear, so that no disk has its bytes.
final class SealingSink: ByteSink {
    private let file: SealingFile
    private let limit: ByteCount
    private let end = Lock(JPEGEnd())

    init(in folder: URL, limit: ByteCount) throws(SourceFailure) {
        do throws(DecryptionError) {
            file = try SealingFile(in: folder)
        } catch {
            throw .decryption(error)
        }
        self.limit = limit
    }

    func append(_ bytes: Data) throws(SourceFailure) {
        guard file.length + bytes.count <= limit.bytes else { throw .download(.tooLarge(limit)) }
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecryptionError) in try file.append(bytes) }
        }
        if case .failure(let error) = result { throw .decryption(error) }
        end.withLock { $0.add(bytes) }
    }

    var still: JPEGEnd.Progress { end.withLock { $0.progress } }

    func finish() throws(SourceFailure) -> ReceivedPicture {
        guard file.length > 0 else { throw .download(.empty) }
        do throws(DecryptionError) {
            let picture = AllowedFile(try file.plaintext(), path: "picture")
            return ReceivedPicture(
                attachment: .opened(picture), length: file.length,
                isUnfinished: still == .unfinished)
        } catch {
            throw .decryption(error)
        }
    }

    func discard() {}
}
