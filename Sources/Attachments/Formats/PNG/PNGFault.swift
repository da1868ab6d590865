/// Faults of a PNG that loses a chunk or pixels, and their losses.
///
/// They are our reader's. libpng reads only what our reader passes on, with checksums of its own, and
/// whole files where libvips decodes without it; there libpng's errors count, and its warnings do not.
package enum PNGFault: String, CaseIterable, Sendable {
    case ancillaryChecksum = "wrong checksum of an ancillary chunk about colours"
    case missingEnd = "IEND missing or cut off"
    case streamEnd = "end or checksum of the compressed data, after the last row"
    case dataEnd = "image data end before the last row"
    case criticalChecksum = "wrong checksum of IHDR or PLTE"
    case dataChecksum = "wrong checksum of IDAT"
    case stream = "compressed data that cannot be inflated"
    case filter = "unknown filter type"

    package var loss: FaultLoss {
        switch self {
        case .ancillaryChecksum: .nothing(.ancillaryChecksum)
        case .missingEnd: .nothing(.missingEnd)
        case .streamEnd: .nothing(.streamEnd)
        case .dataEnd: .rest
        case .criticalChecksum, .dataChecksum, .stream, .filter: .pixels
        }
    }
}
