/// Announces the rows of a plane that are read one after another, a stretch at a time.
///
/// Only what was written out has to be read: then rows come four times as fast (AV1, 48 megapixels,
/// under a cap of 24 MB).
struct ReadAhead {
    /// What is announced at a time, in bytes: enough to make one request of many, and little
    /// beside the smallest caps, since it may push out other pages.
    private static let stretch = 256 << 10

    /// Up to where rows are announced.
    private var end: UnsafeRawPointer?

    /// Announces what follows a row, if it was not yet.
    ///
    /// - Parameters:
    ///   - row: The first byte of the row.
    ///   - stride: From a row to the next, in bytes.
    ///   - file: What holds the plane.
    @inline(__always)
    mutating func cover(_ row: UnsafeRawPointer, stride: Int, in file: MappedFile) {
        // Half a stretch ahead, so that reading goes on while rows are converted.
        let needed = row + stride + Self.stretch / 2
        if let end, needed <= end, row + 2 * Self.stretch >= end { return }
        var start = row
        if let end, end > row, end <= needed { start = end }
        file.willNeed(start, Self.stretch)
        end = start + Self.stretch
    }
}
