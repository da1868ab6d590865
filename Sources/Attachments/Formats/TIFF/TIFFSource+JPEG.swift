extension TIFFSource {
    /// Throws `unsupported` for a JPEG of several scans, of which libjpeg keeps all coefficients.
    func rejectMultipleScans(in offset: Int, _ count: Int) throws(DecodingFault) {
        guard offset < length, count > 0 else { return }
        var window = FileWindow(
            file, over: offset..<offset + min(count, length - offset), capacity: 512)
        var components = 0
        // A header has few segments; libjpeg rejects the rest.
        for _ in 0..<1000 {
            guard let marker = try window.readMarker() else { return }
            switch marker {
            // Markers without a length: TEM, RSTn, SOI and EOI (T.81, B.1.1.3).
            case 0x01, 0xd0...0xd9: continue
            default: break
            }
            let start = window.offset
            guard let segment = try window.readUInt16() else { return }
            switch marker {
            case 0xc2, 0xc6, 0xca, 0xce:  // Progressive frames (T.81, table B.1)
                throw Self.multipleScans(at: start)
            case 0xc0, 0xc1, 0xc3, 0xc5, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf:
                // After the length come precision, height, width and the number of components
                // (B.2.2).
                window.seek(to: start + 7)
                components = Int(try window.readByte() ?? 0)
            case 0xda:
                guard Int(try window.readByte() ?? 0) >= components else {
                    throw Self.multipleScans(at: start)
                }
                return
            default: break
            }
            window.seek(to: start + max(2, Int(segment)))
        }
    }

    private static func multipleScans(at offset: Int) -> DecodingFault {
        DecodingFault(.unsupported, at: offset, "a JPEG with several scans in a TIFF")
    }
}

extension FileWindow {
    fileprivate mutating func readMarker() throws(DecodingFault) -> UInt8? {
        var isPrefixed = false
        for _ in 0..<1024 {
            guard let byte = try readByte() else { return nil }
            if isPrefixed, byte != 0, byte != 0xff { return byte }
            isPrefixed = byte == 0xff
        }
        return nil
    }
}
