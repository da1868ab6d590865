import AttachmentContainer
package import AttachmentFormats
package import CJPEGEncoder
import Foundation

/// Quantisation and sampling of a JPEG to write.
struct JPEGOutput {
    let tables: JPEGQuantisation
    /// 1 to 100.
    let quality: Int
    /// True for 4:2:0, the only sampling of pictures held as such; otherwise 4:4:4.
    let halvesChroma: Bool
    /// True if the picture was decoded from a JPEG with the same tables, or with others as coarse.
    ///
    /// Coefficients that are multiples of the same steps are kept by rounding to the nearest.
    let isRepeated: Bool
}

/// Encodes a part of a held picture as baseline JPEG without alpha, to a file at its current
/// offset.
func encodeJPEG(
    _ view: PictureView, _ output: JPEGOutput, to target: WritingTarget
) throws(EncodingFailure) {
    let encoder = try JPEGFileEncoder(view, output, to: target)
    try encoder.encode(view)
}

private final class JPEGFileEncoder {
    private let encoder: OpaquePointer
    private let target: EncodingTarget

    init(
        _ view: PictureView, _ output: JPEGOutput, to target: WritingTarget
    ) throws(EncodingFailure) {
        self.target = EncodingTarget(target)
        var settings = thimble_jpeg_settings(
            output.tables, quality: output.quality, isRepeated: output.isRepeated)
        (settings.width, settings.height) = (CInt(view.size.width), CInt(view.size.height))
        settings.layout = view.picture.colours.layout(halvesChroma: output.halvesChroma)
        guard
            let made = thimble_jpeg_encoder_new(
                &settings, EncodingTarget.write, self.target.context)
        else { throw EncodingFailure(reason: "there is no memory for the encoder of JPEG") }
        encoder = made
    }

    deinit { thimble_jpeg_encoder_free(encoder) }

    func encode(_ view: PictureView) throws(EncodingFailure) {
        if view.picture.colours == .yCbCr420 {
            try encodePlanes(view)
        } else {
            try encodeRows(view)
        }
        try check(thimble_jpeg_encoder_finish(encoder))
    }

    private func encodeRows(_ view: PictureView) throws(EncodingFailure) {
        let colours = view.picture.colours
        var row = [UInt8](repeating: 0, count: view.size.width * colours.bands)
        for y in 0..<view.size.height {
            row.withUnsafeMutableBufferPointer { row in
                view.read(plane: 0, y, into: row)
                if colours.hasAlpha { row.removeLast(ofEach: colours.bands) }
            }
            try check(thimble_jpeg_encoder_row(encoder, row))
        }
    }

    /// Encodes rows of MCUs; columns and rows beyond the picture repeat its last ones.
    private func encodePlanes(_ view: PictureView) throws(EncodingFailure) {
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
                            thimble_jpeg_encoder_planes(
                                encoder, [luma.baseAddress, blue.baseAddress, red.baseAddress],
                                strides)
                        }
                    }
                })
        }
    }

    private func check(_ status: thimble_jpeg_encoder_status) throws(EncodingFailure) {
        guard status != THIMBLE_JPEG_ENCODED else { return }
        throw EncodingFailure(reason: String(cString: strerror(errno)))
    }
}

extension thimble_jpeg_settings {
    /// Settings without the picture's size and layout.
    ///
    /// - Parameters:
    ///   - tables: The family of tables, which chooses the rounding.
    ///   - quality: 1 to 100.
    ///   - isRepeated: True to round to the nearest multiple, see `JPEGOutput`.
    package init(_ tables: JPEGQuantisation, quality: Int, isRepeated: Bool = false) {
        self.init()
        let (luma, chroma) = tables.tables(quality: quality)
        withUnsafeMutableBytes(of: &self.tables) { $0.copyBytes(from: luma + chroma) }
        rounding =
            switch tables {
            case _ where isRepeated: THIMBLE_JPEG_ROUNDING_NEAREST
            case .standard: THIMBLE_JPEG_ROUNDING_NEAREST
            case .perceptual: THIMBLE_JPEG_ROUNDING_SHIFTED
            case .byRate: THIMBLE_JPEG_ROUNDING_BY_RATE
            }
        // 1 up to quality 90, then falling to 0, because quality 100 should lose as little as possible.
        rounding_strength = min(1, Float(100 - quality) / 10)
    }
}

extension HeldPicture.Colours {
    fileprivate func layout(halvesChroma: Bool) -> thimble_jpeg_layout {
        switch self {
        case .grey, .greyAlpha: THIMBLE_JPEG_LAYOUT_GREY
        case .yCbCr420: THIMBLE_JPEG_LAYOUT_YCBCR_420
        case .rgb, .rgba:
            halvesChroma ? THIMBLE_JPEG_LAYOUT_RGB_420 : THIMBLE_JPEG_LAYOUT_RGB_444
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
