package import AttachmentContainer

/// Random access to a file through one small window, with a limit on the total bytes read.
///
/// It never moves the file's offset. It is a class because
/// all cursors over one file share the limit.
package final class BoundedReader {
    /// Read limit per file.
    ///
    /// Headers of real files take a hundredth of it. It covers the frame count of a GIF of 1 MiB.
    package static let defaultBudget = ByteCount.mebibytes(1)
    /// Window length, in bytes.
    ///
    /// Neighbouring fields share one system call, and hopping between segments wastes little of the
    /// limit on the data between them.
    package static let windowBytes = 512

    private let file: OpenFile
    private var budget: Int
    private var window = [UInt8](repeating: 0, count: windowBytes)
    private var loaded = 0..<0

    /// Length of the file, in bytes.
    package var length: Int { file.length }

    /// Creates a reader for a file; `budget` limits the total bytes read.
    package init(_ file: OpenFile, budget: ByteCount = defaultBudget) {
        self.file = file
        self.budget = budget.bytes
    }

    /// Byte at a nonnegative offset; throws `truncated` past the end of the file.
    package func byte(at offset: Int) throws(HeaderFault) -> UInt8 {
        guard offset < length else { throw .truncated(at: length) }
        if !loaded.contains(offset) { try load(at: offset) }
        return window[offset - loaded.lowerBound]
    }

    /// First bytes of the file, or all of a shorter file.
    package func prefix(_ count: Int) throws(HeaderFault) -> [UInt8] {
        var bytes: [UInt8] = []
        for offset in 0..<min(count, length) { bytes.append(try byte(at: offset)) }
        return bytes
    }

    private func load(at offset: Int) throws(HeaderFault) {
        let wanted = min(window.count, length - offset)
        guard wanted <= budget else { throw .overBudget }
        let got: Int
        do throws(OpenFile.ReadFailure) {
            got = try window.withUnsafeMutableBufferPointer { bytes throws(OpenFile.ReadFailure) in
                try file.read(
                    into: UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: bytes[..<wanted])), at: offset)
            }
        } catch {
            throw .unreadable(error.code)
        }
        // Another process may have truncated the file since its length was read.
        guard got > 0 else { throw .truncated(at: offset) }
        budget -= got
        loaded = offset..<offset + got
    }
}
