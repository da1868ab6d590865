import AttachmentModel

/// Reads the data of a frame without the sub-block lengths (GIF89a, section 15).
struct GIFSubBlocks: ~Copyable {
    /// A position in the data that can be restored.
    struct Position {
        fileprivate var offset: Int
        /// Bytes left in the sub-block.
        fileprivate var left = 0
        fileprivate var end: End?
    }

    /// Reason for the end of the data.
    enum End {
        /// The empty sub-block.
        case terminator
        /// The end of the file.
        case file
    }

    private(set) var position: Position
    private let file: OpenFile
    private var window: FileWindow

    /// Opens the data at `offset`, the start of the first sub-block in the file.
    init(_ file: OpenFile, from offset: Int) {
        self.init(file, at: Position(offset: offset))
    }

    private init(_ file: OpenFile, at position: Position) {
        self.file = file
        self.position = position
        window = FileWindow(
            file, capacity: Self.windowCapacity)
        window.seek(to: position.offset)
    }

    /// Capacity of the window, in bytes.
    ///
    /// An interlaced frame has four open windows.
    static let windowCapacity = 8 << 10

    /// Position of the next byte, in bytes from the start of the file.
    var offset: Int { position.offset }

    /// Nil while more data may follow.
    var end: End? { position.end }

    /// Makes an independent reader at the same position.
    func copy() -> GIFSubBlocks {
        GIFSubBlocks(file, at: position)
    }

    /// Fills `buffer` and returns the number of bytes read: fewer only at the end of the data.
    mutating func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> Int {
        var count = 0
        while count < buffer.count, position.end == nil {
            guard position.left > 0 else {
                switch try window.readByte() {
                case nil: position.end = .file
                case 0: position.end = .terminator
                // libnsgif decodes nothing of an incomplete sub-block.
                case let size? where window.offset + Int(size) > file.length: position.end = .file
                case let size?: position.left = Int(size)
                }
                continue
            }
            let taken = try window.copy(
                into: UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[count...])),
                atMost: position.left)
            if taken == 0 { position.end = .file }  // The file was shortened.
            position.left -= taken
            count += taken
        }
        position.offset = window.offset
        return count
    }
}
