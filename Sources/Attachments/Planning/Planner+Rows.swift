import AttachmentContainer
import AttachmentModel

extension Planner {
    /// Selects the engine of rows for pictures in grey, RGB, YCbCr and inks.
    ///
    /// libvips converts from inks with alpha, and to profiles other than sRGB.
    func engine(for header: AttachmentHeader) -> Engine {
        guard settings.engine == .automatic, decoders.hasRowEngine, hasRowColours(header),
            rowSource(of: header) != nil
        else { return .libvips }
        return .rows
    }

    private func hasRowColours(_ header: AttachmentHeader) -> Bool {
        // Pictures in inks are always converted to sRGB, from 16 bits too.
        guard header.colourModel != .cmyk else { return !header.hasAlpha }
        return !header.convertsColours || settings.colourSpace == .sRGB
    }

    /// True if the reduced picture of the engine of rows is held in a scratch file.
    ///
    /// There is room for it, for the first attempt at a smaller size, and for the banner; with
    /// presets for two renditions more.
    func rowsUseScratch(_ header: AttachmentHeader, _ sizes: Sizes) -> Bool {
        let pictures = sizes.renditions.isEmpty ? 3 : 5
        return pictures * (header.hasAlpha ? 4 : 3) * sizes.reduced.pixelCount
            <= settings.maximumScratchBytes.bytes
    }

    func rowSource(of header: AttachmentHeader) -> RowSource? {
        let source = header.coding.rowSource(for: header, boundedDecoder(of: header))
        // Means of light take rows of RGB with alpha.
        guard let source, settings.isLinear, header.hasAlpha, source.planes.count > 1 else {
            return source
        }
        return RowSource(header)
    }

    /// Largest divisor of the decoder that leaves enough to the resampler; 1 for linear light, as for
    /// libvips.
    func rowShrink(of header: AttachmentHeader, to target: PixelSize) -> Int {
        guard let source = rowSource(of: header), source.isReducible, !settings.isLinear else {
            return 1
        }
        return [8, 4, 2].first { shrink in
            Double(header.storedSize.width)
                >= Self.finalRowReduction * Double(shrink) * Double(target.width)
        } ?? 1
    }

    /// Reduction for the resampler after the decoder's.
    ///
    /// Below it libjpeg's smaller inverse transforms show: by SSIMULACRA2 a reduction of 1.0 costs up to
    /// 7.5 points, one of 2.33 at most 0.5 (measured with 6 photographs at 8 widths).
    static let finalRowReduction = 2.33
}
