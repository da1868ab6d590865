/// Requests the rows of a plane ahead of sequential reads, a stretch at a time.
///
/// Only pages written out must be read. Rows then come four times as fast (AV1, 48 megapixels,
/// under a cap of 24 MB).
struct ReadAhead {
    /// Stretch requested at a time, in bytes: enough to combine many reads, and small beside the
    /// smallest cap, as it may evict other pages.
    private static let stretch = 256 << 10

    private var end: UnsafeRawPointer?

    /// Requests the bytes after `row` unless already requested; `stride` is the distance between
    /// rows in bytes.
    @inline(__always)
    mutating func prefetch(_ row: UnsafeRawPointer, stride: Int, in file: MappedFile) {
        // Half a stretch ahead, so that reading overlaps with conversion.
        let needed = row + stride + Self.stretch / 2
        if let end, needed <= end, row + 2 * Self.stretch >= end { return }
        var start = row
        if let end, end > row, end <= needed { start = end }
        file.willNeed(start, Self.stretch)
        end = start + Self.stretch
    }
}
