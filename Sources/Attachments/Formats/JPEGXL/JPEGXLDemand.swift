internal import AttachmentContainer
package import AttachmentModel

/// Memory of libjxl, which holds frames whole, as 32-bit numbers.
///
/// Frames after the first one count as no larger than it. Larger ones get more room in scratch files; if
/// that does not suffice either, the file is refused while libjxl allocates (`ScratchHeap`). Measured with
/// libjxl 0.7 from 1 to 12 megapixels (`bench/README.md`, "JPEG XL"). The frame at 1:8 takes as much:
/// libjxl allocates every plane at full size before it decodes any.
package enum JPEGXLDemand {
    /// Upper bound on the peak heap; large blocks lie in scratch files if these are used.
    package static func bytes(
        of header: AttachmentHeader, _ coding: JPEGXLCoding, _ conditions: DecodingConditions
    ) -> Double {
        // libjpeg follows libjxl and has 16 rows of three components, and as many upsampled ones.
        let jpeg =
            coding.isDecodedByJPEG
            ? JPEGCoding.libraryTables + 2 * 16 * 3 * Double(header.storedSize.width) : 0
        let kept = max(smallBlocks, jpeg) + 4 * Double(header.profileBytes)
        guard conditions.usesScratch else {
            // Large blocks are placed in a scratch file too.
            return kept + frame(of: header, coding) + plane(of: header)
                + Double(header.fileBytes.bytes)
        }
        return kept + (conditions.placesLargeBlocks ? 0 : frame(of: header, coding))
    }

    /// Upper bound on libjxl's large blocks.
    package static func frame(of header: AttachmentHeader, _ coding: JPEGXLCoding) -> Double {
        let structure = coding.structure
        let extra = Double(structure.extraChannels.count)
        let isLossy = structure.transcodedJPEG != nil || structure.frameCoding == .varDCT
        let pixel =
            structure.isAnimated || !isLossy
            ? max(Modular.pixel, VarDCT.pixel) + extra * max(Modular.extra, VarDCT.extra)
            : VarDCT.pixel + extra * VarDCT.extra
        // A frame of another size is held beside the picture that it is drawn on.
        let pixels = pixels(of: header.storedSize) + (structure.firstFrame?.size.map(pixels) ?? 0)
        return fixed + pixels * pixel + Double(header.fileBytes.bytes)
    }

    /// Rows and columns are padded to whole blocks.
    private static func pixels(of size: PixelSize) -> Double {
        (Double(size.width) + 64) * (Double(size.height) + 64)
    }

    /// The decoded picture.
    static func plane(of header: AttachmentHeader) -> Double {
        Double(header.storedSize.pixelCount * header.storedSamples) * header.decodedSampleBytes
    }

    /// Blocks of less than 32 KiB, twice the 680 KiB measured.
    private static let smallBlocks = 1_400_000.0
    /// Tables and buffers for groups of 256 × 256 pixels.
    private static let fixed = 20_000_000.0

    /// Bytes per pixel, with a margin of a fifth.
    private enum VarDCT {
        static let pixel = 20.0
        static let extra = 60.0
    }

    private enum Modular {
        static let pixel = 42.0
        static let extra = 20.0
    }
}
