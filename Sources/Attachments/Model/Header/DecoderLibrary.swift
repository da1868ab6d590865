/// C libraries that decode pixels of formats for which Thimble has no decoder.
package enum DecoderLibrary: String, Sendable, CaseIterable {
    case dav1d
    case libde265
    case libjxl
    case libtiff
    case libwebp
}

/// Decoders and engines that a build contains.
///
/// The package's traits decide: `SystemCodecs` links the libraries of the system on Linux and
/// macOS. `BinaryVips` links libvips as a framework, which ships no headers of the libraries inside
/// it. Without both, only ImageIO decodes.
package struct BuiltInDecoders: Sendable, Hashable {
    /// Libraries behind the bounded decoders.
    package var libraries: Set<DecoderLibrary>
    /// Libraries that libvips decodes with and whose memory can be predicted.
    package var vipsLibraries: Set<DecoderLibrary>
    /// True if the engine of rows is built, which needs libjpeg, libpng and Little CMS.
    package var hasRowEngine: Bool

    package init(
        libraries: Set<DecoderLibrary>, vipsLibraries: Set<DecoderLibrary>, hasRowEngine: Bool
    ) {
        self.libraries = libraries
        self.vipsLibraries = vipsLibraries
        self.hasRowEngine = hasRowEngine
    }

    /// Every decoder: the trait `SystemCodecs`.
    package static let all = BuiltInDecoders(
        libraries: Set(DecoderLibrary.allCases), vipsLibraries: Set(DecoderLibrary.allCases),
        hasRowEngine: true)

    /// The framework's: the trait `BinaryVips`.
    ///
    /// It has no libde265, and libtiff only in some releases. It has dav1d, but libheif allocates by
    /// coded frames and derived items, so its demand cannot be predicted.
    package static let vipsFramework = BuiltInDecoders(
        libraries: [], vipsLibraries: [.libwebp], hasRowEngine: false)

    /// Decoders and engines of this build.
    package static let built: BuiltInDecoders = {
        #if SYSTEM_CODECS
            .all
        #else
            .vipsFramework
        #endif
    }()

    /// True if the bounded decoder of a coding is built.
    package func hasBoundedDecoder(for coding: any PictureCoding) -> Bool {
        coding.decoderLibrary.map(libraries.contains) ?? true
    }

    /// True if any decoder for a coding is built, which for libvips includes its own.
    package func canDecode(_ coding: any PictureCoding) -> Bool {
        hasBoundedDecoder(for: coding)
            || coding.decoderLibrary.map(vipsLibraries.contains) ?? true
    }
}
