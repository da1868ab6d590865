internal import Foundation

/// The bytes of the output on their way to a file.
final class OutputFile {
    /// What is written at a time, in bytes.
    private static let capacity = 16 << 10

    private let descriptor: CInt?
    private let limit: Int
    private var buffer: [UInt8] = []
    private var written = 0

    /// Begins at the start of an empty file.
    ///
    /// - Parameters:
    ///   - descriptor: The file, which stays the caller's; nil when bytes are only counted.
    ///   - limit: The most bytes that there may be.
    init(descriptor: CInt?, limit: Int) {
        (self.descriptor, self.limit) = (descriptor, limit)
        buffer.reserveCapacity(Self.capacity + 1024)
    }

    /// How many bytes there are.
    var count: Int { written + buffer.count }

    /// Adds bytes.
    ///
    /// - Parameter bytes: At most 768.
    /// - Throws: `overBytes`, or `fault` with code `unwritable`.
    func write(_ bytes: some Collection<UInt8>) throws(EncodingStop) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Adds a number of two bytes, the lower one first.
    ///
    /// - Parameter number: What is beyond 65,535 is cut to it.
    /// - Throws: As `write`.
    func write(short number: Int) throws(EncodingStop) {
        let number = UInt16(clamping: number)
        try write([UInt8(truncatingIfNeeded: number), UInt8(number >> 8)])
    }

    /// Hands all bytes to the file.
    ///
    /// - Throws: As `write`.
    func flush() throws(EncodingStop) {
        guard count <= limit else { throw .overBytes }
        if let descriptor { try Self.write(buffer, to: descriptor, at: written) }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: CInt, at offset: Int
    ) throws(EncodingStop) {
        var done = 0
        while done < bytes.count {
            let got = bytes.withUnsafeBytes { bytes in
                pwrite(
                    descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
                    off_t(offset + done))
            }
            if got > 0 {
                done += got
            } else if errno != EINTR {
                throw .fault(AnimationFault(.unwritable, String(cString: strerror(errno))))
            }
        }
    }
}
