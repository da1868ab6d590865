package import AttachmentModel

/// A JPEG's headers, and then the data of the groups that its decoder chooses.
///
/// Restart markers keep their numbers, so that the decoder meets some out of order. After a group's
/// data, the stream is at its end until the next group is chosen: the decoder reads up to the marker at
/// the end of a group, but not beyond.
package final class JPEGGroupStream: SimplerFile {
    private let file: OpenFile
    private let starts: [Int]
    /// Ranges to be read: the headers, and then the groups that were chosen.
    private var parts: [Range<Int>]

    /// Begins with the headers, with a colour profile or without.
    package init(_ file: OpenFile, _ index: JPEGRestartIndex, keepsProfile: Bool) {
        self.file = file
        starts = index.starts
        parts = index.header.filter { keepsProfile || !$0.isProfile }.map(\.range)
    }

    /// Goes on with a group's data.
    package func choose(_ group: Int) {
        parts.append(starts[group]..<starts[group + 1])
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        guard let first = parts.first else { return 0 }
        let count = try read(first, into: buffer)
        parts[0] = first.dropFirst(count)
        if parts[0].isEmpty { parts.removeFirst() }
        return count
    }

    private func read(
        _ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.count))
        do throws(OpenFile.ReadFailure) {
            return try file.read(into: part, at: range.lowerBound)
        } catch {
            throw DecodingFault(.unreadable, at: range.lowerBound, error.reason)
        }
    }
}
