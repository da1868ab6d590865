package import AttachmentPlanning

/// A walk over the OBUs of a coded AV1 picture (AV1 bitstream specification, 5.3).
package struct AV1Bitstream {
    /// Facts of the first frame; nil where it is missing, invalid or not a key frame.
    package private(set) var frame: FrameHeader?
    /// The length of the longest metadata among the OBUs walked, in bytes.
    package private(set) var longestMetadata = 0

    /// OBUs before the first frame; encoders of stills write two.
    private static let mostUnitsBeforeFrame = 256

    /// Walks over a bitstream.
    ///
    /// - Parameters:
    ///   - length: The length of the bitstream, in bytes.
    ///   - codedBytes: The length of the coded item, in bytes, for `FrameHeader.codedBytes`.
    ///   - stopsAtFrame: Whether nothing behind the header of the first frame is read.
    ///   - read: Reads some bytes within the bitstream; fewer than asked where the file ends.
    /// - Throws: Whatever `read` throws.
    package init<Failure>(
        length: Int, codedBytes: Int, stopsAtFrame: Bool,
        read: (Range<Int>) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        var sequence: AV1SequenceHeader?
        var hasFrame = false
        var (offset, units) = (0, 0)
        while offset < length, !(hasFrame && stopsAtFrame) {
            units += 1
            guard hasFrame || units <= Self.mostUnitsBeforeFrame else { break }
            let head = try read(offset..<min(length, offset + AV1UnitHeader.longest))
            guard let unit = AV1UnitHeader(head, of: length - offset) else { break }
            let payload = offset + unit.length
            func beginning(_ count: Int) throws(Failure) -> [UInt8] {
                try read(payload..<payload + min(count, unit.payloadLength))
            }
            switch unit.type {
            case AV1UnitHeader.sequence where !hasFrame:
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
            codedBytes: codedBytes)
    }
}
