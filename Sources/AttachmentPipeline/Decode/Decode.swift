import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

/// Opens the attachment according to its plan; rows are decoded on demand.
///
/// The result is the first frame or the embedded preview, with the decoder's size and the file's
/// colours.
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

/// The bytes for libvips: the whole attachment, or without metadata if a library would keep those
/// in memory while it decodes.
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
                    .unsupported, at: 0, "libheif is used for coded pictures and grids of them only"
                )
            }
        }
        return try VipsInput(descriptor: descriptor)
    case .webp, .gif, .tiff:
        return try VipsInput(descriptor: descriptor)
    }
}

extension VipsInput {
    /// Reads the simpler file that one of our own decoders writes; `file` stays open meanwhile.
    convenience init(
        _ simpler: any SimplerFile, of file: AttachmentFile, _ record: DecodingRecord
    ) throws(VipsError) {
        try self.init { buffer in
            withExtendedLifetime(file) {
                record.capturing { () throws(DecodingFault) in try simpler.read(into: buffer) }
            }
        }
    }
}

/// Opens a byte stream according to a plan; `further` are arguments of the format's loader.
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
    /// Corrects the output of libvips' TIFF loader.
    ///
    /// The loader treats an extra sample of unspecified meaning as alpha, and does not scale 32-bit
    /// samples.
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

    /// True if the loader orients the picture: libheif applies `irot`, `imir` and `clap` while
    /// decoding.
    var loaderOrients: Bool { self == .heic || self == .avif }
}
