import AttachmentContainer

extension Planner {
    /// What decodes a picture: a decoder of ours where the library would keep the whole picture and
    /// we have one that does not.
    ///
    /// - Parameter header: What the probe learnt.
    /// - Returns: The decoder.
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

    /// Whether a decoder of ours holds so much that memory is no place for it.
    ///
    /// - Parameter header: What the probe learnt.
    /// - Returns: True for frames of HEVC, AV1 and VP8, and for the strips and tiles of TIFF.
    func needsScratch(_ header: AttachmentHeader) -> Bool {
        guard decoder(of: header) == .bounded else { return false }
        return switch header.format {
        case .heic, .avif, .tiff: true
        case .webp: header.coding == .lossy
        case .jpeg, .png, .gif: false
        }
    }

    /// Whether there may be scratch files.
    var hasScratch: Bool { settings.maximumScratchBytes.bytes > 0 }
}
