/// Reads the data of a frame without the lengths between them (GIF89a, section 15).
struct GIFSubBlocks: ~Copyable {
    /// A place in the data, from which they can be read once more.
    struct Place {
        fileprivate var offset: Int
        /// Bytes of the sub-block that are left.
        fileprivate var left = 0
        fileprivate var end: End?
    }

    /// What the data ended with.
    enum End {
        /// The empty sub-block.
        case terminator
        /// The end of the file.
        case file
    }

    /// How far reading went.
    private(set) var place: Place
    private let descriptor: CInt
    private let length: Int
    private var window: FileWindow

    /// Opens data.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: The length of the file, in bytes.
    ///   - offset: Where the first sub-block begins, in bytes from the start of the file.
    init(descriptor: CInt, length: Int, from offset: Int) {
        self.init(descriptor: descriptor, length: length, at: Place(offset: offset))
    }

    private init(descriptor: CInt, length: Int, at place: Place) {
        self.descriptor = descriptor
        self.length = length
        self.place = place
        window = FileWindow(
            descriptor: descriptor, over: 0..<max(0, length), capacity: Self.windowCapacity)
        window.seek(to: place.offset)
    }

    /// What the window holds, in bytes: four of them are open for an interlaced frame.
    static let windowCapacity = 8 << 10

    /// Where reading goes on, in bytes from the start of the file.
    var offset: Int { place.offset }

    /// What the data ended with; nil as long as there may be more.
    var end: End? { place.end }

    /// Opens the same data once more, at the same place.
    ///
    /// - Returns: A reader of its own.
    func copy() -> GIFSubBlocks {
        GIFSubBlocks(descriptor: descriptor, length: length, at: place)
    }

    /// Reads data.
    ///
    /// - Parameter buffer: Room for them.
    /// - Returns: How many bytes were read; fewer than there is room for only at the end of the data.
    /// - Throws: `DecodingFault` with code `unreadable`.
    mutating func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var count = 0
        while count < buffer.count, place.end == nil {
            guard place.left > 0 else {
                switch try window.readByte() {
                case nil: place.end = .file
                case 0: place.end = .terminator
                // libnsgif decodes nothing of a sub-block that is not all there.
                case let size? where window.offset + Int(size) > length: place.end = .file
                case let size?: place.left = Int(size)
                }
                continue
            }
            let wanted = min(place.left, buffer.count - count)
            var taken = 0
            try window.withBytes { (bytes) throws(DecodingFault) in
                taken = min(wanted, bytes.count)
                // `count + taken` is at most the buffer's size, and `bytes` holds `taken`.
                if let source = bytes.baseAddress {
                    (base + count).update(from: source, count: taken)
                }
                return taken
            }
            if taken == 0 { place.end = .file }  // The file was made shorter meanwhile.
            place.left -= taken
            count += taken
        }
        place.offset = window.offset
        return count
    }
}
