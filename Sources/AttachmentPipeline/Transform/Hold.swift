import AttachmentDecoding

/// Computes a picture once and holds it, so that it can be read in any order, repeatedly.
///
/// It lies in a scratch file where there may be one: the reduced picture of a phone's camera takes
/// 4 to 6 MB, which would be a third of the smallest cap.
///
/// - Parameters:
///   - image: The picture.
///   - context: Where it may lie.
/// - Returns: The picture, held.
/// - Throws: `VipsError`.
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

/// A scratch file for a picture.
///
/// - Parameters:
///   - image: The picture.
///   - context: Where it may lie.
/// - Returns: The file; nil where the picture is to lie in memory.
/// - Throws: `VipsError` when there is no room.
func scratch(
    for image: VipsImage, _ context: RenderingContext
) throws(VipsError) -> ScratchMapping? {
    guard let scratch = context.scratch, image.heldBytes > Held.mostInMemory else { return nil }
    return try context.record.rethrowing { () throws(DecodingFault) in
        try scratch.makeMapping(bytes: image.heldBytes)
    }
}

/// What decides where a picture is held.
enum Held {
    /// What is held in memory at most, in bytes: a banner, which is not worth a file.
    static let mostInMemory = 64 << 10
}
