#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentFormats
    internal import CPNG
    import Foundation

    /// Encodes a part of a held picture as PNG with every colour, to a file at its current offset.
    func encodePNG(_ view: PictureView, to descriptor: CInt) throws(EncodingFailure) {
        let writer = try PNGFileWriter(descriptor: descriptor)
        let bands = view.picture.colours.bands
        try writer.start(
            thimble_png_header(
                width: CInt(view.size.width), height: CInt(view.size.height), bands: CInt(bands),
                palette: nil, colours: 0))
        var row = [UInt8](repeating: 0, count: view.size.width * bands)
        for y in 0..<view.size.height {
            row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
            try writer.write(row)
        }
        try writer.finish()
    }

    /// Encodes a part of a held picture as PNG with at most 256 colours, to a file at its current
    /// offset: without loss if it has no more.
    func encodePalettePNG(
        _ view: PictureView, to descriptor: CInt, scratch: ScratchSpace?
    ) throws(EncodingFailure) {
        if var palette = ExactPalette(of: view) {
            try encodePNG(view.size, palette.colours, to: descriptor) {
                y, write throws(EncodingFailure) in
                try palette.row(y).withUnsafeBufferPointer { row throws(EncodingFailure) in
                    // A row is not empty.
                    if let start = row.baseAddress { try write(start) }
                }
            }
        } else {
            let picture = try QuantisedPicture(view, scratch: scratch)
            try encodePNG(view.size, picture.colours, to: descriptor) {
                y, write throws(EncodingFailure) in
                try write(picture.row(y))
            }
        }
    }

    /// `colours` has four bytes of RGBA for each; `row` passes a byte for each pixel.
    private func encodePNG(
        _ size: PixelSize, _ colours: [UInt8], to descriptor: CInt,
        row: (Int, (UnsafePointer<UInt8>) throws(EncodingFailure) -> Void)
            throws(EncodingFailure) -> Void
    ) throws(EncodingFailure) {
        let writer = try PNGFileWriter(descriptor: descriptor)
        try colours.withUnsafeBufferPointer { colours throws(EncodingFailure) in
            try writer.start(
                thimble_png_header(
                    width: CInt(size.width), height: CInt(size.height), bands: 1,
                    palette: colours.baseAddress, colours: CInt(colours.count / 4)))
        }
        for y in 0..<size.height {
            try row(y) { indices throws(EncodingFailure) in try writer.write(indices) }
        }
        try writer.finish()
    }

    /// The colours of a picture that has at most 256.
    private struct ExactPalette {
        /// Four bytes of RGBA for each.
        let colours: [UInt8]
        private var exact: ExactColours
        private var pixels: PackedPixels
        private var indices: [UInt8] = []

        /// Nil for a picture with more colours.
        init?(of view: PictureView) {
            var (pixels, exact) = (PackedPixels(of: view), ExactColours(limit: 256))
            for y in 0..<view.size.height {
                pixels.forEach(in: y) { exact.insert($0) }
                guard !exact.hasOverflowed else { return nil }
            }
            (self.pixels, self.exact) = (pixels, exact)
            colours = exact.colours.flatMap { colour in
                (0..<4).map { UInt8(truncatingIfNeeded: colour >> (8 * $0)) }
            }
            indices.reserveCapacity(view.size.width)
        }

        /// Palette indices of a row.
        mutating func row(_ y: Int) -> [UInt8] {
            indices.removeAll(keepingCapacity: true)
            // Every colour is known.
            pixels.forEach(in: y) { indices.append(UInt8(exact.insert($0) ?? 0)) }
            return indices
        }
    }

    private final class PNGFileWriter {
        private let writer: OpaquePointer
        private let target: EncodingTarget

        init(descriptor: CInt) throws(EncodingFailure) {
            target = EncodingTarget(descriptor: descriptor)
            guard let made = thimble_png_writer_new(EncodingTarget.write, target.context) else {
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
