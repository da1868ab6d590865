#if SYSTEM_CODECS
    internal import AttachmentContainer
    package import AttachmentFormats
    package import AttachmentModel

    /// Rows of the first frame of a JPEG XL, as stored, with straight alpha.
    ///
    /// libjxl decodes the whole frame, in scratch files if there are any.
    package final class JPEGXLRows: DecodedRows {
        package let layout: RowLayout
        package let profile: [UInt8]?
        /// PQ or HLG; other colours are in sRGB, or have a profile.
        package let tags: ColourTags?
        private let plane: FrameMemory
        private var next = 0

        /// Scratch file for frames after the first one, whose sizes are not read before, in bytes.
        private static let roomForLaterFrames = 64_000_000.0

        package init(
            _ header: AttachmentHeader, _ coding: JPEGXLCoding, in input: DecoderInput
        ) throws(DecodingFault) {
            let isDeep = header.bitsPerSample > 8 || coding.output == .highDynamicRange
            let layout = RowLayout(
                width: header.storedSize.width, height: header.storedSize.height,
                bands: header.storedSamples, bytesPerSample: isDeep ? 2 : 1)
            let (bytes, isTooLarge) = layout.rowBytes.multipliedReportingOverflow(by: layout.height)
            let blocks = JPEGXLDemand.frame(of: header, coding)
            let needed = Double(layout.rowBytes) * Double(layout.height) + blocks
            if let scratch = input.scratch, isTooLarge || needed > Double(scratch.ceiling) {
                throw DecodingFault(
                    .scratchLimit, at: 0,
                    "its frame takes \(ByteCount(Int(min(needed, 1e15)))), and they may take "
                        + "\(ByteCount(scratch.ceiling))")
            }
            let file = try Self.read(input.openFile, in: input.scratch)
            plane = try FrameMemory(
                bytes: bytes, heapLimit: FrameMemory.planesOnHeap, scratch: input.scratch)
            let room = input.scratch.map { Double($0.ceiling - $0.liveBytes) } ?? 0
            let heap = try input.scratch?.makeHeap(
                bytes: Int(max(blocks, min(blocks + Self.roomForLaterFrames, room))),
                isConfined: true)
            let session = try JPEGXLSession(file, to: plane, layout, heap: heap, input)
            profile = try session.decode(coding.output)
            tags = coding.output == .highDynamicRange ? coding.colours.tags : nil
            self.layout = layout
        }

        package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
            guard next < layout.height else {
                throw DecodingFault(.truncated, at: 0, "the picture has no more rows")
            }
            precondition(row.count == layout.rowBytes, "a row of another size")
            let start = next * layout.rowBytes
            row.copyMemory(
                from: UnsafeRawBufferPointer(
                    rebasing: plane.bytes[start..<start + layout.rowBytes]))
            next += 1
        }

        /// Reads the file, because libjxl needs bytes that it has not consumed again.
        private static func read(
            _ file: OpenFile, in scratch: ScratchSpace?
        ) throws(DecodingFault) -> FrameMemory {
            let memory = try FrameMemory(
                bytes: file.length, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
            var count = 0
            while count < file.length {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: memory.bytes[count..<min(file.length, count + 256 << 10)])
                let taken: Int
                do throws(OpenFile.ReadFailure) {
                    taken = try file.read(into: rest, at: count)
                } catch {
                    throw DecodingFault(.unreadable, at: count, error.reason)
                }
                guard taken > 0 else {
                    throw DecodingFault(.truncated, at: count, "the file was shortened")
                }
                count += taken
                memory.mapping?.startWritingOut(after: taken)
            }
            return memory
        }
    }
#endif
