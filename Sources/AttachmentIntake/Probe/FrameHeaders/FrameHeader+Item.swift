internal import AttachmentContainer
package import AttachmentPlanning

extension FrameHeader {
    /// Takes the facts of a sequence parameter set.
    ///
    /// - Parameters:
    ///   - sequence: The sequence parameter set of the picture.
    ///   - slices: The number of slice segments.
    ///   - codedBytes: The length of the coded picture, in bytes.
    package init(_ sequence: HEVCSequence, slices: Int, codedBytes: Int) {
        self.init(
            isAV1: false,
            codedSize: PixelSize(width: sequence.width, height: sequence.height),
            size: sequence.size,
            bitsPerSample: max(
                sequence.lumaBitDepth, sequence.chromaFormat == 0 ? 0 : sequence.chromaBitDepth),
            chromaSubsampling: [nil, "4:2:0", "4:2:2", "4:4:4"][sequence.chromaFormat],
            pieces: slices, blockSide: sequence.treeBlock, codedBytes: codedBytes)
    }

    /// Reads the header of a coded item; nil where it is missing, cut off, or not as in stills.
    ///
    /// Decoders report such frames by the bytes that are wrong with them.
    ///
    /// - Parameters:
    ///   - isAV1: Whether the item is coded with AV1; otherwise with HEVC.
    ///   - configuration: Where the decoder configuration record lies in the file.
    ///   - extents: Where the coded bytes lie in the file, in order.
    ///   - reader: The file.
    /// - Returns: The header.
    /// - Throws: `overBudget`, `unreadable`.
    static func read(
        isAV1: Bool, configuration: Range<Int>, extents: [Range<Int>], of reader: BoundedReader
    ) throws(HeaderFault) -> FrameHeader? {
        let item = CodedBytes(extents, of: reader)
        do throws(HeaderFault) {
            guard isAV1 else { return try hevc(configuration, item, of: reader) }
            // OBUs of the configuration precede those of the item.
            let stream = CodedBytes([configuration.dropFirst(4)] + extents, of: reader)
            return try AV1Bitstream(
                length: stream.count, codedBytes: item.count, stopsAtFrame: true
            ) { (range: Range<Int>) throws(HeaderFault) in try stream.read(range) }.frame
        } catch .truncated {
            return nil
        }
    }

    /// The longest configuration record that is read, in bytes; real ones take a few hundred.
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

    /// The first valid sequence parameter set of an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15,
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

    /// Counts the slice segments of the first picture, up to `mostSlices` and one.
    private static func slices(
        in item: CodedBytes, lengthBytes: Int
    ) throws(HeaderFault) -> Int {
        var (offset, slices) = (0, 0)
        for _ in 0..<4 * mostSlices where offset + lengthBytes + 3 <= item.count {
            let head = try item.read(offset..<offset + lengthBytes + 3)
            let length = head.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
            let unit = head.dropFirst(lengthBytes)
            offset += lengthBytes + length
            guard let header = HEVCUnitHeader(unit), header.layer == 0, header.isSlice else {
                continue
            }
            // first_slice_segment_in_pic_flag begins the next picture of a sequence.
            if slices > 0, let first = unit.last, first & 0x80 != 0 { break }
            slices += 1
            guard slices <= mostSlices else { break }
        }
        return max(slices, 1)
    }

    /// The most slice segments of a picture at the highest level (H.265, table A.8).
    package static let mostSlices = 600
}

/// The coded bytes of an item as one stretch, wherever they lie in the file.
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

    /// Reads some of the bytes.
    ///
    /// - Parameter range: Which; within `count`.
    /// - Returns: The bytes.
    /// - Throws: `truncated` past the end of the file, `overBudget`, `unreadable`.
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
