import AttachmentContainer
import AttachmentDecoding
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
            pixelInput(of: file, as: plan.header, context), by: plan, strictness: strictness)
    }
    guard let bytes = preview.bytes else {
        return try decode(
            pixelInput(of: file, as: plan.decodedHeader, context), by: plan,
            ["thumbnail": .bool(true)], strictness: strictness)
    }
    return try decode(VipsInput(bytes: file.bytes(in: bytes)), by: plan, strictness: strictness)
}

/// What libvips reads of an attachment: all of it, or where a library would keep metadata for as long
/// as it decodes, all but those.
private func pixelInput(
    of file: AttachmentFile, as header: AttachmentHeader, _ context: RenderingContext
) throws(VipsError) -> VipsInput {
    let (descriptor, length) = (file.descriptor, file.length.bytes)
    switch header.format {
    case .jpeg:
        return try .init(
            StrippedJPEGStream(descriptor: descriptor, length: length), of: file, context.record)
    case .png:
        return try .init(
            StrippedPNGStream(descriptor: descriptor, length: length), of: file, context.record)
    case .heic, .avif:
        // libheif 1.15 returns uninitialised memory for overlays, and allocates by coded frames.
        try context.record.rethrowing { () throws(DecodingFault) in
            guard header.coding != .overlay, !header.frames.isEmpty else {
                throw DecodingFault(
                    .unsupported, at: 0, "libheif gets coded pictures and grids of them alone")
            }
        }
        return try VipsInput(descriptor: descriptor)
    case .webp, .gif, .tiff:
        return try VipsInput(descriptor: descriptor)
    }
}

extension VipsInput {
    /// Reads what a decoder of ours makes of an attachment.
    ///
    /// - Parameters:
    ///   - simpler: What it makes.
    ///   - file: The attachment, which stays open for as long as libvips reads.
    ///   - record: Keeps the decoder's fault.
    /// - Throws: `VipsError` when libvips cannot be started.
    convenience init(
        _ simpler: any SimplerFile, of file: AttachmentFile, _ record: DecodingRecord
    ) throws(VipsError) {
        try self.init { buffer in
            withExtendedLifetime(file) {
                record.keeping { () throws(DecodingFault) in try simpler.read(into: buffer) }
            }
        }
    }
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
    let image = try VipsImage.open(input, with: format.loader, arguments)
    return format == .tiff ? try image.asTIFF(plan.decodedHeader) : image
}

extension VipsImage {
    /// A picture of libvips' TIFF loader as the file means it.
    ///
    /// The loader takes an extra sample of unspecified meaning for alpha, and does not scale samples
    /// of 32 bits.
    fileprivate func asTIFF(_ header: AttachmentHeader) throws(VipsError) -> VipsImage {
        guard header.bitsPerSample <= 16 else {
            throw VipsError(
                operation: VipsLoader.tiff.rawValue,
                message: "samples of \(header.bitsPerSample) bits are not supported")
        }
        return hasAlpha && !header.hasAlpha ? try colours() : self
    }
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
