internal import CTIFF

/// A TIFF file that libtiff has open, and the only place where it is called.
///
/// libtiff's memory stays bounded: no single allocation passes a ceiling, there are as few of them
/// as the reduced directory has entries, and the compressed bytes of a strip or tile lie in memory of
/// ours, which is file-backed where they are many.
final class TIFFHandle {
    /// More strips or tiles than this are refused, as libtiff keeps 16 bytes for each, and 24 for a
    /// while: twenty times as many as 48 million pixels in single rows, or in tiles of 96 × 96.
    static let unitCeiling = 1 << 17

    /// What libtiff may allocate at once, in bytes: its arrays for that many strips or tiles; its
    /// own tables are smaller (LZW: 82 KB).
    private static let allocationCeiling = 8 * unitCeiling + 4096

    let tiff: OpaquePointer
    let source: TIFFSource
    /// Bytes of what is compressed, whole strips or tiles; libtiff does not free it.
    var compressed: FrameMemory?
    /// What libtiff reads into, in bytes.
    var compressedCapacity = 0
    let scratch: ScratchSpace
    let isTolerant: Bool

    // Owned by this value from its making to its end, at which libtiff is closed first.
    private let messages: UnsafeMutablePointer<ThimbleTIFFMessages>

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - source: Its bytes, with their reduced directory.
    ///   - scratch: Where large memory lies.
    ///   - isTolerant: Whether damage that shows leaves blanks, rather than being a fault.
    /// - Throws: `DecodingFault`.
    init(
        _ source: TIFFSource, scratch: ScratchSpace, isTolerant: Bool
    ) throws(DecodingFault) {
        self.source = source
        self.scratch = scratch
        self.isTolerant = isTolerant
        messages = .allocate(capacity: 1)
        messages.initialize(to: ThimbleTIFFMessages())
        // `source` lives as long as this object, which closes the file before it goes.
        let opened = thimble_tiff_open(
            Unmanaged.passUnretained(source).toOpaque(), readCallback, seekCallback, sizeCallback,
            messages, tmsize_t(Self.allocationCeiling))
        guard let opened else {
            let fault = source.fault ?? Self.fault(messages, at: 0)
            messages.deallocate()
            throw fault
        }
        tiff = opened
    }

    deinit {
        TIFFClose(tiff)
        messages.deallocate()
    }

    /// Runs a call to libtiff and turns what it said into a fault.
    ///
    /// - Parameters:
    ///   - offset: Where the fault shows, in bytes from the start of the file.
    ///   - body: Returns whether libtiff was successful.
    /// - Throws: `DecodingFault` when it was not; when nothing is tolerated also when it went over
    ///   damage.
    func call(at offset: Int, _ body: () -> Bool) throws(DecodingFault) {
        messages.pointee.faults = 0
        source.clearFault()
        let isDone = body()
        if let fault = source.fault { throw fault }
        guard isDone, isTolerant || messages.pointee.faults == 0 else {
            throw Self.fault(messages, at: offset)
        }
    }

    /// Asks for RGB where a JPEG strip or tile has YCbCr, which changes how long rows are.
    func expectRGB() { _ = thimble_tiff_expect_rgb(tiff) }

    /// A tag of one 16-bit value, or its default; nil when it has neither.
    func integer16(_ tag: UInt16) -> Int? {
        var value: UInt16 = 0
        return thimble_tiff_get_16(tiff, UInt32(tag), &value) == 1 ? Int(value) : nil
    }

    /// A tag of one 32-bit value, or its default; nil when it has neither.
    func integer32(_ tag: UInt16) -> Int? {
        var value: UInt32 = 0
        return thimble_tiff_get_32(tiff, UInt32(tag), &value) == 1 ? Int(value) : nil
    }

    /// What the samples beyond the colours mean, by the numbers of TIFF 6.0, section 18.
    var extraSamples: [UInt16] {
        var count: UInt16 = 0
        var kinds: UnsafePointer<UInt16>?
        guard thimble_tiff_get_extra_samples(tiff, &count, &kinds) == 1, let kinds else {
            return []
        }
        // The memory is libtiff's, and lies there until the directory changes.
        return Array(UnsafeBufferPointer(start: kinds, count: Int(count)))
    }

    /// The colours of a palette, each of 16 bits.
    ///
    /// - Parameter bits: Those of a sample, at most 16, which say how long libtiff's arrays are.
    /// - Returns: Nil when there is none.
    func colourMap(bits: Int) -> [(red: UInt16, green: UInt16, blue: UInt16)]? {
        var red: UnsafePointer<UInt16>?
        var green: UnsafePointer<UInt16>?
        var blue: UnsafePointer<UInt16>?
        guard thimble_tiff_get_colour_map(tiff, &red, &green, &blue) == 1, let red, let green,
            let blue
        else { return nil }
        return (0..<1 << bits).map { (red[$0], green[$0], blue[$0]) }
    }

    private static func fault(
        _ messages: UnsafePointer<ThimbleTIFFMessages>, at offset: Int
    ) -> DecodingFault {
        let words = withUnsafeBytes(of: messages.pointee.first) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return DecodingFault(.corrupt, at: offset, words.isEmpty ? "libtiff gave up" : words)
    }
}

/// Never -1 for a fault: libtiff 4.5 adds what it gets to its position in a buffer.
private let readCallback: TIFFReadWriteProc = { client, bytes, count in
    guard let client, let bytes, count > 0 else { return 0 }
    let source = Unmanaged<TIFFSource>.fromOpaque(client).takeUnretainedValue()
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    return tmsize_t(source.read(into: buffer))
}

private let seekCallback: TIFFSeekProc = { client, offset, whence in
    guard let client else { return .max }
    let source = Unmanaged<TIFFSource>.fromOpaque(client).takeUnretainedValue()
    return source.seek(offset, whence: whence).map(UInt64.init) ?? .max
}

private let sizeCallback: TIFFSizeProc = { client in
    guard let client else { return 0 }
    return UInt64(Unmanaged<TIFFSource>.fromOpaque(client).takeUnretainedValue().length)
}
