#if SYSTEM_CODECS
    import AttachmentContainer
    internal import CJPEG
    import Foundation

    /// Encodes a part of a held picture as baseline JPEG without alpha, to a file at its current
    /// offset.
    ///
    /// `halvesChroma` means 4:2:0, the only sampling of pictures held as such; otherwise 4:4:4.
    func encodeJPEG(
        _ view: PictureView, quality: Int, halvesChroma: Bool, hasOptimalTables: Bool,
        to descriptor: CInt
    ) throws(EncodingFailure) {
        let writer = try JPEGFileWriter(descriptor: descriptor)
        try writer.write(
            view, quality: quality, halvesChroma: halvesChroma, hasOptimalTables: hasOptimalTables)
    }

    private final class JPEGFileWriter {
        private let writer: OpaquePointer
        private let target: EncodingTarget

        init(descriptor: CInt) throws(EncodingFailure) {
            target = EncodingTarget(descriptor: descriptor)
            guard let made = thimble_jpeg_writer_new(EncodingTarget.write, target.context) else {
                throw EncodingFailure(reason: "there is no memory for libjpeg")
            }
            writer = made
        }

        deinit { thimble_jpeg_writer_free(writer) }

        func write(
            _ view: PictureView, quality: Int, halvesChroma: Bool, hasOptimalTables: Bool
        ) throws(EncodingFailure) {
            let colours = view.picture.colours
            try check(
                thimble_jpeg_writer_start(
                    writer, colours.ofJPEG, CInt(view.size.width), CInt(view.size.height),
                    CInt(quality), halvesChroma, hasOptimalTables))
            if colours == .yCbCr420 { try writePlanes(view) } else { try writeRows(view) }
            try check(thimble_jpeg_writer_finish(writer))
        }

        private func writeRows(_ view: PictureView) throws(EncodingFailure) {
            let colours = view.picture.colours
            var row = [UInt8](repeating: 0, count: view.size.width * colours.bands)
            for y in 0..<view.size.height {
                row.withUnsafeMutableBufferPointer { row in
                    view.read(plane: 0, y, into: row)
                    if colours.hasAlpha { row.removeLast(ofEach: colours.bands) }
                }
                try check(thimble_jpeg_writer_row(writer, row))
            }
        }

        /// Writes rows of MCUs; columns and rows beyond the picture repeat its last ones.
        private func writePlanes(_ view: PictureView) throws(EncodingFailure) {
            let sizes = view.planeSizes
            let units = (view.size.width + 15) / 16
            let strides = [16 * units, 8 * units, 8 * units]
            let rows = [16, 8, 8]
            var samples = zip(strides, rows).map { [UInt8](repeating: 0, count: $0 * $1) }
            for top in Swift.stride(from: 0, to: view.size.height, by: 16) {
                for plane in 0..<3 {
                    let (size, first) = (sizes[plane], plane == 0 ? top : top / 2)
                    samples[plane].withUnsafeMutableBufferPointer { samples in
                        for index in 0..<rows[plane] {
                            let start = index * strides[plane]
                            let row = UnsafeMutableBufferPointer(
                                rebasing: samples[start..<start + strides[plane]])
                            view.read(
                                plane: plane, min(first + index, size.height - 1),
                                into: UnsafeMutableBufferPointer(rebasing: row.prefix(size.width)))
                            row.suffix(from: size.width).update(repeating: row[size.width - 1])
                        }
                    }
                }
                try check(
                    samples[0].withUnsafeBufferPointer { luma in
                        samples[1].withUnsafeBufferPointer { blue in
                            samples[2].withUnsafeBufferPointer { red in
                                thimble_jpeg_writer_planes(
                                    writer, [luma.baseAddress, blue.baseAddress, red.baseAddress],
                                    strides)
                            }
                        }
                    })
            }
        }

        private func check(_ status: thimble_jpeg_status) throws(EncodingFailure) {
            guard status != THIMBLE_JPEG_OK else { return }
            let message = String(cString: thimble_jpeg_writer_message(writer))
            throw EncodingFailure(
                reason: status == THIMBLE_JPEG_IO ? String(cString: strerror(errno)) : message)
        }
    }

    extension HeldPicture.Colours {
        fileprivate var ofJPEG: thimble_jpeg_colours {
            switch self {
            case .grey, .greyAlpha: THIMBLE_JPEG_GREY
            case .yCbCr420: THIMBLE_JPEG_YCBCR_420
            case .rgb, .rgba: THIMBLE_JPEG_RGB
            }
        }
    }

    extension UnsafeMutableBufferPointer<UInt8> {
        /// Moves the other samples of all pixels to the front.
        fileprivate func removeLast(ofEach bands: Int) {
            var next = startIndex
            for index in indices where index % bands != bands - 1 {
                self[next] = self[index]
                next += 1
            }
        }
    }
#endif
