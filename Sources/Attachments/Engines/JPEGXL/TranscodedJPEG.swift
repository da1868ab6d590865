#if SYSTEM_CODECS
    internal import AttachmentContainer
    package import AttachmentFormats
    package import AttachmentModel
    internal import CJXL

    /// The JPEG that a JPEG XL was made from without loss, byte by byte.
    ///
    /// libjxl keeps its coefficients, so no pixel is computed twice.
    package final class TranscodedJPEG: SimplerFile {
        private let bytes: FrameMemory
        private let length: Int
        private var position = 0

        /// Nil if libjxl cannot rebuild the JPEG; the picture may still be whole.
        package init?(
            _ header: AttachmentHeader, _ coding: JPEGXLCoding, in input: DecoderInput,
            _ scratch: ScratchSpace
        ) throws(DecodingFault) {
            let source = try FrameMemory(of: input.openFile, in: scratch)
            let heap = try scratch.makeHeap(for: header, coding, beside: input.openFile.length)
            guard let decoder = JxlDecoderCreate(nil) else { return nil }
            defer {
                JxlDecoderDestroy(decoder)
                // The heap outlives libjxl's blocks.
                withExtendedLifetime((heap, source)) {}
            }
            guard Self.begin(source, input.openFile.length, by: decoder, heap) else { return nil }
            // A JPEG is a fifth longer than its JPEG XL. libjxl writes it anew into each larger buffer.
            var capacity = input.openFile.length * 3 / 2 + 64 << 10
            while true {
                if input.isCancelled() {
                    throw DecodingFault(.cancelled, at: 0, "it was cancelled")
                }
                let buffer = try FrameMemory(
                    bytes: capacity, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
                let start = buffer.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard JxlDecoderSetJPEGBuffer(decoder, start, capacity) == JXL_DEC_SUCCESS else {
                    return nil
                }
                let status = ScratchHeap.placing(in: heap) { JxlDecoderProcessInput(decoder) }
                let unused = JxlDecoderReleaseJPEGBuffer(decoder)
                guard status == JXL_DEC_JPEG_NEED_MORE_OUTPUT else {
                    guard status == JXL_DEC_FULL_IMAGE, unused < capacity else { return nil }
                    (bytes, length) = (buffer, capacity - unused)
                    return
                }
                capacity *= 2
            }
        }

        /// Reads up to the data that rebuild the JPEG; false without any.
        private static func begin(
            _ source: FrameMemory, _ length: Int, by decoder: OpaquePointer, _ heap: ScratchHeap?
        ) -> Bool {
            let events = [JXL_DEC_JPEG_RECONSTRUCTION, JXL_DEC_FULL_IMAGE]
                .reduce(0) { $0 | CInt(bitPattern: UInt32($1.rawValue)) }
            let start = source.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS,
                JxlDecoderSetInput(decoder, start, length) == JXL_DEC_SUCCESS
            else { return false }
            JxlDecoderCloseInput(decoder)
            return ScratchHeap.placing(in: heap) { JxlDecoderProcessInput(decoder) }
                == JXL_DEC_JPEG_RECONSTRUCTION
        }

        package func read(
            into buffer: UnsafeMutableRawBufferPointer
        ) throws(DecodingFault) -> Int {
            let count = min(buffer.count, length - position)
            buffer.copyBytes(from: bytes.bytes[position..<position + count])
            position += count
            return count
        }
    }
#endif
