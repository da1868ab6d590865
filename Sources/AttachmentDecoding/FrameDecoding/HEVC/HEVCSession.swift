internal import AttachmentIntake
internal import AttachmentPlanning
import CDe265

/// Decodes one HEVC picture with libde265, whose planes lie where frames lie.
///
/// libde265 keeps a picture that sample adaptive offset is applied to on the heap, and the copy of
/// it that the filter reads, which would be 30 MB for 12 megapixels. Both are avoided here: frames
/// are allocated while the filter is said to be off, and it is switched on by the allocation; and
/// with a worker thread the copy comes from the same allocation.
final class HEVCSession {
    private let frame: CodedFrame
    private let heapCeiling: Int
    private let isTolerant: Bool
    private let lengthSize: Int
    private var sets: HEVCParameterSets
    private let allocator: HEVCFrameAllocator
    /// The decoder; it goes with `self`, and every callback comes from within a call to it.
    private let context: UnsafeMutableRawPointer
    private let staging: CodedStaging
    /// Where libde265's notes about blocks and its copies of coded bytes lie; nil for the heap.
    private let heap: ScratchHeap?
    private var selection: HEVCParameterSets.Selection?
    /// Slice segments of the picture until now.
    private var slices = 0

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - scratch: Where frames lie.
    ///   - heapCeiling: What decoding may take of the heap, in bytes.
    ///   - isTolerant: Whether damaged pictures are given.
    /// - Throws: `DecodingFault`.
    init(
        _ frame: CodedFrame, scratch: ScratchSpace, heapCeiling: Int, isTolerant: Bool
    ) throws(DecodingFault) {
        let configuration = try HEVCConfiguration(frame.configuration, at: frame.offset)
        heap = try scratch.makeHeap(
            forNotesOf: FrameDemand.hevc(
                width: frame.width, height: frame.height, codedBytes: frame.codedBytes),
            atMost: FrameDemand.hevc(
                width: frame.width, height: frame.height, bitDepth: 16, treeBlock: 16, slices: 64,
                codedBytes: frame.codedBytes),
            ceiling: heapCeiling)
        guard let context = de265_new_decoder() else {
            throw DecodingFault(.unreadable, at: frame.offset, "libde265 cannot be set up")
        }
        self.frame = frame
        self.heapCeiling = heapCeiling
        self.isTolerant = isTolerant
        self.context = context
        lengthSize = configuration.lengthSize
        sets = configuration.sets
        staging = CodedStaging(scratch: scratch)
        allocator = HEVCFrameAllocator(for: frame, scratch: scratch)
        allocator.install(in: context)
    }

    deinit {
        // Gives back the frames, for which the allocator must still be there.
        de265_free_decoder(context)
        withExtendedLifetime(allocator) {}
    }

    /// Decodes the picture.
    ///
    /// - Parameters:
    ///   - bytes: The item: NAL units, each behind its length.
    ///   - isCancelled: Asked before each of them.
    /// - Returns: The first picture that they give.
    /// - Throws: `DecodingFault`.
    func decode(
        _ bytes: consuming ExtentReader, isCancelled: () -> Bool
    ) throws(DecodingFault) -> DecodedFrame {
        let coded = bytes.remaining
        while try pushUnit(of: &bytes, coded: coded) {
            guard !isCancelled() else {
                throw DecodingFault(.cancelled, at: bytes.offset, "it was cancelled")
            }
        }
        guard selection != nil else {
            throw DecodingFault(.truncated, at: frame.offset, "it has no slice")
        }
        guard de265_flush_data(context) == DE265_OK else { throw corrupt }
        try run()
        guard let image = de265_peek_next_picture(context) else { throw corrupt }
        return try allocator.frame(of: image)
    }

    /// Hands the next NAL unit to the decoder, if it belongs to the picture.
    ///
    /// - Returns: Whether there may be another.
    private func pushUnit(
        of bytes: inout ExtentReader, coded: Int
    ) throws(DecodingFault) -> Bool {
        let offset = bytes.offset
        guard bytes.remaining > lengthSize else {
            // libde265 does not say which slices a picture lacks: one that ends between two of
            // them is given as it is.
            guard bytes.remaining == 0 || isTolerant else {
                throw DecodingFault(.truncated, at: offset, "it ends before a NAL unit")
            }
            return false
        }
        var length = 0
        for byte in try staging.read(lengthSize, of: &bytes) { length = length << 8 | Int(byte) }
        if length > bytes.remaining {
            guard isTolerant else {
                throw DecodingFault(
                    .truncated, at: offset, "a NAL unit is longer than what is left of it")
            }
            length = bytes.remaining
        }
        // Long units are slices; others are not kept.
        let unit = try staging.read(length, of: &bytes)
        let start = Array(unit.prefix(HEVCSliceStart.length))
        guard let header = HEVCUnitHeader(start[...]), header.layer == 0 else { return true }
        guard header.isSlice else {
            if selection == nil, length <= HEVCParameterSets.maximumLength {
                guard sets.keep(Array(unit)[...]) else {
                    throw DecodingFault(
                        .overCeiling, at: offset, "its HEVC parameter sets are too long")
                }
            }
            return true
        }
        guard let slice = HEVCSliceStart(start[...], header: header) else { return true }
        if selection == nil {
            try begin(slice, at: offset, coded: coded)
        } else if slice.isFirst {
            // The next picture of a sequence.
            return false
        }
        slices += 1
        try checkHeap(at: offset, coded: coded)
        guard isPushed(unit) else { throw corrupt }
        try run()
        return true
    }

    /// Checks what the bitstream asks for, before libde265 takes it.
    private func checkHeap(at offset: Int, coded: Int) throws(DecodingFault) {
        // H.265, table A.8: what the highest level allows.
        guard slices <= FrameHeader.maximumSlices else {
            throw DecodingFault(.overCeiling, at: offset, "it has too many slices")
        }
        guard let sequence = selection?.sequence else { return }
        let demand = FrameDemand.bytes(
            of: FrameHeader(sequence, slices: slices, codedBytes: coded))
        guard demand <= Double(heapCeiling) else {
            throw DecodingFault(
                .overCeiling, at: offset,
                "decoding it takes \(Int(demand)) bytes, of \(heapCeiling) that it may")
        }
    }

    /// Hands over the parameter sets of the picture, once they are known to fit it.
    private func begin(
        _ slice: HEVCSliceStart, at offset: Int, coded: Int
    ) throws(DecodingFault) {
        guard let selection = sets.selection(pictureParameters: slice.pictureParameters) else {
            throw DecodingFault(.corrupt, at: offset, "its parameter sets are missing or broken")
        }
        guard slice.standsAlone(selection) else {
            throw DecodingFault(
                .unsupported, at: offset, "its picture needs other pictures to be decoded")
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
            guard unit.withUnsafeBytes({ isPushed($0) }) else { throw corrupt }
        }
    }

    /// Hands over a NAL unit, which libde265 copies.
    private func isPushed(_ unit: UnsafeRawBufferPointer) -> Bool {
        guard let length = CInt(exactly: unit.count) else { return false }
        return ScratchHeap.placing(in: heap) {
            de265_push_NAL(context, unit.baseAddress, length, 0, nil) == DE265_OK
        }
    }

    /// Decodes what was handed over.
    private func run() throws(DecodingFault) {
        var more: CInt = 1
        // While a picture waits to be taken, libde265 says that there is more to do, for ever.
        while more != 0, de265_peek_next_picture(context) == nil {
            more = 0
            let result = ScratchHeap.placing(in: heap) { de265_decode(context, &more) }
            if let fault = allocator.fault { throw fault }
            if result == DE265_ERROR_WAITING_FOR_INPUT_DATA { break }
            guard result == DE265_OK else { throw corrupt(result) }
        }
        try checkWarnings()
    }

    /// Looks at what the decoder passed over, unless that is allowed.
    private func checkWarnings() throws(DecodingFault) {
        while true {
            let warning = de265_get_warning(context)
            switch warning {
            case DE265_OK: return
            // What it says of its own ways, and of what is not needed for pixels.
            case DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING,
                DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
                DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI:
                continue
            case DE265_WARNING_CANNOT_APPLY_SAO_OUT_OF_MEMORY: throw corrupt(warning)
            default: guard isTolerant else { throw corrupt(warning) }
            }
        }
    }

    private var corrupt: DecodingFault {
        DecodingFault(.corrupt, at: frame.offset, "its HEVC bitstream gives no picture")
    }

    private func corrupt(_ error: de265_error) -> DecodingFault {
        let text = de265_get_error_text(error).map { String(cString: $0) } ?? "\(error.rawValue)"
        return DecodingFault(
            .corrupt, at: frame.offset, "its HEVC bitstream is damaged: \(text)")
    }
}
