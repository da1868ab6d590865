/// Bytes of a row that loops over whole pixels may pass the end of.
///
/// The bytes are allocated with the object and given back with it; pointers into them are valid
/// while it lives.
final class RowBuffer {
    /// Bytes behind the row that may be read and written: loops take eight at a time.
    static let padding = 8

    let bytes: UnsafeMutablePointer<UInt8>
    /// Bytes without the padding.
    let count: Int

    /// Makes a row of zeros.
    ///
    /// - Parameter count: In bytes.
    init(count: Int) {
        self.count = count
        bytes = .allocate(capacity: count + Self.padding)
        bytes.initialize(repeating: 0, count: count + Self.padding)
    }

    deinit { bytes.deallocate() }
}
