/// The last bytes of a stream, held back because only its end tells that they are a tag.
struct EndOfStream {
    private let count: Int
    private(set) var bytes: [UInt8] = []

    init(count: Int) {
        self.count = count
        bytes.reserveCapacity(2 * count)
    }

    /// Passes on all bytes but the last ones.
    mutating func add(
        _ part: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(DecryptionError) -> Void
    ) throws(DecryptionError) {
        let released = bytes.count + part.count - count
        guard released > 0 else { return bytes.append(contentsOf: part) }
        let older = min(released, bytes.count)
        try pass(older, to: body)
        bytes.removeFirst(older)
        let newer = released - older
        if newer > 0 { try body(UnsafeRawBufferPointer(rebasing: part[..<newer])) }
        bytes.append(contentsOf: part[newer...])
    }

    private func pass(
        _ older: Int, to body: (UnsafeRawBufferPointer) throws(DecryptionError) -> Void
    ) throws(DecryptionError) {
        guard older > 0 else { return }
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecryptionError) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[..<older]))
            }
        }
        try result.get()
    }
}
