import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

struct DecodedImage {
    /// The picture, with the decoder's size and the file's colours.
    let image: VipsImage
    /// Colours without a profile; nil for sRGB.
    var tags: ColourTags?
    var notes: [String] = []
}

/// Opens the attachment according to its plan; rows are decoded on demand.
///
/// The result is the embedded preview, or the first frame.
func decode(_ context: RenderingContext) throws(VipsError) -> DecodedImage {
    let (plan, file) = (context.plan, context.file)
    guard plan.decoder == .library else { return try decodeBounded(context) }
    let input: VipsInput
    var arguments: [String: VipsArgument] = [:]
    if plan.rung == .preview, let preview = plan.header.preview {
        if let bytes = preview.bytes {
            input = try VipsInput(bytes: file.bytes(in: bytes))
        } else {
            input = try pixelInput(plan.decodedHeader, context)
            arguments["thumbnail"] = .bool(true)
        }
    } else {
        input = try pixelInput(plan.header, context)
    }
    return DecodedImage(
        image: try decode(input, by: plan, arguments, strictness: context.strictness),
        tags: plan.decodedHeader.colourTags)
}

/// The bytes for libvips: the whole attachment, or without metadata if a library would keep those
/// in memory while it decodes.
private func pixelInput(
    _ header: AttachmentHeader, _ context: RenderingContext
) throws(VipsError) -> VipsInput {
    let coding = header.decodableCoding
    if let stripped = coding?.strippedFile(in: context.decoderInput(isPreview: false)) {
        return try VipsInput(stripped, of: context.file)
    }
    guard coding?.libraryLoader != nil else {
        throw VipsError(
            DecodingFault(
                .unsupported, at: 0, "no library may decode a picture of this structure"))
    }
    // libvips seeks in other formats, and would hold what it cannot seek in.
    guard !context.file.isEncrypted else {
        throw VipsError(
            DecodingFault(.unsupported, at: 0, "libvips reads no encrypted picture of this format"))
    }
    return try VipsInput(descriptor: context.file.descriptor)
}

extension VipsInput {
    /// Reads a whole attachment from its start; an encrypted one can only be a JPEG or a PNG.
    convenience init(_ file: AttachmentFile) throws(VipsError) {
        guard file.isEncrypted else {
            try self.init(descriptor: file.descriptor)
            return
        }
        var offset = 0
        try self.init { buffer throws(DecodingFault) in
            do throws(OpenFile.ReadFailure) {
                let count = try file.openFile.read(into: buffer, at: offset)
                offset += count
                return count
            } catch {
                throw DecodingFault(.unreadable, at: offset, error.reason)
            }
        }
    }

    /// Reads the simpler file that one of our own decoders writes; `file` stays open meanwhile.
    convenience init(_ simpler: any SimplerFile, of file: AttachmentFile) throws(VipsError) {
        try self.init { buffer throws(DecodingFault) in
            try withExtendedLifetime(file) { () throws(DecodingFault) in
                try simpler.read(into: buffer)
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
    arguments["fail_on"] = .name(strictness.failOn)
    let header = plan.decodedHeader
    // Without it, libvips takes at most 100 scans. Our reader has counted them.
    if header.format == .jpeg { arguments["unlimited"] = .bool(true) }
    switch header.coding.shrinkOnLoad {
    case .divisors: arguments["shrink"] = .int(plan.loadShrink)
    case .anySize: arguments["scale"] = .double(plan.loadScale)
    case .none: break
    }
    let loader = try VipsLoader(of: header)
    let image = try VipsImage.open(input, with: loader, arguments)
    return loader == .tiff ? try image.asTIFF(header) : image
}

extension VipsImage {
    /// Corrects the output of libvips' TIFF loader.
    ///
    /// The loader treats an extra sample of unspecified meaning as alpha, and does not scale 32-bit
    /// samples. A profile would be taken for one of RGB where samples are L*a*b*.
    fileprivate func asTIFF(_ header: AttachmentHeader) throws(VipsError) -> VipsImage {
        guard header.bitsPerSample <= 16 else {
            throw VipsError(
                operation: VipsLoader.tiff.rawValue,
                message: "samples of \(header.bitsPerSample) bits are not supported")
        }
        let image = isLab && hasProfile ? try removingProfile() : self
        return image.hasAlpha && !header.hasAlpha ? try image.colours() : image
    }
}

extension VipsLoader {
    init(of header: AttachmentHeader) throws(VipsError) {
        guard let loader = header.decodableCoding?.libraryLoader.flatMap(VipsLoader.init) else {
            throw VipsError(operation: "loader", message: "\(header.coding.name) is not supported")
        }
        self = loader
    }
}
