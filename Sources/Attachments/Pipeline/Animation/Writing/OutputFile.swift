internal import Foundation

/// Buffered, size-limited output.
final class OutputFile {
    private static let capacity = 16 << 10

    private let descriptor: CInt?
    private let limit: Int
    private var buffer: [UInt8] = []
    private var written = 0

    /// Starts at an empty file; nil only counts bytes.
    init(descriptor: CInt?, limit: Int) {
        (self.descriptor, self.limit) = (descriptor, limit)
        buffer.reserveCapacity(Self.capacity + 1024)
    }

    var count: Int { written + buffer.count }

    /// Appends at most 768 bytes.
    func write(_ bytes: some Collection<UInt8>) throws(EncodingStop) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Appends a little-endian 16-bit number, clamped to 65,535.
    func write(short number: Int) throws(EncodingStop) {
        let number = UInt16(clamping: number)
        try write([UInt8(truncatingIfNeeded: number), UInt8(number >> 8)])
    }

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
