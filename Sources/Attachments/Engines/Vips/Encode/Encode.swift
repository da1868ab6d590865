import AttachmentPlanning

/// Computes a picture's pixels and encodes them to a file, from its current offset.
///
/// The picture is grey or RGB with 8 bits a sample, and has alpha only for PNG. Errors may come
/// from any step, because the picture is decoded while it is encoded.
func encode(
    _ image: VipsImage, as attempt: EncodingLadder.Attempt, to descriptor: CInt
) throws(VipsError) {
    let output = try VipsOutput(descriptor: descriptor)
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
        try image.save(
            to: output, with: "pngsave_target",
            ["strip": .bool(!keepsProfile), "palette": .bool(true), "bitdepth": .int(8)])
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
