/// Source of the filtered rows of a picture or of an interlace pass.
protocol FilteredData: AnyObject {
    /// Position in the attachment, for faults.
    var offset: Int { get }
    /// Reads the next bytes; fills the buffer unless a damaged file ends early.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int
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

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int {
        let part = rest.prefix(buffer.count)
        try file.read(
            into: UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: buffer[..<part.count])),
            at: part.lowerBound)
        rest = part.upperBound..<rest.upperBound
        return part.count
    }
}
