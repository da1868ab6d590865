#if SYSTEM_CODECS
    import AttachmentContainer
    import CWebP

    /// Runs libwebp's incremental decoder with an output buffer owned by this object.
    ///
    /// The buffer has room for the whole picture, because a few bytes may code all of it. Usually it
    /// needs the pages of some rows only: each call writes from its start, unless libwebp scales.
    final class LossyPictureDecoder {
        enum Output {
            /// Interleaved RGB.
            case rgb
            /// Luma, then both planes of chroma with half the columns and rows, rounded up.
            case planes
        }

        static let heapLimit = 64 << 10

        private(set) var rowCount = 0
        private(set) var isAtEnd = false

        private let memory: FrameMemory
        /// First byte and bytes per row of each plane.
        private let planes: [(start: Int, rowBytes: Int)]
        private let isScaled: Bool
        /// Row of the first plane at the start of the buffer; even, so that chroma has half of it.
        private var firstRow = 0
        /// Rows of the buffer that have been written.
        private var touchedRows = 0
        // The decoder refers to the configuration, which refers to the bytes of `memory`; `deinit`
        // frees them in that order.
        private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
        private let decoder: OpaquePointer

        init(
            size: PixelSize, isScaled: Bool, as output: Output, scratch: ScratchSpace,
            threads: Int = 1
        ) throws(DecodingFault) {
            let (chromaWidth, chromaHeight) = ((size.width + 1) / 2, (size.height + 1) / 2)
            let (luma, chroma) = (size.pixelCount, chromaWidth * chromaHeight)
            self.isScaled = isScaled
            planes =
                switch output {
                case .rgb: [(0, 3 * size.width)]
                case .planes: [(0, size.width), (luma, chromaWidth), (luma + chroma, chromaWidth)]
                }
            let bytes = output == .rgb ? 3 * size.pixelCount : luma + 2 * chroma
            memory = try FrameMemory(bytes: bytes, heapLimit: Self.heapLimit, scratch: scratch)
            let configuration = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
            configuration.initialize(to: WebPDecoderConfig())
            let isKnown = WebPInitDecoderConfig(configuration) != 0
            // A thread for the loop filter, of pictures of 512 columns and more.
            configuration.pointee.options.use_threads = threads > 1 ? 1 : 0
            configuration.pointee.options.use_scaling = isScaled ? 1 : 0
            configuration.pointee.options.scaled_width = CInt(size.width)
            configuration.pointee.options.scaled_height = CInt(size.height)
            configuration.pointee.output.is_external_memory = 1
            let start = memory.bytes.bindMemory(to: UInt8.self).baseAddress
            switch output {
            case .rgb:
                configuration.pointee.output.colorspace = MODE_RGB
                configuration.pointee.output.u.RGBA = WebPRGBABuffer(
                    rgba: start, stride: CInt(planes[0].rowBytes), size: bytes)
            case .planes:
                configuration.pointee.output.colorspace = MODE_YUV
                configuration.pointee.output.u.YUVA = WebPYUVABuffer(
                    y: start, u: start.map { $0 + luma }, v: start.map { $0 + luma + chroma },
                    a: nil,
                    y_stride: CInt(size.width),
                    u_stride: CInt(chromaWidth), v_stride: CInt(chromaWidth), a_stride: 0,
                    y_size: luma, u_size: chroma, v_size: chroma, a_size: 0)
            }
            guard isKnown, let decoder = WebPIDecode(nil, 0, configuration) else {
                configuration.deallocate()
                throw DecodingFault(.overCeiling, at: 0, "libwebp cannot create a decoder")
            }
            (self.configuration, self.decoder) = (configuration, decoder)
        }

        deinit {
            WebPIDelete(decoder)
            // The output buffer belongs to this object, not to libwebp.
            configuration.deallocate()
        }

        /// Decodes what follows of `bytes`, which start at the file's first byte and must not move
        /// between calls.
        ///
        /// The rows counted before are overwritten, unless libwebp scales. Rows counted by this call
        /// remain valid after a throw.
        func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DecodingFault) {
            if !isScaled { writeFromStart() }
            let status = WebPIUpdate(
                decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
            countRows()
            switch status {
            case VP8_STATUS_OK: isAtEnd = true
            case VP8_STATUS_OUT_OF_MEMORY:
                throw DecodingFault(.overCeiling, at: offset, "libwebp is out of memory")
            default:
                switch WebPStatus.loss(of: status) {
                case .rest: break
                case .picture:
                    throw DecodingFault(
                        .unsupported, at: offset, "libwebp does not support its coding")
                case let loss:
                    throw DecodingFault(loss, at: offset, "its image data are damaged")
                }
            }
        }

        /// Has libwebp write the next row at the start of the buffer.
        ///
        /// Its pointers may change between calls (`WebPINewDecoder` in `webp/decode.h`). It adds a
        /// row's number times the length of a row; only scaled rows follow a pointer of its own.
        private func writeFromStart() {
            firstRow = rowCount & ~1
            func pointer(_ plane: Int, _ row: Int) -> UnsafeMutablePointer<UInt8>? {
                let start = UInt(bitPattern: memory.bytes.baseAddress)
                let offset = planes[plane].start - row * planes[plane].rowBytes
                // A number, because the address may lie before the buffer.
                return UnsafeMutablePointer(bitPattern: start &+ UInt(bitPattern: offset))
            }
            if planes.count == 1 {
                configuration.pointee.output.u.RGBA.rgba = pointer(0, firstRow)
            } else {
                configuration.pointee.output.u.YUVA.y = pointer(0, firstRow)
                configuration.pointee.output.u.YUVA.u = pointer(1, firstRow / 2)
                configuration.pointee.output.u.YUVA.v = pointer(2, firstRow / 2)
            }
        }

        private func countRows() {
            var rows: CInt = 0
            // Nil before the first row.
            let start =
                planes.count == 1
                ? WebPIDecGetRGB(decoder, &rows, nil, nil, nil)
                : WebPIDecGetYUVA(decoder, &rows, nil, nil, nil, nil, nil, nil, nil, nil)
            guard start != nil else { return }
            rowCount = Int(rows)
            let touched = rowCount - firstRow
            guard touched > touchedRows else { return }
            // A row of luma, and half a row of each plane of chroma.
            let rowBytes = planes.count == 1 ? planes[0].rowBytes : 3 * planes[0].rowBytes / 2
            memory.mapping?.startWritingOut(after: (touched - touchedRows) * rowBytes)
            touchedRows = touched
        }

        /// A counted row that was not overwritten.
        func row(_ y: Int, ofPlane plane: Int = 0) -> UnsafeRawBufferPointer {
            let (start, rowBytes) = planes[plane]
            let first = start + (y - (plane == 0 ? firstRow : firstRow / 2)) * rowBytes
            return UnsafeRawBufferPointer(rebasing: memory.bytes[first..<first + rowBytes])
        }
    }
#else
    import AttachmentContainer
    import AttachmentModel

    /// Stands in for libwebp's decoder in builds without libwebp, where planners do not choose it.
    final class LossyPictureDecoder {
        enum Output {
            case rgb
            case planes
        }

        static let heapLimit = 0

        let rowCount = 0
        let isAtEnd = true

        init(
            size: PixelSize, isScaled: Bool, as output: Output, scratch: ScratchSpace,
            threads: Int = 1
        ) throws(DecodingFault) { throw .notBuilt(.libwebp) }

        func decode(
            _ bytes: UnsafeRawBufferPointer, at offset: Int
        ) throws(DecodingFault) { throw .notBuilt(.libwebp) }

        func row(_ y: Int, ofPlane plane: Int = 0) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }
#endif
