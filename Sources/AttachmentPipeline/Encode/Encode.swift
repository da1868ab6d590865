import AttachmentPlanning

/// Computes a picture's pixels and writes them to an open file.
///
/// - Parameters:
///   - image: Grey or RGB, eight bits a sample, with alpha only for PNG.
///   - encoding: How the pixels become a file.
///   - descriptor: The file, written from its current offset.
/// - Throws: `VipsError` from whichever step fails: the picture is decoded while it is encoded.
func encode(
    _ image: VipsImage, as encoding: Encoding, to descriptor: CInt
) throws(VipsError) {
    let output = try VipsOutput(descriptor: descriptor)
    // Display P3 is the one profile that reaches this step; libvips writes it unless it strips.
    let keepsProfile = image.hasProfile
    switch encoding {
    case .jpeg(let quality):
        try image.save(
            to: output, with: "jpegsave_target",
            [
                "Q": .int(quality), "strip": .bool(!keepsProfile),
                // 4:2:0 at every quality: libvips would turn to 4:4:4 from 90 up.
                "subsample_mode": .name("on"),
                "interlace": .bool(false), "optimize_coding": .bool(false),
            ])
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
