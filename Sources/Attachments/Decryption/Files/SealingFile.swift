package import AttachmentContainer
package import AttachmentModel
package import Foundation

/// A file that is encrypted while it is written, by AES-256 in counter mode under a random key.
///
/// Neither the key nor plaintext leaves memory. One thread at a time writes and reads.
package final class SealingFile: Sendable {
    private struct State: Sendable {
        var key = [UInt8](randomBytes: 32)
        var counter = [UInt8](randomBytes: BlockCipher.blockBytes)
        var buffer: [UInt8] = []
        var written = 0

        var window: CounterWindow {
            CounterWindow(
                cipher: BlockCipher(.counter, key: key), counter: counter,
                length: written + buffer.count)
        }
    }

    /// Bytes that are encrypted at a time: encoders write a few bytes, and each call sets up a cipher.
    package static let pieceBytes = 16 << 10

    private let file: OwnedDescriptor
    private let state = Lock(State())

    /// Writes to an empty file.
    package init(_ file: OwnedDescriptor) { self.file = file }

    /// Creates a file without a name in a folder.
    package convenience init(in folder: URL) throws(DecryptionError) {
        self.init(try .nameless(in: folder.path))
    }

    /// Encrypts and appends bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
        try state.withLock { state throws(DecryptionError) in
            var rest = bytes
            // An array that grows would take up to twice as much.
            if !rest.isEmpty { state.buffer.reserveCapacity(Self.pieceBytes) }
            while !rest.isEmpty {
                let count = min(rest.count, Self.pieceBytes - state.buffer.count)
                state.buffer.append(contentsOf: rest[..<count])
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                if state.buffer.count == Self.pieceBytes { try flush(&state) }
            }
        }
    }

    /// Empties the file, whose next bytes get another key: one key must never encrypt two texts.
    package func empty() throws(DecryptionError) {
        try state.withLock { state throws(DecryptionError) in
            do throws(ContainerError) {
                try file.empty()
            } catch {
                throw DecryptionError(.storage, reason: "the file cannot be emptied")
            }
            state = State()
        }
    }

    /// Length of the plaintext so far, in bytes.
    package var length: Int { state.withLock { $0.written + $0.buffer.count } }

    /// Writes what is left in memory, and returns the key of the file.
    package func seal() throws(DecryptionError) -> Manifest.Rendition.Seal {
        try state.withLock { state throws(DecryptionError) in
            try flush(&state)
            return Manifest.Rendition.Seal(key: Data(state.key), counter: Data(state.counter))
        }
    }

    /// The plaintext so far.
    package func plaintext() throws(DecryptionError) -> any Plaintext {
        try state.withLock { state throws(DecryptionError) in
            try flush(&state)
            // It belongs to this file alone: no second file has its key.
            let identity = ContentDigest(of: Data([UInt8](randomBytes: 32)))
            return DecryptedFile(
                Ciphertext(file, length: state.written), state.window, identity: identity)
        }
    }

    private func flush(_ state: inout State) throws(DecryptionError) {
        guard !state.buffer.isEmpty else { return }
        let (window, written, file) = (state.window, state.written, file)
        let result = state.buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(DecryptionError) in
                try window.apply(to: bytes, at: written)
                try file.append(UnsafeRawBufferPointer(bytes))
            }
        }
        // After a failure the buffer may be encrypted already, so nothing of it is written again.
        state.written += state.buffer.count
        state.buffer.removeAll(keepingCapacity: true)
        try result.get()
    }
}
