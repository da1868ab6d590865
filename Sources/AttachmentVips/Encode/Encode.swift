import AttachmentPlanning

/// Computes a picture's pixels and encodes them to a file, from its current offset.
///
/// The picture is grey or RGB with 8 bits a sample, and has alpha only for PNG. Errors may come
/// from any step, because the picture is decoded while it is encoded.
func encode(_ image: VipsImage, as encoding: Encoding, to descriptor: CInt) throws(VipsError) {
    let output = try VipsOutput(descriptor: descriptor)
    // Only a Display P3 profile reaches this step; libvips writes it unless told to strip.
    let keepsProfile = image.hasProfile
    switch encoding {
    case .jpeg(let quality):
        try image.save(
            to: output, with: "jpegsave_target",
            [
                "Q": .int(quality), "strip": .bool(!keepsProfile),
                // 4:2:0 at every quality; libvips defaults to 4:4:4 from 90 up.
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
