#if SYSTEM_CODECS
    internal import AttachmentContainer
    import CDav1d
    import Foundation

    /// With one thread and a delay of one frame, dav1d holds no more than the picture.
    final class AV1Session: FrameSession {
        /// Limit on the metadata, in bytes: many times the size of light levels and HDR10+.
        private static let largestMetadata = 64 << 10

        private let frame: CodedFrame
        private let decoder: FrameDecoder
        private let allocator: AV1FrameAllocator
        /// Memory for dav1d's block data; nil for the C heap.
        private let heap: ScratchHeap?
        /// Owned by `self`; every callback comes from within a call to it.
        private var context: OpaquePointer?
        private let isSequence: Bool
        private var hasBegun = false
        /// dav1d recovers by itself.
        let isIntact = true

        /// A session of a sequence decodes frames in order, which refer to earlier ones.
        init(
            _ frame: CodedFrame, _ decoder: FrameDecoder, isSequence: Bool = false
        ) throws(DecodingFault) {
            self.isSequence = isSequence
            self.frame = frame
            self.decoder = decoder
            allocator = AV1FrameAllocator(for: frame, scratch: decoder.scratch)
            var settings = Dav1dSettings()
            dav1d_default_settings(&settings)
            settings.n_threads = 1
            settings.max_frame_delay = 1
            settings.apply_grain = 1
            settings.operating_point = 0
            settings.all_layers = 0
            settings.frame_size_limit = UInt32(clamping: frame.width * frame.height)
            settings.logger.callback = nil
            settings.allocator = allocator.functions
            heap =
                isSequence
                ? try decoder.scratch.makeHeap(forSequenceWithin: decoder.heapCeiling)
                : try decoder.scratch.makeHeap(
                    forBlockDataOf: FrameHeader(
                        isAV1: true, codedSize: frame.size, pieces: 2, codedBytes: frame.codedBytes),
                    atMost: FrameHeader(
                        isAV1: true, codedSize: frame.size, bitsPerSample: 12,
                        chromaSubsampling: .yCbCr444,
                        pieces: 64, isSegmented: true, codedBytes: frame.codedBytes),
                    ceiling: decoder.heapCeiling)
            guard ScratchHeap.placing(in: heap, { dav1d_open(&context, &settings) }) == 0 else {
                throw frame.fault(.unreadable, "dav1d cannot be initialised")
            }
        }

        deinit {
            // Releases the frames, which needs the allocator.
            dav1d_close(&context)
            withExtendedLifetime(allocator) {}
        }

        func decode(_ bytes: consuming ExtentReader) throws(DecodingFault) -> DecodedFrame {
            // An AV1CodecConfigurationRecord (AV1 in ISOBMFF 1.3, section 2.3.3): its OBUs come first.
            guard frame.configuration.count >= 4, frame.configuration[0] == 0x81 else {
                throw frame.fault(.corrupt, "its AV1 configuration is malformed")
            }
            let first = hasBegun ? [] : frame.configuration[4...]
            let units = try FrameMemory(
                bytes: first.count + bytes.remaining, heapLimit: FrameMemory.codedOnHeap,
                scratch: decoder.scratch)
            let (start, count) = try fill(units, first, &bytes)
            try check(UnsafeRawBufferPointer(start: start, count: count))
            hasBegun = isSequence
            var data = Dav1dData()
            // dav1d holds a reference to the bytes until it has decoded them.
            let owner = Unmanaged.passRetained(units).toOpaque()
            guard
                dav1d_data_wrap(
                    &data, start, count,
                    { _, owner in
                        if let owner { Unmanaged<FrameMemory>.fromOpaque(owner).release() }
                    }, owner) == 0
            else {
                Unmanaged<FrameMemory>.fromOpaque(owner).release()
                throw corrupt
            }
            defer { dav1d_data_unref(&data) }
            var picture = Dav1dPicture()
            try next(&picture, &data)
            defer { dav1d_picture_unref(&picture) }
            if isSequence { dropFurtherPictures() }
            return try allocator.frame(of: picture)
        }

        private func fill(
            _ memory: FrameMemory, _ configuration: ArraySlice<UInt8>, _ bytes: inout ExtentReader
        ) throws(DecodingFault) -> (UnsafePointer<UInt8>, Int) {
            let all = memory.bytes
            all.copyBytes(from: configuration)
            let rest = UnsafeMutableRawBufferPointer(rebasing: all[configuration.count...])
            let count = configuration.count + (try bytes.read(into: rest))
            guard count > 0, let start = all.baseAddress else {
                throw frame.fault(.truncated, "it has no coded bytes")
            }
            return (UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count)
        }

        private func check(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
            let stream = AV1Bitstream(
                length: bytes.count, codedBytes: frame.codedBytes, stopsAtFrame: false
            ) { Array(bytes[$0]) }
            // dav1d copies some of the metadata.
            guard stream.longestMetadata <= Self.largestMetadata else {
                throw frame.fault(.limit, "its AV1 metadata are too long")
            }
            // Later frames refer to the first one's sequence header.
            guard !hasBegun || stream.frame != nil || stream.hasSequenceHeader else { return }
            guard let header = stream.frame else {
                throw frame.fault(.corrupt, "its first frame is malformed, or not a key frame")
            }
            guard header.size == frame.size else {
                throw frame.fault(
                    .corrupt, "it has \(header.size) pixels, not \(frame.width)x\(frame.height)")
            }
            try FrameDemand.check(
                header, isSequence: isSequence, ceiling: decoder.heapCeiling, at: frame.offset)
        }

        private func next(
            _ picture: inout Dav1dPicture, _ data: inout Dav1dData
        ) throws(DecodingFault) {
            while true {
                let before = data.sz
                if before > 0 {
                    let sent = ScratchHeap.placing(in: heap) { dav1d_send_data(context, &data) }
                    guard sent == 0 || sent == -EAGAIN else { throw corrupt }
                }
                let got = ScratchHeap.placing(in: heap) { dav1d_get_picture(context, &picture) }
                if got == 0 { return }
                // No input consumed and no picture returned: none will follow.
                guard got == -EAGAIN, data.sz < before else { throw corrupt }
            }
        }

        /// A sample has one shown picture (AV1 in ISOBMFF 1.3, section 2.4); others are dropped.
        private func dropFurtherPictures() {
            var picture = Dav1dPicture()
            while ScratchHeap.placing(in: heap, { dav1d_get_picture(context, &picture) }) == 0 {
                dav1d_picture_unref(&picture)
            }
        }

        private var corrupt: DecodingFault {
            allocator.fault ?? frame.fault(.corrupt, "its AV1 bitstream gives no picture")
        }
    }
#endif
