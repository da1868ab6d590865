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
    /// offset.
    func encodePalettePNG(
        _ view: PictureView, to descriptor: CInt, scratch: ScratchSpace?
    ) throws(EncodingFailure) {
        let picture = try QuantisedPicture(view, scratch: scratch)
        let writer = try PNGFileWriter(descriptor: descriptor)
        try picture.colours.withUnsafeBufferPointer { colours throws(EncodingFailure) in
            try writer.start(
                thimble_png_header(
                    width: CInt(view.size.width), height: CInt(view.size.height), bands: 1,
                    palette: colours.baseAddress, colours: CInt(colours.count / 4)))
        }
        for y in 0..<view.size.height {
            try writer.write(picture.row(y))
        }
        try writer.finish()
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
