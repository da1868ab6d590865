import AttachmentContainer
import AttachmentPlanning

/// Opens the attachment as its plan says; pixels come later, row by row, as they are asked for.
///
/// - Parameters:
///   - input: The attachment's bytes.
///   - plan: How to decode them.
///   - strictness: Which damage is an error.
/// - Returns: The first frame, at the decoder's size, in the file's colours.
/// - Throws: `VipsError` with the decoder's own words.
func decode(
    _ input: VipsInput, by plan: Plan, strictness: DecodeStrictness
) throws(VipsError) -> VipsImage {
    var arguments: [String: VipsArgument] = ["fail_on": .name(strictness.rawValue)]
    switch plan.header.format {
    case .jpeg: arguments["shrink"] = .int(plan.loadShrink)
    case .webp: arguments["scale"] = .double(plan.loadScale)
    case .png, .gif, .heic, .avif, .tiff: break
    }
    return try .open(input, with: plan.header.format.loader, arguments)
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
