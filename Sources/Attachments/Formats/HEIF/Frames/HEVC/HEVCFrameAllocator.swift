#if SYSTEM_CODECS
    import CDe265

    final class HEVCFrameAllocator: FrameAllocator {
        /// Limit on coded over cropped size, in luma samples: one coding tree block.
        private static let margin = 64

        private var sequence: HEVCSequence?

        /// The allocator must outlive it.
        func install(in context: UnsafeMutableRawPointer) {
            // Copied by libde265.
            var functions = de265_image_allocation(
                get_buffer: { context, specification, image, allocator in
                    guard let context, let specification, let image, let allocator else { return 0 }
                    let owner = Unmanaged<HEVCFrameAllocator>.fromOpaque(allocator)
                        .takeUnretainedValue()
                    return owner.attempt { () throws(DecodingFault) in
                        try owner.allocate(specification.pointee, image, context)
                    } ? 1 : 0
                },
                release_buffer: { _, image, _ in
                    guard let image, let memory = de265_get_image_plane_user_data(image, 0) else {
                        return
                    }
                    FrameAllocator.release(memory)
                })
            de265_set_image_allocation_functions(
                context, &functions, Unmanaged.passUnretained(self).toOpaque())
        }

        /// Must be called before each picture.
        func prepareForPicture(in context: UnsafeMutableRawPointer) {
            // While the filter is off, libde265 allocates frames through the callbacks; see `allocate`.
            de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 1)
        }

        func expect(_ sequence: HEVCSequence) throws(DecodingFault) {
            guard sequence.size == frame.size else {
                throw frame.fault(.corrupt, "it has \(sequence.size) pixels, not \(frame.size)")
            }
            guard sequence.width <= frame.width + Self.margin,
                sequence.height <= frame.height + Self.margin
            else {
                throw frame.fault(
                    .limit,
                    "it is coded as \(sequence.width) × \(sequence.height) pixels, cropped"
                        + " to \(frame.size)")
            }
            guard sequence.chroma == nil || sequence.lumaBitDepth == sequence.chromaBitDepth,
                !sequence.hasSeparatePlanes
            else {
                throw frame.fault(
                    .unsupported, "its planes differ in bit depth or are coded separately")
            }
            self.sequence = sequence
        }

        var needsWorker: Bool {
            guard let sequence, sequence.usesSampleAdaptiveOffset else { return false }
            return sequence.width * sequence.height * bytesPerSample > FrameDemand.copyOnHeap
        }

        private var bytesPerSample: Int { (sequence?.lumaBitDepth ?? 8) > 8 ? 2 : 1 }

        private func allocate(
            _ specification: de265_image_spec, _ image: OpaquePointer,
            _ context: UnsafeMutableRawPointer
        ) throws(DecodingFault) {
            let (width, height) = (Int(specification.width), Int(specification.height))
            guard let sequence, width == sequence.width, height == sequence.height else {
                throw frame.fault(.corrupt, "its parameter sets contradict one another")
            }
            var planes = [(stride: stride(width), rows: height)]
            if let chroma = sequence.chroma {
                let width = (width + chroma.shiftX) >> chroma.shiftX
                let rows = (height + chroma.shiftY) >> chroma.shiftY
                planes += [(stride(width), rows), (stride(width), rows)]
            }
            // libde265 reads a few bytes beyond the last row.
            let padding = 64
            var (start, owner) = try makePlanes(
                bytes: planes.reduce(0) { $0 + $1.stride * $1.rows + padding })
            for (index, plane) in planes.enumerated() {
                de265_set_image_plane(image, CInt(index), start, CInt(plane.stride), owner)
                start += plane.stride * plane.rows + padding
            }
            // This frame is allocated, so the filter can be switched on.
            de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 0)
        }

        private func stride(_ width: Int) -> Int { (width * bytesPerSample + 63) & ~63 }

        func frame(of image: OpaquePointer) throws(DecodingFault) -> DecodedFrame {
            let width = Int(de265_get_image_width(image, 0))
            let height = Int(de265_get_image_height(image, 0))
            try frame.checkSize(width, height)
            let memory = try memory(of: de265_get_image_plane_user_data(image, 0))
            let subsampling = ChromaSubsampling(
                chromaFormat: Int(de265_get_chroma_format(image).rawValue))
            let planes = FramePlanes(
                memory: memory, width: width, height: height,
                bitDepth: Int(de265_get_bits_per_pixel(image, 0)), subsampling: subsampling,
                luma: try plane(0, of: image),
                chroma: subsampling == nil
                    ? nil : (blue: try plane(1, of: image), red: try plane(2, of: image)))
            let colours = try frame.colours(
                inBitstream: CodedColours(
                    primaries: Int(de265_get_image_colour_primaries(image)),
                    transfer: Int(de265_get_image_transfer_characteristics(image)),
                    matrix: Int(de265_get_image_matrix_coefficients(image)),
                    isFullRange: de265_get_image_full_range_flag(image) != 0),
                isMonochrome: subsampling == nil)
            return DecodedFrame(planes: planes, colours: colours, hasProfile: frame.hasProfile)
        }

        private func plane(
            _ index: CInt, of image: OpaquePointer
        ) throws(DecodingFault) -> FramePlanes.Plane {
            var stride: CInt = 0
            guard let start = de265_get_image_plane(image, index, &stride) else {
                throw frame.fault(.corrupt, "its frame lacks a plane")
            }
            return FramePlanes.Plane(start: UnsafeRawPointer(start), stride: Int(stride))
        }
    }
#endif
