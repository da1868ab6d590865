extension TIFFSource {
    /// Looks at the header of a JPEG strip or tile.
    ///
    /// One of several scans makes libjpeg keep its coefficients until the last is read: twice what
    /// the strip or tile takes. TIFF has no use for them, and few writers make any.
    ///
    /// - Parameters:
    ///   - offset: Where it begins in the file.
    ///   - count: How many bytes it has.
    /// - Throws: `DecodingFault` with code `unsupported` when it has several scans, or `unreadable`.
    func refuseMultipleScans(in offset: Int, _ count: Int) throws(DecodingFault) {
        guard offset < length, count > 0 else { return }
        var window = FileWindow(
            descriptor: descriptor, over: offset..<offset + min(count, length - offset),
            capacity: 512)
        var components = 0
        // A header has a few segments; what begins with more is libjpeg's to refuse.
        for _ in 0..<1000 {
            guard let marker = try window.readMarker() else { return }
            switch marker {
            // Without a length: TEM, restarts, the start and the end of the image (T.81, B.1.1.3).
            case 0x01, 0xd0...0xd9: continue
            default: break
            }
            let start = window.offset
            guard let segment = try window.readUInt16() else { return }
            switch marker {
            case 0xc2, 0xc6, 0xca, 0xce:  // Progressive frames (T.81, table B.1)
                throw Self.multipleScans(at: start)
            case 0xc0, 0xc1, 0xc3, 0xc5, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf:
                // Behind the length: precision, height, width, the number of components (B.2.2).
                window.seek(to: start + 7)
                components = Int(try window.readByte() ?? 0)
            case 0xda:
                guard Int(try window.readByte() ?? 0) >= components else {
                    throw Self.multipleScans(at: start)
                }
                return
            default: break
            }
            window.seek(to: start + max(2, segment))
        }
    }

    private static func multipleScans(at offset: Int) -> DecodingFault {
        DecodingFault(.unsupported, at: offset, "a JPEG of several scans in a TIFF")
    }
}

extension FileWindow {
    /// The code of the next marker, over fill bytes and a few others; nil when there is none.
    fileprivate mutating func readMarker() throws(DecodingFault) -> UInt8? {
        var isPrefixed = false
        for _ in 0..<1024 {
            guard let byte = try readByte() else { return nil }
            if isPrefixed, byte != 0, byte != 0xff { return byte }
            isPrefixed = byte == 0xff
        }
        return nil
    }

    fileprivate mutating func readUInt16() throws(DecodingFault) -> Int? {
        guard let high = try readByte(), let low = try readByte() else { return nil }
        return Int(high) << 8 | Int(low)
    }
}
