import AttachmentDecoding

/// Reads a stream to its end.
///
/// - Parameters:
///   - bytes: An interlaced PNG.
///   - isTolerant: Whether damage is passed over.
///   - piece: How many bytes are read at a time.
/// - Returns: The PNG that is not interlaced.
/// - Throws: `DecodingFault`.
func rewrite(_ bytes: [UInt8], isTolerant: Bool = false, piece: Int = 4096) throws -> [UInt8] {
    let file = try TemporaryBytes(bytes)
    let stream = try InterlacedPNGStream(
        descriptor: file.descriptor, length: bytes.count, isTolerant: isTolerant)
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
        let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        if count == 0 { return output }
        output += buffer.prefix(count)
    }
}

/// The fault that reading ends with; nil when there is none.
func fault(_ bytes: [UInt8], isTolerant: Bool = false) throws -> DecodingFault.Code? {
    do {
        _ = try rewrite(bytes, isTolerant: isTolerant)
        return nil
    } catch let fault as DecodingFault {
        return fault.code
    }
}
