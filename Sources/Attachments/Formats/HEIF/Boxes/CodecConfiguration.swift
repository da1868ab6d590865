import AttachmentModel

struct CodecConfiguration: Equatable {
    let bitsPerSample: Int
    let chromaSubsampling: ChromaSubsampling?

    /// Parses an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1).
    init(hevc record: inout Cursor) throws(HeaderFault) {
        // Version, profile, tier, level, constraints and parallelism.
        try record.skip(16)
        let chroma = try record.uint8() & 3
        bitsPerSample = Int(try record.uint8() & 7) + 8
        chromaSubsampling = ChromaSubsampling(chromaFormat: Int(chroma))
    }

    /// Parses an AV1CodecConfigurationRecord (AV1 in ISOBMFF 1.3, section 2.3).
    init(av1 record: inout Cursor) throws(HeaderFault) {
        // Marker, version, profile and level.
        try record.skip(2)
        let flags = try record.uint8()
        bitsPerSample = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        switch flags >> 2 & 7 {  // Monochrome, subsampling x, subsampling y.
        case 0b000: chromaSubsampling = .yCbCr444
        case 0b010: chromaSubsampling = .yCbCr422
        case 0b011: chromaSubsampling = .yCbCr420
        default: chromaSubsampling = nil
        }
    }
}
