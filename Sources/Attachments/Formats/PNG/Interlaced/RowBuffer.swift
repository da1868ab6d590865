/// Row with padding, for loops that overrun it by part of a word; pointers are valid as long as
/// this object.
final class RowBuffer {
    /// Readable and writable bytes after the row; loops use eight-byte words.
    static let padding = 8

    let bytes: UnsafeMutablePointer<UInt8>
    let count: Int

    init(count: Int) {
        self.count = count
        bytes = .allocate(capacity: count + Self.padding)
        bytes.initialize(repeating: 0, count: count + Self.padding)
    }

    deinit { bytes.deallocate() }
}
