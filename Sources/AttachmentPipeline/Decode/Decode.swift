import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

/// Opens the attachment as its plan says; pixels come later, row by row, as they are asked for.
///
/// - Parameters:
///   - file: The attachment.
///   - plan: How to decode it.
///   - context: Which damage is an error, and what decoders of ours need.
/// - Returns: The first frame, or the embedded preview, at the decoder's size, in the file's colours.
/// - Throws: `VipsError` with the decoder's own words.
func decode(
    _ file: AttachmentFile, by plan: Plan, _ context: RenderingContext
) throws(VipsError) -> VipsImage {
    guard plan.decoder == .library else { return try decodeBounded(file, by: plan, context) }
    let strictness = context.strictness
    guard plan.rung == .preview, let preview = plan.header.preview else {
        return try decode(
            VipsInput(descriptor: file.descriptor), by: plan, strictness: strictness)
    }
    guard let bytes = preview.bytes else {
        return try decode(
            VipsInput(descriptor: file.descriptor), by: plan, ["thumbnail": .bool(true)],
            strictness: strictness)
    }
    return try decode(VipsInput(bytes: file.bytes(in: bytes)), by: plan, strictness: strictness)
}

/// Opens a stream of bytes as a plan says.
///
/// - Parameters:
///   - input: The bytes.
///   - plan: How to decode them.
///   - further: Arguments that only this kind of picture has. The default is none.
///   - strictness: Which damage is an error.
/// - Returns: The first frame, at the decoder's size, in the file's colours.
/// - Throws: `VipsError` with the decoder's own words.
func decode(
    _ input: VipsInput, by plan: Plan, _ further: [String: VipsArgument] = [:],
    strictness: DecodeStrictness
) throws(VipsError) -> VipsImage {
    var arguments = further
    arguments["fail_on"] = .name(strictness.rawValue)
    let format = plan.decodedHeader.format
    switch format {
    case .jpeg: arguments["shrink"] = .int(plan.loadShrink)
    case .webp: arguments["scale"] = .double(plan.loadScale)
    case .png, .gif, .heic, .avif, .tiff: break
    }
    return try .open(input, with: format.loader, arguments)
}

extension AttachmentFormat {
    /// The loader that reads this kind of picture.
    var loader: VipsLoader {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .gif: .gif
        case .heic, .avif: .heif
        case .tiff: .tiff
        }
    }

    /// Whether the loader turns the picture upright by itself: libheif applies `irot`, `imir` and
    /// `clap` while it decodes.
    var loaderOrients: Bool { self == .heic || self == .avif }
}
