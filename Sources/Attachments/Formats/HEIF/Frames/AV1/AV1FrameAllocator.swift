#if SYSTEM_CODECS
    import CDav1d
    import Foundation

    final class AV1FrameAllocator: FrameAllocator {
        /// The allocator must outlive the decoder.
        var functions: Dav1dPicAllocator {
            Dav1dPicAllocator(
                cookie: Unmanaged.passUnretained(self).toOpaque(),
                alloc_picture_callback: { picture, allocator in
                    guard let picture, let allocator else { return -EINVAL }
                    let owner = Unmanaged<AV1FrameAllocator>.fromOpaque(allocator)
                        .takeUnretainedValue()
                    return owner.attempt { () throws(DecodingFault) in
                        try owner.allocate(&picture.pointee)
                    } ? 0 : -ENOMEM
                },
                release_picture_callback: { picture, _ in
                    if let memory = picture?.pointee.allocator_data {
                        FrameAllocator.release(memory)
                    }
                })
        }

        /// dav1d requires 64-byte alignment, and room for whole blocks of 128 pixels.
        private func allocate(_ picture: inout Dav1dPicture) throws(DecodingFault) {
            let parameters = picture.p
            try frame.checkSize(Int(parameters.w), Int(parameters.h))
            let subsampling = ChromaSubsampling(parameters.layout)
            let size = parameters.bpc > 8 ? 2 : 1
            let (width, height) = (Int(parameters.w + 127) & ~127, Int(parameters.h + 127) & ~127)
            let luma = Self.stride(width * size) * height
            var (chromaStride, chroma) = (0, 0)
            if let subsampling {
                chromaStride = Self.stride((width >> subsampling.shiftX) * size)
                chroma = chromaStride * (height >> subsampling.shiftY)
            }
            let (start, owner) = try makePlanes(
                bytes: luma + 2 * chroma + Int(DAV1D_PICTURE_ALIGNMENT))
            picture.data.0 = start
            picture.data.1 = chroma == 0 ? nil : start + luma
            picture.data.2 = chroma == 0 ? nil : start + luma + chroma
            picture.stride = (Self.stride(width * size), chromaStride)
            picture.allocator_data = owner
        }

        /// Strides of whole kilobytes would map rows to few cache sets.
        private static func stride(_ bytes: Int) -> Int {
            bytes & 1023 == 0 ? bytes + Int(DAV1D_PICTURE_ALIGNMENT) : bytes
        }

        func frame(of picture: Dav1dPicture) throws(DecodingFault) -> DecodedFrame {
            let memory = try memory(of: picture.allocator_data)
            guard let luma = picture.data.0, let header = picture.seq_hdr?.pointee else {
                throw frame.fault(.corrupt, "its frame has no memory")
            }
            try frame.checkSize(Int(picture.p.w), Int(picture.p.h))
            let stride = picture.stride.1
            var chroma: (blue: FramePlanes.Plane, red: FramePlanes.Plane)?
            if let blue = picture.data.1, let red = picture.data.2 {
                chroma = (
                    FramePlanes.Plane(start: blue, stride: stride),
                    FramePlanes.Plane(start: red, stride: stride)
                )
            }
            let planes = FramePlanes(
                memory: memory, width: Int(picture.p.w), height: Int(picture.p.h),
                bitDepth: Int(picture.p.bpc), subsampling: ChromaSubsampling(picture.p.layout),
                luma: FramePlanes.Plane(start: luma, stride: picture.stride.0), chroma: chroma)
            let colours = try frame.colours(
                inBitstream: CodedColours(
                    primaries: Int(header.pri.rawValue), transfer: Int(header.trc.rawValue),
                    matrix: Int(header.mtrx.rawValue), isFullRange: header.color_range != 0),
                isMonochrome: chroma == nil)
            return DecodedFrame(planes: planes, colours: colours, hasProfile: frame.hasProfile)
        }
    }

    extension ChromaSubsampling {
        fileprivate init?(_ layout: Dav1dPixelLayout) {
            self.init(chromaFormat: Int(layout.rawValue))
        }
    }
#endif
