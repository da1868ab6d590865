/// Parser for the OBUs of a coded AV1 picture (AV1 bitstream specification, 5.3).
struct AV1Bitstream {
    private(set) var frame: FrameHeader?
    private(set) var longestMetadata = 0
    private(set) var hasSequenceHeader = false

    /// Limit on OBUs before the first frame; encoders of stills write two.
    private static let maximumUnitsBeforeFrame = 256

    /// `codedBytes` is the length of the coded item; `read` returns fewer bytes at the end of the
    /// file.
    init<Failure>(
        length: Int, codedBytes: Int, stopsAtFrame: Bool,
        read: (Range<Int>) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        var sequence: AV1SequenceHeader?
        var hasFrame = false
        var (offset, units) = (0, 0)
        while offset < length, !(hasFrame && stopsAtFrame) {
            units += 1
            guard hasFrame || units <= Self.maximumUnitsBeforeFrame else { break }
            let head = try read(offset..<min(length, offset + AV1UnitHeader.longest))
            guard let unit = AV1UnitHeader(head, of: length - offset) else { break }
            let payload = offset + unit.length
            func beginning(_ count: Int) throws(Failure) -> [UInt8] {
                try read(payload..<payload + min(count, unit.payloadLength))
            }
            switch unit.type {
            case AV1UnitHeader.sequence where !hasFrame:
                hasSequenceHeader = true
                sequence = AV1SequenceHeader(try beginning(AV1SequenceHeader.longestPayload))
            case AV1UnitHeader.frame where !hasFrame, AV1UnitHeader.frameHeader where !hasFrame:
                hasFrame = true
                guard let sequence else { break }
                frame = AV1FrameStart(
                    try beginning(AV1FrameStart.longestPayload), of: unit, sequence: sequence
                ).map { FrameHeader($0, sequence, codedBytes: codedBytes) }
            case AV1UnitHeader.metadata:
                longestMetadata = max(longestMetadata, unit.payloadLength)
            default: break
            }
            offset = payload + unit.payloadLength
        }
    }
}

extension FrameHeader {
    fileprivate init(_ start: AV1FrameStart, _ sequence: AV1SequenceHeader, codedBytes: Int) {
        self.init(
            isAV1: true, codedSize: start.size, bitsPerSample: sequence.bitsPerSample,
            chromaSubsampling: sequence.chromaSubsampling, pieces: start.tiles,
            isSegmented: start.isSegmented, blockSide: sequence.hasLargeBlocks ? 128 : 64,
            codedBytes: codedBytes, colours: sequence.colours)
    }
}
