import AttachmentContainer
import AttachmentFormats
import AttachmentModel
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
            pixelInput(of: file, by: plan, plan.header, context), by: plan, strictness: strictness)
    }
    guard let bytes = preview.bytes else {
        return try decode(
            pixelInput(of: file, by: plan, plan.decodedHeader, context), by: plan,
            ["thumbnail": .bool(true)], strictness: strictness)
    }
    return try decode(VipsInput(bytes: file.bytes(in: bytes)), by: plan, strictness: strictness)
}

/// The bytes for libvips: the whole attachment, or without metadata if a library would keep those
/// in memory while it decodes.
private func pixelInput(
    of file: AttachmentFile, by plan: Plan, _ header: AttachmentHeader, _ context: RenderingContext
) throws(VipsError) -> VipsInput {
    let input = DecoderInput(
        file, isTolerant: context.strictness == .tolerant, isPreview: false,
        requestedSize: plan.reducedStoredSize, loadShrink: plan.loadShrink,
        scratch: context.scratch, isCancelled: context.isCancelled)
    if let stripped = header.decodableCoding?.strippedFile(in: input) {
        return try VipsInput(stripped, of: file, context.record)
    }
    try context.record.rethrowing { () throws(DecodingFault) in
        guard header.decodableCoding?.libraryLoader != nil else {
            throw DecodingFault(
                .unsupported, at: 0, "no library may decode a picture of this structure")
        }
    }
    return try VipsInput(descriptor: file.descriptor)
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
    let header = plan.decodedHeader
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

extension VipsLoader {
    /// The loader for a picture; fails if no library may decode it.
    init(of header: AttachmentHeader) throws(VipsError) {
        guard let loader = header.decodableCoding?.libraryLoader.flatMap(VipsLoader.init) else {
            throw VipsError(
                operation: "loader", message: "\(header.coding.name) is not supported")
        }
        self = loader
    }
}
