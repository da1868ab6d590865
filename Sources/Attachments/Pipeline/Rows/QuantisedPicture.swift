#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentFormats
    internal import CImageQuant

    /// A picture in at most 256 colours with alpha, chosen and dithered by libimagequant.
    ///
    /// Quality, speed and dithering are the same as in libvips.
    final class QuantisedPicture {
        /// Four bytes of RGBA for each colour; alpha is not premultiplied.
        let colours: [UInt8]
        private let indices: FrameMemory
        private let width: Int

        init(_ view: PictureView, scratch: ScratchSpace?) throws(EncodingFailure) {
            thimble_quantise_in_one_thread()
            width = view.size.width
            do throws(DecodingFault) {
                indices = try FrameMemory(
                    bytes: view.size.pixelCount, heapLimit: FrameMemory.planesOnHeap,
                    scratch: scratch)
            } catch {
                throw EncodingFailure(reason: error.reason)
            }
            let rows = PixelRows(view)
            guard let attributes = liq_attr_create() else { throw .noMemory }
            defer { liq_attr_destroy(attributes) }
            guard liq_set_speed(attributes, 4) == LIQ_OK,
                let image = liq_image_create_custom(
                    attributes,
                    { pixels, y, _, rows in
                        // The rows live until the image is destroyed.
                        guard let pixels, let rows else { return }
                        Unmanaged<PixelRows>.fromOpaque(rows).takeUnretainedValue()
                            .read(Int(y), into: pixels)
                    }, Unmanaged.passUnretained(rows).toOpaque(), CInt(view.size.width),
                    CInt(view.size.height), 0)
            else { throw .noMemory }
            defer {
                liq_image_destroy(image)
                withExtendedLifetime(rows) {}
            }
            var result: OpaquePointer?
            guard liq_image_quantize(image, attributes, &result) == LIQ_OK, let result else {
                throw .noMemory
            }
            defer { liq_result_destroy(result) }
            guard liq_set_dithering_level(result, 1) == LIQ_OK,
                let target = indices.bytes.baseAddress,
                liq_write_remapped_image(result, image, target, view.size.pixelCount) == LIQ_OK,
                // Remapping changes the colours.
                let palette = liq_get_palette(result)
            else { throw .noMemory }
            colours = withUnsafeBytes(of: palette.pointee.entries) { entries in
                // An entry is four bytes: red, green, blue and alpha.
                Array(entries.prefix(4 * Int(palette.pointee.count)))
            }
        }

        /// Palette indices of a row, valid as long as `self`.
        func row(_ y: Int) -> UnsafePointer<UInt8> {
            // One index a pixel.
            let row = UnsafeRawBufferPointer(rebasing: indices.bytes[(y * width)...])
            return row.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
        }
    }

    /// The pixels of a view in RGBA, for a library that asks for rows in any order.
    private final class PixelRows {
        private let view: PictureView
        private var row: [UInt8]

        init(_ view: PictureView) {
            self.view = view
            row = Array(repeating: 0, count: view.size.width * view.picture.colours.bands)
        }

        func read(_ y: Int, into pixels: UnsafeMutablePointer<liq_color>) {
            let (colours, bands) = (view.picture.colours, view.picture.colours.bands)
            row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
            for x in 0..<view.size.width {
                let pixel = row[(x * bands)..<((x + 1) * bands)]
                let first = pixel.startIndex
                pixels[x] = liq_color(
                    r: pixel[first], g: pixel[first + (colours.isGrey ? 0 : 1)],
                    b: pixel[first + (colours.isGrey ? 0 : 2)],
                    a: colours.hasAlpha ? pixel[first + bands - 1] : 255)
            }
        }
    }

    extension EncodingFailure {
        fileprivate static var noMemory: EncodingFailure {
            EncodingFailure(reason: "there is no memory for libimagequant")
        }
    }
#endif
