#if SYSTEM_CODECS
    import CDe265

    /// With sample adaptive offset, libde265 keeps the picture and the filter's copy of it on the heap.
    ///
    /// Two workarounds avoid that: the filter is disabled until the frame is allocated, and with a
    /// worker thread the copy comes from the same allocator.
    final class HEVCSession: FrameSession {
        private let frame: CodedFrame
        private let decoder: FrameDecoder
        private let lengthSize: Int
        private var sets = HEVCParameterSets()
        private let allocator: HEVCFrameAllocator
        /// Owned by `self`; every callback comes from within a call to it.
        private let context: UnsafeMutableRawPointer
        private var staging: FrameMemory?
        /// Memory for libde265's block data and copies of coded bytes; nil for the C heap.
        private let heap: ScratchHeap?
        private var selection: HEVCParameterSets.Selection?
        /// Picture parameter sets that libde265 has.
        private var pictureSets: Set<Int> = []
        /// Slices of the current picture.
        private var slices = 0
        private let isSequence: Bool
        private var references = HEVCReferences()
        private(set) var isIntact = true
        private var isAtEndOfSequence = false

        /// A session of a sequence decodes frames in order, which refer to earlier ones.
        init(
            _ frame: CodedFrame, _ decoder: FrameDecoder, isSequence: Bool = false
        ) throws(DecodingFault) {
            self.isSequence = isSequence
            guard frame.configuration.count >= 23 else {
                throw frame.fault(.corrupt, "its HEVC configuration is too short")
            }
            var configuration = HEVCConfiguration(frame.configuration)
            while let unit = configuration.next() {
                guard sets.store(unit) else {
                    throw frame.fault(.limit, "its HEVC parameter sets are too long")
                }
            }
            guard !configuration.isTruncated else {
                throw frame.fault(.corrupt, "its HEVC configuration ends within a parameter set")
            }
            heap =
                isSequence
                ? try decoder.scratch.makeHeap(forSequenceWithin: decoder.heapCeiling)
                : try decoder.scratch.makeHeap(
                    forBlockDataOf: FrameHeader(
                        isAV1: false, codedSize: frame.size, pieces: 4,
                        codedBytes: frame.codedBytes),
                    atMost: FrameHeader(
                        isAV1: false, codedSize: frame.size, bitsPerSample: 16, pieces: 64,
                        blockSide: 16,
                        codedBytes: frame.codedBytes),
                    ceiling: decoder.heapCeiling)
            guard let context = de265_new_decoder() else {
                throw frame.fault(.unreadable, "libde265 cannot be initialised")
            }
            self.frame = frame
            self.decoder = decoder
            self.context = context
            lengthSize = configuration.lengthSize
            allocator = HEVCFrameAllocator(for: frame, scratch: decoder.scratch)
            allocator.install(in: context)
        }

        deinit {
            // Releases the frames, which needs the allocator.
            de265_free_decoder(context)
            withExtendedLifetime(allocator) {}
        }

        func decode(_ bytes: consuming ExtentReader) throws(DecodingFault) -> DecodedFrame {
            let coded = bytes.remaining
            slices = 0
            while try pushUnit(of: &bytes, coded: coded) {
                guard !decoder.isCancelled() else {
                    throw DecodingFault(.cancelled, at: bytes.offset, "it was cancelled")
                }
            }
            guard slices > 0 else { throw frame.fault(.truncated, "it has no slice") }
            if isSequence {
                de265_push_end_of_frame(context)
            } else {
                guard de265_flush_data(context) == DE265_OK else { throw corrupt }
            }
            try run()
            guard let image = de265_peek_next_picture(context) else { throw corrupt }
            let decoded = try allocator.frame(of: image)
            if isSequence {
                // libde265 keeps the picture while others refer to it.
                de265_release_next_picture(context)
                isIntact = !isAtEndOfSequence
            }
            return decoded
        }

        /// False after the last.
        private func pushUnit(of bytes: inout ExtentReader, coded: Int) throws(DecodingFault)
            -> Bool
        {
            let offset = bytes.offset
            guard bytes.remaining > lengthSize else {
                // libde265 does not report missing slices: a picture that ends between two slices is
                // returned as it is.
                guard bytes.remaining == 0 || decoder.isTolerant else {
                    throw DecodingFault(.truncated, at: offset, "it ends before a NAL unit")
                }
                return false
            }
            var length = 0
            for byte in try read(lengthSize, of: &bytes) { length = length << 8 | Int(byte) }
            if length > bytes.remaining {
                guard decoder.isTolerant else {
                    throw DecodingFault(
                        .truncated, at: offset, "a NAL unit is longer than what is left of it")
                }
                length = bytes.remaining
            }
            // Long units are slices; the others are not kept.
            let unit = try read(length, of: &bytes)
            let start = Array(unit.prefix(HEVCSliceStart.length))
            guard let header = HEVCUnitHeader(start[...]), header.layer == 0 else { return true }
            guard header.isSlice else {
                if slices == 0 {
                    try storeParameterSet(unit, header, at: offset)
                } else if [HEVCUnitHeader.endOfSequence, HEVCUnitHeader.endOfBitstream]
                    .contains(header.type)
                {
                    isAtEndOfSequence = true
                }
                return true
            }
            guard let slice = HEVCSliceStart(start[...], header: header) else { return true }
            if slices == 0 {
                try begin(slice, at: offset, coded: coded)
            } else if slice.isFirst {
                // The next picture of a sequence.
                return false
            }
            slices += 1
            try checkHeap(at: offset, coded: coded)
            guard push(unit) else { throw corrupt }
            try run()
            return true
        }

        private func storeParameterSet(
            _ unit: UnsafeRawBufferPointer, _ header: HEVCUnitHeader, at offset: Int
        ) throws(DecodingFault) {
            guard
                HEVCUnitHeader.videoParameters...HEVCUnitHeader.pictureParameters ~= header.type,
                unit.count <= HEVCParameterSets.ceiling
            else { return }
            let bytes = Array(unit)
            if selection != nil {
                guard !sets.replacesAnother(bytes[...]) else {
                    throw DecodingFault(
                        .unsupported, at: offset, "its HEVC parameter sets change")
                }
            }
            guard sets.store(bytes[...]) else {
                throw DecodingFault(.limit, at: offset, "its HEVC parameter sets are too long")
            }
        }

        /// Reads `count` bytes, valid until the next call; at least as many must remain.
        private func read(
            _ count: Int, of bytes: inout ExtentReader
        ) throws(DecodingFault) -> UnsafeRawBufferPointer {
            if staging.map({ $0.bytes.count < count }) ?? true {
                staging = nil
                staging = try FrameMemory(
                    bytes: max(count, 4096), heapLimit: FrameMemory.codedOnHeap,
                    scratch: decoder.scratch)
            }
            guard let staging else { return UnsafeRawBufferPointer(start: nil, count: 0) }
            let piece = UnsafeMutableRawBufferPointer(rebasing: staging.bytes[..<count])
            guard try bytes.read(into: piece) == count else {
                throw DecodingFault(.truncated, at: bytes.offset, "the file was shortened")
            }
            return UnsafeRawBufferPointer(piece)
        }

        private func checkHeap(at offset: Int, coded: Int) throws(DecodingFault) {
            // H.265, table A.8: limit of the highest level.
            guard slices <= FrameHeader.maximumSlices else {
                throw DecodingFault(.limit, at: offset, "it has too many slices")
            }
            guard let sequence = selection?.sequence else { return }
            let header = FrameHeader(sequence, slices: max(slices, 1), codedBytes: coded)
            try FrameDemand.check(
                header, isSequence: isSequence, ceiling: decoder.heapCeiling, at: offset)
        }

        private func begin(_ slice: HEVCSliceStart, at offset: Int, coded: Int)
            throws(DecodingFault)
        {
            guard let selection = sets.selection(pictureParameters: slice.pictureParameters) else {
                throw DecodingFault(
                    .corrupt, at: offset, "its parameter sets are missing or malformed")
            }
            try checkReferences(of: slice, selection, at: offset)
            isIntact = false
            guard self.selection == nil else {
                try change(to: selection, slice, at: offset)
                return
            }
            try allocator.expect(selection.sequence)
            self.selection = selection
            try checkHeap(at: offset, coded: coded)
            if allocator.needsWorker {
                guard de265_start_worker_threads(context, 1) == DE265_OK else {
                    throw DecodingFault(.unreadable, at: offset, "no thread can be started")
                }
            }
            for unit in selection.units {
                guard unit.withUnsafeBytes({ push($0) }) else { throw corrupt }
            }
            pictureSets = [slice.pictureParameters]
            allocator.prepareForPicture(in: context)
        }

        /// Faults here leave the session intact: libde265 knows nothing of the picture yet.
        private func checkReferences(
            of slice: HEVCSliceStart, _ selection: HEVCParameterSets.Selection, at offset: Int
        ) throws(DecodingFault) {
            guard isSequence else {
                guard slice.hasNoReferences(selection) else {
                    throw DecodingFault(
                        .unsupported, at: offset, "its picture needs other pictures to be decoded")
                }
                return
            }
            guard slice.isFirst else {
                throw DecodingFault(.corrupt, at: offset, "its first slice is missing")
            }
            guard let order = slice.pictureOrder(selection),
                let next = references.adding(order, slice.header, in: selection.sequence)
            else {
                throw DecodingFault(
                    .corrupt, at: offset, "its picture needs pictures that are missing")
            }
            references = next
        }

        /// Begins a later picture of a sequence.
        private func change(
            to selection: HEVCParameterSets.Selection, _ slice: HEVCSliceStart, at offset: Int
        ) throws(DecodingFault) {
            let identifier = slice.pictureParameters
            guard self.selection?.picture.sequence == selection.picture.sequence else {
                throw DecodingFault(.unsupported, at: offset, "its HEVC parameter sets change")
            }
            self.selection = selection
            if !pictureSets.contains(identifier) {
                guard pictureSets.count < FrameDemand.pictureSets, let unit = selection.units.last
                else {
                    throw DecodingFault(
                        .limit, at: offset, "it has too many HEVC picture parameter sets")
                }
                guard unit.withUnsafeBytes({ push($0) }) else { throw corrupt }
                pictureSets.insert(identifier)
            }
            allocator.prepareForPicture(in: context)
        }

        private func push(_ unit: UnsafeRawBufferPointer) -> Bool {
            guard let length = CInt(exactly: unit.count) else { return false }
            return ScratchHeap.placing(in: heap) {
                de265_push_NAL(context, unit.baseAddress, length, 0, nil) == DE265_OK
            }
        }

        private func run() throws(DecodingFault) {
            var more: CInt = 1
            // libde265 reports more work as long as a decoded picture is pending.
            while more != 0, de265_peek_next_picture(context) == nil {
                more = 0
                let result = ScratchHeap.placing(in: heap) { de265_decode(context, &more) }
                if let fault = allocator.fault { throw fault }
                if result == DE265_ERROR_WAITING_FOR_INPUT_DATA { break }
                guard result == DE265_OK else { throw frame.fault(of: result) }
            }
            try frame.checkWarnings(of: context, isTolerant: decoder.isTolerant)
        }

        private var corrupt: DecodingFault {
            frame.fault(.corrupt, "its HEVC bitstream gives no picture")
        }
    }
#endif
