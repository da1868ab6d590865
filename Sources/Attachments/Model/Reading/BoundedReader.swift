package import AttachmentContainer

/// Random access to a file through one small window, with a limit on the total bytes read.
///
/// A class because all cursors over one file share the limit.
package final class BoundedReader {
    /// Covers the frame count of a GIF of 1 MiB; other headers take a hundredth of it.
    package static let defaultBudget = ByteCount.mebibytes(1)
    /// Neighbouring fields share one system call; hopping wastes little of the limit.
    package static let windowBytes = 512

    private let file: OpenFile
    private var budget: Int
    private var window: [UInt8]
    private var loaded = 0..<0

    package var length: Int { file.length }

    package init(
        _ file: OpenFile, budget: ByteCount = defaultBudget, windowBytes: Int = windowBytes
    ) {
        self.file = file
        self.budget = budget.bytes
        window = [UInt8](repeating: 0, count: windowBytes)
    }

    /// Reader of the same file with a limit of its own, and a window of `windowBytes`.
    package func separate(
        budget: ByteCount, windowBytes: Int = windowBytes
    ) -> BoundedReader {
        BoundedReader(file, budget: budget, windowBytes: windowBytes)
    }

    /// `offset` is nonnegative; throws `truncated` past the end of the file.
    package func byte(at offset: Int) throws(HeaderFault) -> UInt8 {
        guard offset < length else { throw .truncated(at: length) }
        if !loaded.contains(offset) { try load(at: offset) }
        return window[offset - loaded.lowerBound]
    }

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
