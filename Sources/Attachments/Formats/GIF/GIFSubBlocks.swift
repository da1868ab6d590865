import AttachmentModel

/// Reads the data of a frame without the sub-block lengths (GIF89a, section 15).
struct GIFSubBlocks: ~Copyable {
    enum End {
        case terminator
        case file
    }

    private let file: OpenFile
    private var window: FileWindow
    private var left = 0
    private(set) var end: End?

    init(_ file: OpenFile, from offset: Int) {
        self.file = file
        window = FileWindow(file, capacity: Self.windowCapacity)
        window.seek(to: offset)
    }

    /// In bytes; an interlaced frame has four open windows.
    static let windowCapacity = 8 << 10

    var offset: Int { window.offset }

    func copy() -> GIFSubBlocks {
        var copy = GIFSubBlocks(file, from: offset)
        (copy.left, copy.end) = (left, end)
        return copy
    }

    /// Fills `buffer` and returns the number of bytes read: fewer only at the end of the data.
    mutating func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> Int {
        var count = 0
        while count < buffer.count, end == nil {
            guard left > 0 else {
                switch try window.readByte() {
                case nil: end = .file
                case 0: end = .terminator
                // libnsgif decodes nothing of an incomplete sub-block.
                case let size? where window.offset + Int(size) > file.length: end = .file
                case let size?: left = Int(size)
                }
                continue
            }
            let taken = try window.copy(
                into: UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[count...])),
                atMost: left)
            if taken == 0 { end = .file }  // The file was shortened.
            left -= taken
            count += taken
        }
        return count
    }
}
