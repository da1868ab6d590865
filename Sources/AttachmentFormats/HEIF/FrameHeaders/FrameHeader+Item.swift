internal import AttachmentContainer
internal import AttachmentModel

extension FrameHeader {
    package init(_ sequence: HEVCSequence, slices: Int, codedBytes: Int) {
        self.init(
            isAV1: false,
            codedSize: PixelSize(width: sequence.width, height: sequence.height),
            size: sequence.size,
            bitsPerSample: max(
                sequence.lumaBitDepth, sequence.chromaFormat == 0 ? 0 : sequence.chromaBitDepth),
            chromaSubsampling: ChromaSubsampling(chromaFormat: sequence.chromaFormat),
            pieces: slices, blockSide: sequence.treeBlock, codedBytes: codedBytes)
    }

    /// Reads the header of a coded item; nil if missing, truncated or unusual for stills.
    ///
    /// Decoders then report the invalid bytes. `configuration` and `extents` are file ranges of the
    /// decoder configuration record and of the coded bytes.
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

    /// Limit on the configuration record, in bytes; real ones take a few hundred.
    private static let longestConfiguration = 16 << 10

    private static func hevc(
        _ configuration: Range<Int>, _ item: CodedBytes, of reader: BoundedReader
    ) throws(HeaderFault) -> FrameHeader? {
        guard 23...longestConfiguration ~= configuration.count else { return nil }
        let record = try CodedBytes([configuration], of: reader).read(0..<configuration.count)
        guard let sequence = sequence(in: record) else { return nil }
        let slices = try slices(in: item, lengthBytes: Int(record[21] & 3) + 1)
        return FrameHeader(sequence, slices: slices, codedBytes: item.count)
    }

    /// First valid sequence parameter set of an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15,
    /// 8.3.3.1.2).
    private static func sequence(in record: [UInt8]) -> HEVCSequence? {
        var index = 23
        for _ in 0..<record[22] {
            guard record.count - index >= 3 else { return nil }
            let count = Int(record[index + 1]) << 8 | Int(record[index + 2])
            index += 3
            for _ in 0..<count {
                guard record.count - index >= 2 else { return nil }
                let length = Int(record[index]) << 8 | Int(record[index + 1])
                index += 2
                guard record.count - index >= length else { return nil }
                let unit = record[index..<index + length]
                index += length
                guard HEVCUnitHeader(unit)?.type == HEVCUnitHeader.sequenceParameters,
                    let sequence = HEVCSequence(unit)
                else { continue }
                return sequence
            }
        }
        return nil
    }

    /// Number of slice segments of the first picture, counted up to `maximumSlices` + 1.
    private static func slices(
        in item: CodedBytes, lengthBytes: Int
    ) throws(HeaderFault) -> Int {
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
    package static let maximumSlices = 600
}

/// Coded bytes of an item as one contiguous section.
private struct CodedBytes {
    let count: Int
    private let extents: [Range<Int>]
    private let reader: BoundedReader

    init(_ extents: [Range<Int>], of reader: BoundedReader) {
        self.extents = extents
        self.reader = reader
        count = extents.reduce(0) {
            let (sum, isOver) = $0.addingReportingOverflow($1.count)
            return isOver ? .max : sum
        }
    }

    func read(_ range: Range<Int>) throws(HeaderFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        for extent in extents {
            let (end, isOver) = start.addingReportingOverflow(extent.count)
            let wanted = range.clamped(to: start..<(isOver ? .max : end))
            for offset in wanted where !wanted.isEmpty {
                bytes.append(try reader.byte(at: extent.lowerBound + offset - start))
            }
            if isOver || end >= range.upperBound { break }
            start = end
        }
        return bytes
    }
}
