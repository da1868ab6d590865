/// Reads the coded bytes of a picture, which may lie in several places of its file, in order.
struct ExtentReader: ~Copyable {
    private var window: FileWindow
    private let extents: [Range<Int>]
    private var index = 0
    /// Bytes of the picture that were not read yet.
    private(set) var remaining = 0
    /// Whether the file ends before the picture does; `remaining` is what there is.
    let isTruncated: Bool

    /// Opens the extents.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading; it stays the caller's.
    ///   - length: The file's length in bytes.
    ///   - extents: Where the bytes lie, in order, in bytes from the start of the file.
    /// - Throws: `DecodingFault` with code `corrupt` when they are more than the file's bytes,
    ///   which would have the same bytes decoded again and again.
    init(descriptor: CInt, length: Int, extents: [Range<Int>]) throws(DecodingFault) {
        let present = extents.map { $0.clamped(to: 0..<max(length, 0)) }.filter { !$0.isEmpty }
        isTruncated = extents.contains { $0.upperBound > length || $0.lowerBound < 0 }
        for extent in present {
            remaining += extent.count
            guard remaining <= length else {
                throw DecodingFault(
                    .corrupt, at: extent.lowerBound, "its coded bytes are said to overlap")
            }
        }
        self.extents = present
        window = FileWindow(descriptor: descriptor, over: 0..<max(length, 0))
        if let first = present.first { window.seek(to: first.lowerBound) }
    }

    /// Where the next byte stands, in bytes from the start of the file.
    var offset: Int { window.offset }

    /// Reads bytes, as many as there is room for or as are left.
    ///
    /// - Parameter buffer: Room for them.
    /// - Returns: How many were read.
    /// - Throws: `DecodingFault` with code `unreadable`.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        var count = 0
        while count < buffer.count, index < extents.count {
            let left = extents[index].upperBound - window.offset
            guard left > 0 else {
                index += 1
                if index < extents.count { window.seek(to: extents[index].lowerBound) }
                continue
            }
            let wanted = min(left, buffer.count - count)
            var taken = 0
            try window.withBytes { (bytes) throws(DecodingFault) in
                taken = min(wanted, bytes.count)
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + taken)])
                room.copyMemory(
                    from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<taken])))
                return taken
            }
            // The file was shortened meanwhile.
            guard taken > 0 else { break }
            count += taken
            remaining -= taken
        }
        return count
    }
}
