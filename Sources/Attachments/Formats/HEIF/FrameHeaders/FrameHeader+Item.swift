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
        var sequence: HEVCSequence?
        while sequence == nil, let unit = units.next() {
            guard HEVCUnitHeader(unit)?.type == HEVCUnitHeader.sequenceParameters else { continue }
            sequence = HEVCSequence(unit)
        }
        let picture = try hevcPicture(in: item, lengthBytes: units.lengthSize)
        // A set before the slices replaces the configuration's set.
        guard let sequence = picture.sequence ?? sequence else { return nil }
        return FrameHeader(sequence, slices: picture.slices, codedBytes: item.count)
    }

    /// Counts the slices of the first picture, and reads its first sequence parameter set.
    private static func hevcPicture(
        in item: CodedBytes, lengthBytes: Int
    ) throws(HeaderFault) -> (sequence: HEVCSequence?, slices: Int) {
        var (offset, slices) = (0, 0)
        var unit: Range<Int>?
        for _ in 0..<4 * maximumSlices where offset + lengthBytes + 3 <= item.count {
            let head = try item.read(offset..<offset + lengthBytes + 3)
            let length = head.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
            let start = head.dropFirst(lengthBytes)
            let place = offset + lengthBytes
            offset = place + length
            guard let header = HEVCUnitHeader(start), header.layer == 0 else { continue }
            if unit == nil, slices == 0, header.type == HEVCUnitHeader.sequenceParameters {
                unit = place..<place + min(length, longestConfiguration)
            }
            guard header.isSlice else { continue }
            // first_slice_segment_in_pic_flag marks the next picture of a sequence.
            if slices > 0, let first = start.last, first & 0x80 != 0 { break }
            slices += 1
            guard slices <= maximumSlices else { break }
        }
        let sequence = try unit.flatMap { (unit) throws(HeaderFault) in
            HEVCSequence(try item.read(unit)[...])
        }
        return (sequence, max(slices, 1))
    }

    /// Maximum slice segments of a picture at the highest level (H.265, table A.8).
    static let maximumSlices = 600
}
