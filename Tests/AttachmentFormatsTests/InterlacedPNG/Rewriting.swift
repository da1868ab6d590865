import AttachmentFormats

/// Converts an interlaced PNG to a non-interlaced one, reading `piece` bytes at a time.
func rewrite(_ bytes: [UInt8], isTolerant: Bool = false, piece: Int = 4096) throws -> [UInt8] {
    let file = try TemporaryBytes(bytes)
    let stream = try InterlacedPNGStream(
        file.openFile, isTolerant: isTolerant)
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
        let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        if count == 0 { return output }
        output += buffer.prefix(count)
    }
}

/// The fault of a conversion; nil if it succeeds.
func fault(_ bytes: [UInt8], isTolerant: Bool = false) throws -> DecodingFault.Code? {
    do {
        _ = try rewrite(bytes, isTolerant: isTolerant)
        return nil
    } catch let fault as DecodingFault {
        return fault.code
    }
}
