internal import AttachmentContainer
package import AttachmentModel

/// Coding of a JPEG XL (ISO/IEC 18181).
///
/// Its decoder is in the module `AttachmentJPEGXL`, which links libjxl; without it, as in
/// `thimble-row-worker`, the picture needs the worker with libvips.
package struct JPEGXLCoding: PictureCoding {
    let structure: JPEGXLStructure

    init(_ structure: JPEGXLStructure) { self.structure = structure }

    package var format: AttachmentFormat { .jpegXL }
    package var name: String {
        structure.transcodedJPEG != nil ? "transcoded JPEG" : structure.frameCoding.rawValue
    }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .rows }
    package var decoderLibrary: DecoderLibrary? { .libjxl }
    package var isDecodedBeforeRows: Bool { true }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        JPEGXLDemand.bytes(of: header, self, conditions)
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { RowSource(ofRows: header, kind) }

    /// Workers do not load libvips' module for JPEG XL, which decodes whole pictures to the heap.
    package var hasLibraryFallback: Bool { false }

    package var rate: DecodingRate {
        // Extra channels are decoded as modular frames.
        let isLossy =
            structure.transcodedJPEG != nil
            || structure.frameCoding == .varDCT && structure.extraChannels.isEmpty
        return isLossy
            ? DecodingRate(pixel: 45, byte: 60, bytesPerPixel: 1)
            : DecodingRate(pixel: 120, byte: 350, bytesPerPixel: 3)
    }

    /// Preferred colours of the decoder's output.
    package enum Output: Sendable {
        /// Decoded to sRGB, whatever the original.
        case sRGB
        /// As stored, in sRGB.
        case stored
        /// As stored, with a profile.
        case profile
        /// As stored, in PQ or HLG.
        case highDynamicRange
    }

    package var output: Output {
        if structure.colours.isHighDynamicRange { return .highDynamicRange }
        if structure.isXYB { return .sRGB }
        return structure.colours.isSRGB ? .stored : .profile
    }

    package var colours: JPEGXLColours { structure.colours }

    /// True if the file is decoded by the JPEG that it was made from.
    package var isDecodedByJPEG: Bool { structure.transcodedJPEG == .baseline }
}

extension BuiltInDecoders {
    /// Decoders of this build that are linked into this program.
    package static let linked: BuiltInDecoders = {
        var linked = built
        let coding: any PictureCoding.Type = JPEGXLCoding.self
        if !(coding is any DecodableCoding.Type) { linked.libraries.remove(.libjxl) }
        return linked
    }()
}
