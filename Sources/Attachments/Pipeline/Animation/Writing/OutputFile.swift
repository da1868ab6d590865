internal import Foundation

/// Buffered, size-limited output.
final class OutputFile {
    private static let capacity = 16 << 10

    private let target: WritingTarget?
    private let limit: Int
    private var buffer: [UInt8] = []
    private var written = 0

    /// Starts at an empty file; nil only counts bytes.
    init(_ target: WritingTarget?, limit: Int) {
        (self.target, self.limit) = (target, limit)
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
        if let target { try Self.write(buffer, to: target) }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    private static func write(
        _ bytes: [UInt8], to target: WritingTarget
    ) throws(EncodingStop) {
        guard bytes.withUnsafeBytes({ target.writeAll($0) }) else {
            throw .fault(AnimationFault(.unwritable, String(cString: strerror(errno))))
        }
    }
}
