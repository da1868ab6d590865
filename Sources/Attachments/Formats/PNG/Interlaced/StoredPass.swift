/// Source of the filtered rows of a picture or of an interlace pass.
protocol FilteredData: AnyObject {
    /// Position in the attachment, for faults.
    var offset: Int { get }
    /// The next bytes, as many as the buffer has, where they lie or in the buffer; nil if a damaged
    /// file ends early.
    ///
    /// They are valid until the next call, and padded by `RowBuffer.padding`, as the buffer must be.
    func next(
        _ buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> UnsafePointer<UInt8>?
}

extension ImageDataInflater: FilteredData {}

/// Filtered rows of a pass in a scratch file.
final class StoredPass: FilteredData {
    let offset: Int
    private let file: ScratchFile
    private var rest: Range<Int>

    /// `range` are the bytes in the file.
    init(_ file: ScratchFile, _ range: Range<Int>, at offset: Int) {
        (self.file, rest, self.offset) = (file, range, offset)
    }

    func next(
        _ buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> UnsafePointer<UInt8>? {
        let part = rest.prefix(buffer.count)
        try file.read(
            into: UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: buffer[..<part.count])),
            at: part.lowerBound)
        rest = part.upperBound..<rest.upperBound
        return part.count == buffer.count ? UnsafePointer(buffer.baseAddress) : nil
    }
}
