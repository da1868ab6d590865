internal import AttachmentContainer
internal import AttachmentModel

extension FrameHeader {
    init(_ sequence: HEVCSequence, slices: Int, codedBytes: Int) {
        self.init(
            isAV1: false,
            codedSize: PixelSize(width: sequence.width, height: sequence.height),
            croppedSize: sequence.size,
            bitsPerSample: max(
                sequence.lumaBitDepth, sequence.chroma == nil ? 0 : sequence.chromaBitDepth),
            chromaSubsampling: sequence.chroma,
            pieces: slices, heldPictures: sequence.heldPictures, blockSide: sequence.treeBlock,
            codedBytes: codedBytes)
    }

    /// Reads the header of a coded item; nil if missing, truncated or unusual for stills.
    ///
    /// Decoders then report the invalid bytes.
    static func read(
        isAV1: Bool, configuration: Range<Int>, extents: [Range<Int>], of reader: BoundedReader
    ) throws(HeaderFault) -> FrameHeader? {
        let item = CodedBytes(extents, of: reader)
        do throws(HeaderFault) {
            guard isAV1 else { return try hevc(configuration, item, of: reader) }
            // The configuration's OBUs precede the item's.
            let stream = CodedBytes([configuration.dropFirst(4)] + extents, of: reader)
            return try AV1Bitstream(
                length: stream.count, codedBytes: item.count, stopsAtFrame: true
            ) { (range: Range<Int>) throws(HeaderFault) in try stream.read(range) }.frame
        } catch .truncated {
            return nil
        }
    }

    /// Limit on a decoder configuration record, in bytes; real ones take a few hundred.
    static let longestConfiguration = 16 << 10

    private static func hevc(
        _ configuration: Range<Int>, _ item: CodedBytes, of reader: BoundedReader
    ) throws(HeaderFault) -> FrameHeader? {
        guard 23...longestConfiguration ~= configuration.count else { return nil }
        let record = try CodedBytes([configuration], of: reader).read(0..<configuration.count)
        var units = HEVCConfiguration(record)
        while let unit = units.next() {
            guard HEVCUnitHeader(unit)?.type == HEVCUnitHeader.sequenceParameters,
                let sequence = HEVCSequence(unit)
            else { continue }
            let slices = try slices(in: item, lengthBytes: units.lengthSize)
            return FrameHeader(sequence, slices: slices, codedBytes: item.count)
        }
        return nil
    }

    private static func slices(in item: CodedBytes, lengthBytes: Int) throws(HeaderFault) -> Int {
        var (offset, slices) = (0, 0)
        for _ in 0..<4 * maximumSlices where offset + lengthBytes + 3 <= item.count {
            let head = try item.read(offset..<offset + lengthBytes + 3)
            let length = head.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
            let unit = head.dropFirst(lengthBytes)
            offset += lengthBytes + length
            guard let header = HEVCUnitHeader(unit), header.layer == 0, header.isSlice else {
                continue
            }
            // first_slice_segment_in_pic_flag marks the next picture of a sequence.
            if slices > 0, let first = unit.last, first & 0x80 != 0 { break }
            slices += 1
            guard slices <= maximumSlices else { break }
        }
        return max(slices, 1)
    }

    /// Maximum slice segments of a picture at the highest level (H.265, table A.8).
    static let maximumSlices = 600
}
