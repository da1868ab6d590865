internal import AttachmentContainer
import CDe265

/// Allocates the planes of libde265's frames.
///
/// libde265 calls back through C, which cannot throw; errors are kept in `fault`.
final class HEVCFrameAllocator {
    /// Limit on the excess of the coded size over the cropped size, in luma samples: one coding
    /// tree block.
    private static let margin = 64

    /// Largest plane whose copy for the filter may be on the heap, in bytes.
    ///
    /// That is a tile: starting a thread would cost more.
    private static let copyOnHeap = 512 << 10

    private let frame: CodedFrame
    private let scratch: ScratchSpace
    private var sequence: HEVCSequence?
    /// Error of a callback.
    private(set) var fault: DecodingFault?

    init(for frame: CodedFrame, scratch: ScratchSpace) {
        self.frame = frame
        self.scratch = scratch
    }

    /// Installs the callbacks in a decoder.
    ///
    /// The allocator must outlive it.
    func install(in context: UnsafeMutableRawPointer) {
        // Copied by libde265.
        var functions = de265_image_allocation(
            get_buffer: { context, specification, image, allocator in
                guard let context, let specification, let image, let allocator else { return 0 }
                return Unmanaged<HEVCFrameAllocator>.fromOpaque(allocator).takeUnretainedValue()
                    .allocate(specification.pointee, image, context) ? 1 : 0
            },
            release_buffer: { _, image, _ in
                guard let image, let memory = de265_get_image_plane_user_data(image, 0) else {
                    return
                }
                // The reference that `allocate` gave the image.
                Unmanaged<FrameMemory>.fromOpaque(memory).release()
            })
        de265_set_image_allocation_functions(
            context, &functions, Unmanaged.passUnretained(self).toOpaque())
        // While the filter is off, libde265 allocates frames through the callbacks; see `allocate`.
        de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 1)
    }

    /// Checks a sequence parameter set against the size stated by the file.
    func expect(_ sequence: HEVCSequence) throws(DecodingFault) {
        let size = PixelSize(width: frame.width, height: frame.height)
        guard sequence.size == size else {
            throw DecodingFault(
                .corrupt, at: frame.offset, "it has \(sequence.size) pixels, not \(size)")
        }
        guard sequence.width <= frame.width + Self.margin,
            sequence.height <= frame.height + Self.margin
        else {
            throw DecodingFault(
                .overCeiling, at: frame.offset,
                "it is coded as \(sequence.width) × \(sequence.height) pixels, cropped"
                    + " to \(size)")
        }
        guard sequence.chromaFormat == 0 || sequence.lumaBitDepth == sequence.chromaBitDepth,
            !sequence.hasSeparatePlanes
        else {
            throw DecodingFault(
                .unsupported, at: frame.offset,
                "its planes differ in bit depth or are coded separately")
        }
        self.sequence = sequence
    }

    /// True if the filter's copy is too large for the heap, so that a worker thread pays off.
    var needsWorker: Bool {
        guard let sequence, sequence.usesSampleAdaptiveOffset else { return false }
        return sequence.width * sequence.height * bytesPerSample > Self.copyOnHeap
    }

    private var bytesPerSample: Int { (sequence?.lumaBitDepth ?? 8) > 8 ? 2 : 1 }

    private func allocate(
        _ specification: de265_image_spec, _ image: OpaquePointer,
        _ context: UnsafeMutableRawPointer
    ) -> Bool {
        let (width, height) = (Int(specification.width), Int(specification.height))
        guard let sequence, width == sequence.width, height == sequence.height else {
            return fail("its parameter sets contradict one another")
        }
        let shiftX = sequence.chromaFormat == 1 || sequence.chromaFormat == 2 ? 1 : 0
        let shiftY = sequence.chromaFormat == 1 ? 1 : 0
        // Row stride in bytes, aligned for vector instructions.
        let stride = (width * bytesPerSample + 63) & ~63
        let chromaWidth = (width + shiftX) >> shiftX
        let chromaStride = (chromaWidth * bytesPerSample + 63) & ~63
        let luma = stride * height
        let chroma = chromaStride * ((height + shiftY) >> shiftY)
        let planes = sequence.chromaFormat == 0 ? [luma] : [luma, chroma, chroma]
        // libde265 reads a few bytes beyond the last row.
        let padding = 64
        let memory: FrameMemory
        do {
            memory = try FrameMemory(
                bytes: planes.reduce(0) { $0 + $1 + padding },
                heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
        } catch {
            fault = error
            return false
        }
        guard var start = memory.bytes.baseAddress else { return false }
        let owner = Unmanaged.passRetained(memory).toOpaque()
        for (index, bytes) in planes.enumerated() {
            de265_set_image_plane(
                image, CInt(index), start, CInt(index == 0 ? stride : chromaStride), owner)
            start += bytes + padding
        }
        // This frame is allocated, so the filter can be switched on.
        de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 0)
        return true
    }

    private func fail(_ reason: String) -> Bool {
        fault = DecodingFault(.corrupt, at: frame.offset, reason)
        return false
    }

    /// Returns a decoded picture as a frame that owns its memory and may outlive the decoder.
    func frame(of image: OpaquePointer) throws(DecodingFault) -> DecodedFrame {
        let width = Int(de265_get_image_width(image, 0))
        let height = Int(de265_get_image_height(image, 0))
        guard width == frame.width, height == frame.height else {
            throw DecodingFault(
                .corrupt, at: frame.offset,
                "it has \(width) × \(height) pixels, not \(frame.width) × \(frame.height)")
        }
        guard let owner = de265_get_image_plane_user_data(image, 0) else {
            throw DecodingFault(.corrupt, at: frame.offset, "its frame has no memory")
        }
        let memory = Unmanaged<FrameMemory>.fromOpaque(owner).takeUnretainedValue()
        let format = de265_get_chroma_format(image)
        let isHalved = format == de265_chroma_420 || format == de265_chroma_422
        let planes = FramePlanes(
            memory: memory, width: width, height: height,
            bitDepth: Int(de265_get_bits_per_pixel(image, 0)),
            chromaShiftX: isHalved ? 1 : 0,
            chromaShiftY: format == de265_chroma_420 ? 1 : 0,
            luma: try plane(0, of: image),
            chroma: format == de265_chroma_mono
                ? nil : (blue: try plane(1, of: image), red: try plane(2, of: image)))
        let colours =
            frame.colours
            ?? CodedColours(
                primaries: Int(de265_get_image_colour_primaries(image)),
                transfer: Int(de265_get_image_transfer_characteristics(image)),
                matrix: Int(de265_get_image_matrix_coefficients(image)),
                isFullRange: de265_get_image_full_range_flag(image) != 0)
        return DecodedFrame(planes: planes, colours: colours, hasProfile: frame.hasProfile)
    }

    private func plane(
        _ index: CInt, of image: OpaquePointer
    ) throws(DecodingFault) -> FramePlanes.Plane {
        var stride: CInt = 0
        guard let start = de265_get_image_plane(image, index, &stride) else {
            throw DecodingFault(.corrupt, at: frame.offset, "its frame lacks a plane")
        }
        return FramePlanes.Plane(start: UnsafeRawPointer(start), stride: Int(stride))
    }
}
