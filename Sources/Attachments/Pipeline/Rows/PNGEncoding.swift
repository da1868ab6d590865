#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentFormats
    internal import CPNG
    import Foundation

    /// Encodes a part of a held picture as PNG with every colour, to a file at its current offset.
    ///
    /// With `isDense` every repetition is searched; otherwise runs are (``PNGSample``).
    func encodePNG(
        _ view: PictureView, isDense: Bool, to target: WritingTarget
    ) throws(EncodingFailure) {
        let writer = try PNGFileWriter(target)
        let bands = view.picture.colours.bands
        try writer.start(
            thimble_png_header(
                width: CInt(view.size.width), height: CInt(view.size.height), bands: CInt(bands),
                palette: nil, colours: 0,
                search: isDense ? THIMBLE_PNG_DENSE : THIMBLE_PNG_RUNS, profile: nil,
                profile_bytes: 0))
        var row = [UInt8](repeating: 0, count: view.size.width * bands)
        for y in 0..<view.size.height {
            row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
            try writer.write(row)
        }
        try writer.finish()
    }

    /// Encodes pixels as PNG with at most 256 colours, to a file at its current offset: without loss if
    /// they have no more.
    ///
    /// - Parameters:
    ///   - pixels: The pixels, which are read two or three times from the top.
    ///   - isDense: True for a file as short as zlib can make it, whatever the time. Otherwise a
    ///     dithered photograph takes 1 to 2 % more bytes than at zlib's default level, and half the time.
    ///   - profile: An ICC profile of RGB; nil for sRGB.
    ///   - target: The file.
    /// - Throws: `EncodingFailure` if memory is short or the file cannot be written.
    package func encodePalettePNG(
        _ pixels: PackedPixels, isDense: Bool = false, profile: [UInt8]? = nil,
        to target: WritingTarget
    ) throws(EncodingFailure) {
        if let palette = ExactPalette(of: pixels) {
            return try encodePNG(pixels.size, palette, isDense: isDense, profile, to: target)
        }
        guard let palette = QuantisedPalette(of: pixels) else {
            throw EncodingFailure(reason: "there is no memory for the colours of a palette")
        }
        try encodePNG(pixels.size, palette, isDense: isDense, profile, to: target)
    }

    private func encodePNG(
        _ size: PixelSize, _ palette: consuming some PaletteRows, isDense: Bool,
        _ profile: [UInt8]?, to target: WritingTarget
    ) throws(EncodingFailure) {
        let search =
            isDense
            ? THIMBLE_PNG_DENSEST : palette.isDithered ? THIMBLE_PNG_BRIEF : THIMBLE_PNG_DENSE
        let writer = try PNGFileWriter(target)
        let colours = palette.colours
        try colours.withUnsafeBufferPointer { colours throws(EncodingFailure) in
            try (profile ?? []).withUnsafeBufferPointer { profile throws(EncodingFailure) in
                try writer.start(
                    thimble_png_header(
                        width: CInt(size.width), height: CInt(size.height), bands: 1,
                        palette: colours.baseAddress, colours: CInt(colours.count / 4),
                        search: search, profile: profile.baseAddress,
                        profile_bytes: profile.count))
            }
        }
        for _ in 0..<size.height { try writer.write(palette.next()) }
        try writer.finish()
    }

    private final class PNGFileWriter {
        private let writer: OpaquePointer
        private let target: EncodingTarget

        init(_ target: WritingTarget) throws(EncodingFailure) {
            self.target = EncodingTarget(target)
            guard let made = thimble_png_writer_new(EncodingTarget.write, self.target.context)
            else {
                throw EncodingFailure(reason: "there is no memory for libpng")
            }
            writer = made
        }

        deinit { thimble_png_writer_free(writer) }

        func start(_ header: thimble_png_header) throws(EncodingFailure) {
            try withUnsafePointer(to: header) { header throws(EncodingFailure) in
                try check(thimble_png_writer_start(writer, header))
            }
        }

        func write(_ row: UnsafePointer<UInt8>) throws(EncodingFailure) {
            try check(thimble_png_writer_row(writer, row))
        }

        func finish() throws(EncodingFailure) { try check(thimble_png_writer_finish(writer)) }

        private func check(_ status: thimble_png_status) throws(EncodingFailure) {
            guard status != THIMBLE_PNG_OK else { return }
            let message = String(cString: thimble_png_writer_message(writer))
            throw EncodingFailure(
                reason: status == THIMBLE_PNG_IO ? String(cString: strerror(errno)) : message)
        }
    }
#endif
