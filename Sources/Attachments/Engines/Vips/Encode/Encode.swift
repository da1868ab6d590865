import AttachmentFormats
import AttachmentPipeline
import AttachmentPlanning

/// Computes a picture's pixels and encodes them to a file, from its current offset.
///
/// The picture is grey or RGB with 8 bits a sample, and has alpha only for PNG. Errors may come
/// from any step, because the picture is decoded while it is encoded. `scratch` is for pictures that are
/// read several times.
func encode(
    _ image: VipsImage, as attempt: EncodingLadder.Attempt, to file: CInt,
    scratch: ScratchSpace?
) throws(VipsError) {
    let output = try VipsOutput(descriptor: file)
    // Only a Display P3 profile reaches this step; libvips writes it unless told to strip.
    let keepsProfile = image.hasProfile
    switch attempt.encoding {
    case .jpeg(let quality):
        try save(image, quality: quality, halvesChroma: true, attempt, to: output)
    case .fullChromaJPEG(let quality):
        try save(image, quality: quality, halvesChroma: false, attempt, to: output)
    case .png:
        try image.save(
            to: output, with: "pngsave_target",
            ["strip": .bool(!keepsProfile), "filter": .name("all")])
    case .palettePNG:
        try savePalette(image, isDense: attempt.isDense, to: .file(file), scratch)
    }
}

private func save(
    _ image: VipsImage, quality: Int, halvesChroma: Bool, _ attempt: EncodingLadder.Attempt,
    to output: VipsOutput
) throws(VipsError) {
    try image.save(
        to: output, with: "jpegsave_target",
        [
            "Q": .int(quality), "strip": .bool(!image.hasProfile),
            // libvips would choose 4:4:4 from quality 90 up.
            "subsample_mode": .name(halvesChroma ? "on" : "off"),
            "interlace": .bool(false), "optimize_coding": .bool(attempt.hasOptimalTables),
        ])
}

/// Saves a picture as PNG with at most 256 colours, which libvips would leave to libimagequant.
private func savePalette(
    _ image: VipsImage, isDense: Bool, to target: WritingTarget, _ scratch: ScratchSpace?
) throws(VipsError) {
    let held = try VipsError.rethrowing { () throws(DecodingFault) in
        try FrameMemory(
            bytes: image.heldBytes, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
    }
    var rest = held.bytes[...]
    try image.forEachRow { row in
        UnsafeMutableRawBufferPointer(rebasing: rest.prefix(row.count)).copyMemory(from: row)
        rest = rest.dropFirst(row.count)
    }
    let pixels = PackedPixels(image.size, bands: image.bands) { y, row in
        let start = y * row.count
        UnsafeMutableRawBufferPointer(row).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: held.bytes[start..<start + row.count]))
    }
    do throws(EncodingFailure) {
        try encodePalettePNG(
            pixels, isDense: isDense, profile: image.profile, to: target)
    } catch {
        throw VipsError(operation: "png", message: "unable to write: \(error.reason)")
    }
}
