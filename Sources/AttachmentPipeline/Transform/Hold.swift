import AttachmentFormats

/// Computes a picture once and holds it, so that it can be read repeatedly and in any order.
///
/// It lies in a scratch file if allowed: the reduced picture of a phone's camera takes 4 to 6 MB,
/// a third of the smallest cap.
func hold(_ image: VipsImage, _ context: RenderingContext) throws(VipsError) -> VipsImage {
    guard let mapping = try scratch(for: image, context) else { return try image.inMemory() }
    var rest = mapping.bytes[...]
    try image.forEachRow { row in
        UnsafeMutableRawBufferPointer(rebasing: rest.prefix(row.count)).copyMemory(from: row)
        rest = rest.dropFirst(row.count)
        mapping.startWritingOut(after: row.count)
    }
    return try image.replaced(by: mapping.bytes, of: mapping)
}

/// Creates a scratch file for a picture; nil if the picture is to lie in memory.
func scratch(
    for image: VipsImage, _ context: RenderingContext
) throws(VipsError) -> ScratchMapping? {
    guard let scratch = context.scratch, image.heldBytes > Held.maximumInMemory else { return nil }
    return try context.record.rethrowing { () throws(DecodingFault) in
        try scratch.makeMapping(bytes: image.heldBytes)
    }
}

enum Held {
    /// Largest picture held in memory, in bytes: a banner, for which a file does not pay.
    static let maximumInMemory = 64 << 10
}
