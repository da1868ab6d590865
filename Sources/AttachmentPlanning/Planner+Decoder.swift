import AttachmentContainer

extension Planner {
    /// Selects a bounded decoder if one exists and the library would hold the whole picture.
    func decoder(of header: AttachmentHeader) -> Plan.Decoder {
        guard settings.decoder == .automatic else { return .library }
        return switch (header.format, header.coding) {
        case (.jpeg, .progressive), (.jpeg, .nonInterleaved):
            header.bitsPerSample == 8 ? .bounded : .library
        case (.png, .interlaced), (.gif, _): .bounded
        case (.webp, .lossless): header.isAnimated ? .library : .bounded
        case (.webp, _): header.isAnimated || !hasScratch ? .library : .bounded
        case (.heic, _), (.avif, _), (.tiff, _): hasScratch ? .bounded : .library
        case (.jpeg, _), (.png, _): .library
        }
    }

    /// True if the bounded decoder needs scratch space for HEVC, AV1, VP8 or TIFF data.
    func needsScratch(_ header: AttachmentHeader) -> Bool {
        guard decoder(of: header) == .bounded else { return false }
        return switch header.format {
        case .heic, .avif, .tiff: true
        case .webp: header.coding == .lossy
        case .jpeg, .png, .gif: false
        }
    }

    var hasScratch: Bool { settings.maximumScratchBytes.bytes > 0 }
}
