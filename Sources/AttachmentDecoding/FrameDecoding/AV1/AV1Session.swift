internal import AttachmentContainer
internal import AttachmentIntake
internal import AttachmentPlanning
import CDav1d
import Foundation

/// Decodes one AV1 picture with dav1d, whose planes lie where frames lie.
///
/// One thread and a delay of one frame, so that dav1d holds no more than the picture.
final class AV1Session {
    /// The longest metadata, in bytes: many times what light levels and HDR10+ take.
    private static let largestMetadata = 64 << 10

    private let frame: CodedFrame
    private let scratch: ScratchSpace
    private let heapCeiling: Int
    private let allocator: AV1FrameAllocator
    /// Where dav1d's notes about blocks lie; nil for the heap.
    private let heap: ScratchHeap?
    /// The decoder; it goes with `self`, and every callback comes from within a call to it.
    private var context: OpaquePointer?

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - scratch: Where frames lie.
    ///   - heapCeiling: What decoding may take of the heap, in bytes.
    /// - Throws: `DecodingFault`.
    init(
        _ frame: CodedFrame, scratch: ScratchSpace, heapCeiling: Int
    ) throws(DecodingFault) {
        self.frame = frame
        self.heapCeiling = heapCeiling
        self.scratch = scratch
        allocator = AV1FrameAllocator(for: frame, scratch: scratch)
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
        heap = try scratch.makeHeap(
            forNotesOf: FrameDemand.av1(
                width: frame.width, height: frame.height, codedBytes: frame.codedBytes),
            atMost: FrameDemand.av1(
                width: frame.width, height: frame.height, bitDepth: 12,
                chromaSubsampling: "4:4:4", tiles: 64, isSegmented: true,
                codedBytes: frame.codedBytes),
            ceiling: heapCeiling)
        guard ScratchHeap.placing(in: heap, { dav1d_open(&context, &settings) }) == 0 else {
            throw DecodingFault(.unreadable, at: frame.offset, "dav1d cannot be set up")
        }
    }

    deinit {
        // Gives back the frames, for which the allocator must still be there.
        dav1d_close(&context)
        withExtendedLifetime(allocator) {}
    }

    /// Decodes the picture.
    ///
    /// - Parameter bytes: The item: OBUs.
    /// - Returns: The first picture that it gives.
    /// - Throws: `DecodingFault`.
    func decode(_ bytes: consuming ExtentReader) throws(DecodingFault) -> DecodedFrame {
        let configuration = try AV1Configuration(frame.configuration, at: frame.offset)
        let units = try FrameMemory(
            bytes: configuration.units.count + bytes.remaining,
            heapLimit: FrameMemory.codedOnHeap, scratch: scratch)
        let (start, count) = try fill(units, configuration.units, &bytes)
        try check(UnsafeRawBufferPointer(start: start, count: count))
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
            throw DecodingFault(.truncated, at: frame.offset, "it has no coded bytes")
        }
        return (UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count)
    }

    /// Checks what the bitstream asks for, before dav1d takes it.
    private func check(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
        let stream = AV1Bitstream(
            length: bytes.count, codedBytes: frame.codedBytes, stopsAtFrame: false
        ) { Array(bytes[$0]) }
        // dav1d copies some of it.
        guard stream.longestMetadata <= Self.largestMetadata else {
            throw DecodingFault(.overCeiling, at: frame.offset, "its AV1 metadata are too long")
        }
        guard let header = stream.frame else {
            throw DecodingFault(
                .corrupt, at: frame.offset, "its first frame is broken, or not a key frame")
        }
        guard header.size == PixelSize(width: frame.width, height: frame.height) else {
            throw DecodingFault(
                .corrupt, at: frame.offset,
                "it has \(header.size) pixels, not \(frame.width)x\(frame.height)")
        }
        let demand = FrameDemand.bytes(of: header)
        guard demand <= Double(heapCeiling) else {
            throw DecodingFault(
                .overCeiling, at: frame.offset,
                "decoding it takes \(Int(demand)) bytes, of \(heapCeiling) that it may")
        }
    }

    /// Feeds the decoder until it gives a picture.
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
            // Nothing was taken and nothing given: there will be no picture.
            guard got == -EAGAIN, data.sz < before else { throw corrupt }
        }
    }

    private var corrupt: DecodingFault {
        allocator.fault
            ?? DecodingFault(.corrupt, at: frame.offset, "its AV1 bitstream gives no picture")
    }
}

/// An AV1CodecConfigurationRecord (AV1 in ISOBMFF 1.3, section 2.3.3).
struct AV1Configuration {
    /// OBUs that precede those of the item.
    let units: ArraySlice<UInt8>

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - record: What the `av1C` box holds.
    ///   - offset: Where the picture stands in the file, for faults.
    /// - Throws: `DecodingFault` with code `corrupt` or `unsupported`.
    init(_ record: [UInt8], at offset: Int) throws(DecodingFault) {
        guard record.count >= 4, record[0] == 0x81 else {
            throw DecodingFault(.corrupt, at: offset, "its AV1 configuration is broken")
        }
        units = record[4...]
    }
}
