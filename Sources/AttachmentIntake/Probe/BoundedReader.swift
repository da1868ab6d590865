internal import AttachmentContainer
internal import Foundation

/// Random access to a file through one small window, with a bound on all that is ever read.
///
/// It never moves the descriptor's offset and allocates nothing but the window. The descriptor
/// stays the caller's. It is a class because all cursors over one file share the bound.
final class BoundedReader {
    /// What the probe may read of one file.
    ///
    /// The headers of real pictures take a hundredth of it, and it covers the frame count of a GIF
    /// of 1 MiB.
    static let defaultBudget = ByteCount.mebibytes(1)
    /// The window, in bytes: wide enough for neighbouring fields to share one system call, narrow
    /// enough that hopping from segment to segment does not spend the budget on what lies between.
    static let windowBytes = 512

    /// The length of the file, in bytes.
    let length: Int
    private let descriptor: CInt
    private var budget: Int
    private var window = [UInt8](repeating: 0, count: windowBytes)
    private var held = 0..<0

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading.
    ///   - length: Its length, in bytes.
    ///   - budget: How much may be read of it. The default is 1 MiB.
    init(descriptor: CInt, length: Int, budget: ByteCount = defaultBudget) {
        self.descriptor = descriptor
        self.length = length
        self.budget = budget.bytes
    }

    /// One byte of the file.
    ///
    /// - Parameter offset: Where it stands, in bytes from the start; not negative.
    /// - Returns: The byte.
    /// - Throws: `truncated` past the end of the file, `overBudget`, `unreadable`.
    func byte(at offset: Int) throws(HeaderFault) -> UInt8 {
        guard offset < length else { throw .truncated(at: length) }
        if !held.contains(offset) { try load(at: offset) }
        return window[offset - held.lowerBound]
    }

    /// The first bytes of the file, fewer when it is shorter.
    ///
    /// - Parameter count: How many, in bytes.
    /// - Returns: The bytes.
    /// - Throws: `overBudget`, `unreadable`.
    func prefix(_ count: Int) throws(HeaderFault) -> [UInt8] {
        var bytes: [UInt8] = []
        for offset in 0..<min(count, length) { bytes.append(try byte(at: offset)) }
        return bytes
    }

    private func load(at offset: Int) throws(HeaderFault) {
        let wanted = min(window.count, length - offset)
        guard wanted <= budget else { throw .overBudget }
        var got: Int
        repeat {
            got = window.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, wanted, off_t(offset))
            }
        } while got < 0 && errno == EINTR
        guard got >= 0 else { throw .unreadable(errno) }
        // Another process may have shortened the file since its length was asked.
        guard got > 0 else { throw .truncated(at: offset) }
        budget -= got
        held = offset..<offset + got
    }
}
