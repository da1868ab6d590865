#if SYSTEM_CODECS
    internal import AttachmentFormats
    internal import AttachmentModel
    internal import CJXL

    /// One decoding by libjxl, on the calling thread alone.
    final class JPEGXLSession {
        private let decoder: OpaquePointer
        private let heap: ScratchHeap?
        private let file: FrameMemory
        private let length: Int
        private let plane: JPEGXLPlane
        private let layout: RowLayout
        private let isTolerant: Bool
        private let isCancelled: () -> Bool
        private var format: JxlPixelFormat
        private var profile: [UInt8]?

        /// Longest profile, in bytes, as for other formats.
        private static let longestProfile = 4 << 20

        init(
            _ file: FrameMemory, to memory: FrameMemory, _ layout: RowLayout, heap: ScratchHeap?,
            _ input: DecoderInput
        ) throws(DecodingFault) {
            guard let decoder = JxlDecoderCreate(nil) else {
                throw DecodingFault(.unreadable, at: 0, "libjxl cannot be initialised")
            }
            (self.decoder, self.heap, self.file, self.layout) = (decoder, heap, file, layout)
            length = input.openFile.length
            (isTolerant, isCancelled) = (input.isTolerant, input.isCancelled)
            plane = JPEGXLPlane(memory, layout)
            format = JxlPixelFormat(
                num_channels: UInt32(layout.bands),
                data_type: layout.bytesPerSample == 2 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                endianness: JXL_NATIVE_ENDIAN, align: 0)
            let events = [
                JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE,
            ].reduce(0) { $0 | CInt(bitPattern: UInt32($1.rawValue)) }
            try check(JxlDecoderSubscribeEvents(decoder, events))
            // Oriented after the reduction, as all formats are.
            try check(JxlDecoderSetKeepOrientation(decoder, JXL_TRUE))
            try check(JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE))
        }

        deinit { JxlDecoderDestroy(decoder) }

        /// Decodes the first frame and returns the profile of its samples, if it needs one.
        func decode(
            _ output: JPEGXLCoding.Output
        ) throws(DecodingFault) -> [UInt8]? {
            // Short pieces allow cancellation, and let scratch files be written meanwhile.
            let piece = min(max(length / 64, 1 << 10), 64 << 10)
            var given = min(piece, length)
            try give(0..<given)
            while true {
                if isCancelled() { throw DecodingFault(.cancelled, at: 0, "it was cancelled") }
                let status = ScratchHeap.placing(in: heap) { JxlDecoderProcessInput(decoder) }
                switch status {
                case JXL_DEC_NEED_MORE_INPUT:
                    let start = given - JxlDecoderReleaseInput(decoder)
                    guard given < length else {
                        try keepIntactPart()
                        return profile
                    }
                    given = min(given + piece, length)
                    try give(start..<given)
                case JXL_DEC_BASIC_INFO: try checkInfo()
                case JXL_DEC_COLOR_ENCODING: try readColours(output)
                case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                    try check(
                        JxlDecoderSetImageOutCallback(
                            decoder, &format,
                            { plane, x, y, count, pixels in
                                guard let plane, let pixels else { return }
                                Unmanaged<JPEGXLPlane>.fromOpaque(plane).takeUnretainedValue()
                                    .take(x, y, count, pixels)
                            }, Unmanaged.passUnretained(plane).toOpaque()))
                case JXL_DEC_FULL_IMAGE: return profile
                default: throw corrupt
                }
            }
        }

        private func give(_ range: Range<Int>) throws(DecodingFault) {
            let start = file.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try check(JxlDecoderSetInput(decoder, start.map { $0 + range.lowerBound }, range.count))
        }

        /// Keeps what a file that ends early has of its first frame.
        private func keepIntactPart() throws(DecodingFault) {
            guard isTolerant,
                ScratchHeap.placing(in: heap, { JxlDecoderFlushImage(decoder) }) == JXL_DEC_SUCCESS
            else {
                throw DecodingFault(.truncated, at: length, "the file ends within its frame")
            }
        }

        /// Checks that libjxl reads the header as the probe did, by which the memory was planned.
        private func checkInfo() throws(DecodingFault) {
            var info = JxlBasicInfo()
            try check(JxlDecoderGetBasicInfo(decoder, &info))
            let bands = info.num_color_channels + (info.alpha_bits > 0 ? 1 : 0)
            guard Int(info.xsize) == layout.width, Int(info.ysize) == layout.height,
                Int(bands) == layout.bands
            else { throw corrupt }
        }

        private func readColours(_ output: JPEGXLCoding.Output) throws(DecodingFault) {
            switch output {
            case .sRGB:
                var colours = JxlColorEncoding()
                colours.color_space = layout.bands < 3 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
                colours.white_point = JXL_WHITE_POINT_D65
                colours.primaries = JXL_PRIMARIES_SRGB
                colours.transfer_function = JXL_TRANSFER_FUNCTION_SRGB
                colours.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
                try check(JxlDecoderSetPreferredColorProfile(decoder, &colours))
            case .profile: try readProfile()
            case .stored, .highDynamicRange: break
            }
        }

        private func readProfile() throws(DecodingFault) {
            var size = 0
            let target = JXL_COLOR_PROFILE_TARGET_DATA
            guard
                thimble_jxl_profile_size(decoder, target, &size) == JXL_DEC_SUCCESS,
                size <= Self.longestProfile
            else { return }
            var bytes = [UInt8](repeating: 0, count: size)
            guard thimble_jxl_profile(decoder, target, &bytes, size) == JXL_DEC_SUCCESS else {
                return
            }
            profile = bytes
        }

        private func check(_ status: JxlDecoderStatus) throws(DecodingFault) {
            guard status == JXL_DEC_SUCCESS else { throw corrupt }
        }

        private var corrupt: DecodingFault {
            DecodingFault(.corrupt, at: 0, "libjxl reports an error")
        }
    }

    /// The picture that libjxl writes to, row by row in any order.
    final class JPEGXLPlane {
        private let memory: FrameMemory
        private let layout: RowLayout

        init(_ memory: FrameMemory, _ layout: RowLayout) {
            (self.memory, self.layout) = (memory, layout)
        }

        func take(_ x: Int, _ y: Int, _ count: Int, _ pixels: UnsafeRawPointer) {
            precondition(
                x >= 0 && count >= 0 && x <= layout.width - count && y >= 0 && y < layout.height,
                "libjxl writes outside of its picture")
            let pixelBytes = layout.bands * layout.bytesPerSample
            let start = y * layout.rowBytes + x * pixelBytes
            let length = count * pixelBytes
            memory.bytes[start..<start + length].copyBytes(
                from: UnsafeRawBufferPointer(start: pixels, count: length))
            memory.mapping?.startWritingOut(after: length)
        }
    }
#endif
