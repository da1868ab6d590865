import AttachmentFormats

/// Computes a picture once and holds it, so that it can be read repeatedly and in any order.
///
/// It lies in a scratch file if allowed: the reduced picture of a phone's camera takes 4 to 6 MB,
/// a third of the smallest cap.
func hold(_ image: VipsImage, in scratch: ScratchSpace?) throws(VipsError) -> VipsImage {
    guard let mapping = try scratch?.mapping(for: image) else { return try image.inMemory() }
    var rest = mapping.bytes[...]
    try image.forEachRow { row in
        UnsafeMutableRawBufferPointer(rebasing: rest.prefix(row.count)).copyMemory(from: row)
        rest = rest.dropFirst(row.count)
        mapping.startWritingOut(after: row.count)
    }
    return try image.replaced(by: mapping.bytes, of: mapping)
}

extension ScratchSpace {
    /// Largest picture held in memory, in bytes: a banner, for which a file does not pay.
    private static var maximumInMemory: Int { 64 << 10 }

    /// Nil if the picture is to lie in memory.
    func mapping(for image: VipsImage) throws(VipsError) -> ScratchMapping? {
        guard image.heldBytes > Self.maximumInMemory else { return nil }
        return try VipsError.rethrowing { () throws(DecodingFault) in
            try makeMapping(bytes: image.heldBytes)
        }
    }
}
