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

        package init(
            _ header: AttachmentHeader, _ coding: JPEGXLCoding, in input: DecoderInput
        ) throws(DecodingFault) {
            let isDeep = header.bitsPerSample > 8 || coding.output == .highDynamicRange
            let layout = RowLayout(
                width: header.storedSize.width, height: header.storedSize.height,
                bands: header.storedSamples, bytesPerSample: isDeep ? 2 : 1)
            let (bytes, isTooLarge) = layout.rowBytes.multipliedReportingOverflow(by: layout.height)
            guard !isTooLarge else {
                throw DecodingFault(.limit, at: 0, "no memory holds its picture")
            }
            let file = try FrameMemory(of: input.openFile, in: input.scratch)
            plane = try FrameMemory(
                bytes: bytes, heapLimit: FrameMemory.planesOnHeap, scratch: input.scratch)
            let heap = try input.scratch?.makeHeap(for: header, coding, beside: bytes)
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
    }
#endif
