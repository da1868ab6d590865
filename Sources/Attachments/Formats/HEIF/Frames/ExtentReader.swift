import AttachmentModel

struct ExtentReader: ~Copyable {
    private var window: FileWindow
    private let extents: [Range<Int>]
    private var index = 0
    private(set) var remaining = 0
    let isTruncated: Bool

    /// Refuses extents longer than the file: overlaps would have bytes decoded repeatedly.
    init(_ file: OpenFile, extents: [Range<Int>]) throws(DecodingFault) {
        let present = extents.map { $0.clamped(to: 0..<max(file.length, 0)) }.filter { !$0.isEmpty }
        isTruncated = extents.contains { $0.upperBound > file.length || $0.lowerBound < 0 }
        for extent in present {
            remaining += extent.count
            guard remaining <= file.length else {
                throw DecodingFault(.corrupt, at: extent.lowerBound, "its extents overlap")
            }
        }
        self.extents = present
        window = FileWindow(file)
        if let first = present.first { window.seek(to: first.lowerBound) }
    }

    var offset: Int { window.offset }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        var count = 0
        while count < buffer.count, index < extents.count {
            let left = extents[index].upperBound - window.offset
            guard left > 0 else {
                index += 1
                if index < extents.count { window.seek(to: extents[index].lowerBound) }
                continue
            }
            let taken = try window.copy(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), atMost: left)
            // The file was shortened during the read.
            guard taken > 0 else { break }
            count += taken
            remaining -= taken
        }
        return count
    }
}
