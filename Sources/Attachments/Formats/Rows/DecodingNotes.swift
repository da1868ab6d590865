internal import AttachmentContainer

/// Faults of a file that lose no pixel, with their notes for the manifest.
///
/// The page *Faults and warnings* lists them beside those that lose pixels.
package enum HarmlessFault: String, CaseIterable, Sendable {
    /// Adobe segment with an unknown transform, as which libjpeg takes YCbCr or YCCK.
    case adobeTransform = "an unknown Adobe colour transform was ignored"
    case ancillaryChecksum = "chunks with wrong checksums were ignored"
    /// Minimum code size of a GIF beyond 2 to 8 bits (GIF89a, appendix F).
    case codeSize = "a code size outside the specification was accepted"
    /// Tags of a TIFF that libtiff ignores, corrects or computes.
    case directory = "malformed tags were ignored or corrected"
    case jfifVersion = "an unknown version of JFIF was ignored"
    /// EOI, IEND or GIF trailer, after the last pixel.
    case missingEnd = "the file lacks its end marker, but no pixels"
    /// LZW of TIFF writers before 1988, with the bits of its codes reversed.
    case oldLZW = "an outdated variant of LZW was accepted"
    case repeatedComponents =
        "components with the same identifier were told apart by their position"
    case restartOrder = "restart markers were out of order"
    /// Ss, Se, Ah or Al of a sequential scan (T.81, B.2.3).
    case scanParameters = "wrong parameters of a sequential scan were ignored"
    /// End or checksum of the compressed data, after the last row.
    case streamEnd = "the end of the compressed data is damaged, after its last pixel"
    case strayBytes = "stray bytes were skipped"
    /// Pixels of a strip or tile beyond its size.
    case surplusPixels = "surplus pixels of strips or tiles were ignored"
}

extension Set<HarmlessFault> {
    /// Notes for the manifest, in the order of the cases.
    package var texts: [String] { HarmlessFault.allCases.filter(contains).map(\.rawValue) }
}

/// Collects harmless faults while a picture is decoded.
package final class DecodingNotes: Sendable {
    private let found = Lock<Set<HarmlessFault>>([])

    package init() {}

    package func add(_ fault: HarmlessFault) {
        found.withLock { _ = $0.insert(fault) }
    }

    /// Notes for the manifest, in the order of the cases.
    package var texts: [String] { found.withLock(\.texts) }
}
