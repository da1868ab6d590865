internal import CTIFF

/// Strips and tiles, which libtiff counts the same way.
extension TIFFHandle {
    /// Whether the picture is in tiles, else in strips.
    var isTiled: Bool { TIFFIsTiled(tiff) != 0 }

    /// What a whole strip or tile takes decoded, in bytes; of one plane where planes are separate.
    var unitBytes: Int { Int(isTiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff)) }

    /// What a row of a strip or tile takes decoded, in bytes.
    var unitRowBytes: Int { Int(isTiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff)) }

    /// Where the bytes of a strip or tile begin in the file.
    func offset(of unit: Int) -> Int {
        Int(clamping: TIFFGetStrileOffset(tiff, UInt32(clamping: unit)))
    }

    /// How many bytes a strip or tile has in the file.
    func byteCount(of unit: Int) -> Int {
        Int(clamping: TIFFGetStrileByteCount(tiff, UInt32(clamping: unit)))
    }

    /// Decodes a whole strip or tile.
    ///
    /// - Parameters:
    ///   - unit: Its number.
    ///   - memory: Room for `unitBytes`.
    ///   - compression: That of the file.
    /// - Throws: `DecodingFault`; what could be decoded is there all the same.
    func decode(
        _ unit: Int, into memory: UnsafeMutableRawBufferPointer, _ compression: TIFFCompression
    ) throws(DecodingFault) {
        try refuseMissing(unit)
        let number = UInt32(clamping: unit)
        let isTiled = isTiled
        let expected = unitBytes
        // Bytes that are not compressed are read where they belong, when they are all there.
        let isDirect = compression == .none && byteCount(of: unit) >= expected
        if !isDirect { try makeRoom(for: unit, compression) }
        let size = isDirect ? tmsize_t(expected) : -1
        try call(at: offset(of: unit)) {
            isTiled
                ? TIFFReadEncodedTile(tiff, number, memory.baseAddress, size) >= 0
                : TIFFReadEncodedStrip(tiff, number, memory.baseAddress, size) >= 0
        }
    }

    /// Decodes a row of a picture in strips, after the row before it.
    ///
    /// - Parameters:
    ///   - row: Its number in the picture.
    ///   - memory: Room for `unitRowBytes`.
    ///   - offset: Where a fault shows.
    /// - Throws: `DecodingFault`.
    func decodeRow(
        _ row: Int, into memory: UnsafeMutableRawPointer, at offset: Int
    ) throws(DecodingFault) {
        try call(at: offset) { TIFFReadScanline(tiff, memory, UInt32(clamping: row), 0) == 1 }
    }

    /// Looks whether a strip or tile is there and can be decoded, and makes room for its bytes.
    ///
    /// - Parameters:
    ///   - unit: Its number.
    ///   - compression: That of the file.
    /// - Throws: `DecodingFault` with code `truncated`, `unsupported`, `overCeiling` or `scratch`.
    func prepare(_ unit: Int, _ compression: TIFFCompression) throws(DecodingFault) {
        try refuseMissing(unit)
        try makeRoom(for: unit, compression)
    }

    /// Makes room for the compressed bytes of a strip or tile, and looks into them.
    ///
    /// libtiff, as Debian builds it, reads them all at once, even for a single row; where the room is
    /// its own, on the heap.
    private func makeRoom(
        for unit: Int, _ compression: TIFFCompression
    ) throws(DecodingFault) {
        let offset = offset(of: unit)
        let count = byteCount(of: unit)
        if compression == .jpeg {
            try source.refuseMultipleScans(in: offset, count)
        }
        let needed = Self.bytesRead(of: count, decodedBytes: unitBytes)
        guard needed > compressedCapacity else { return }
        // Some on top, so that few of the units that follow ask for more.
        let (capacity, overflow) = needed.addingReportingOverflow(needed / 4)
        guard !overflow else {
            throw DecodingFault(.overCeiling, at: offset, "a strip or tile of \(count) bytes")
        }
        let memory = try FrameMemory(unitBytes: capacity, scratch: scratch)
        memory.expectForwardReads()
        try call(at: offset) {
            TIFFReadBufferSetup(tiff, memory.bytes.baseAddress, tmsize_t(capacity)) == 1
        }
        // libtiff has let go of the room before, if there was any.
        compressed = memory
        compressedCapacity = capacity
    }

    /// Throws where a strip or tile is not all within the file, unless that is tolerated.
    private func refuseMissing(_ unit: Int) throws(DecodingFault) {
        let offset = offset(of: unit)
        guard isTolerant || offset <= source.length && byteCount(of: unit) <= source.length - offset
        else {
            throw DecodingFault(
                .truncated, at: offset, "a strip or tile ends behind the end of the file")
        }
    }

    /// How many bytes libtiff reads of a strip or tile that claims many: above 1 MB no more than ten
    /// times of what they decode to, and 4096 (libtiff 4.5, `TIFFFillStrip`).
    private static func bytesRead(of count: Int, decodedBytes: Int) -> Int {
        guard count > 1 << 20, decodedBytes > 0, (count - 4096) / 10 > decodedBytes else {
            return count
        }
        // Less than `count`, so that it does not overflow.
        return decodedBytes * 10 + 4096
    }
}
