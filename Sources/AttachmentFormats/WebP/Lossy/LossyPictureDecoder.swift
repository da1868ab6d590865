import AttachmentContainer
import CWebP

/// Runs libwebp's incremental decoder with an output buffer owned by this object.
final class LossyPictureDecoder {
    static let heapLimit = 64 << 10

    private(set) var rowCount = 0
    private(set) var isAtEnd = false

    private let output: FrameMemory
    private let rowBytes: Int
    // The decoder refers to the configuration, which refers to the bytes of `output`; `deinit`
    // frees them in that order.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer

    init(size: PixelSize, isScaled: Bool, scratch: ScratchSpace) throws(DecodingFault) {
        rowBytes = 3 * size.width
        output = try FrameMemory(
            bytes: rowBytes * size.height, heapLimit: Self.heapLimit, scratch: scratch)
        let configuration = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        configuration.initialize(to: WebPDecoderConfig())
        let isKnown = WebPInitDecoderConfig(configuration) != 0
        configuration.pointee.options.use_scaling = isScaled ? 1 : 0
        configuration.pointee.options.scaled_width = CInt(size.width)
        configuration.pointee.options.scaled_height = CInt(size.height)
        configuration.pointee.output.colorspace = MODE_RGB
        configuration.pointee.output.is_external_memory = 1
        configuration.pointee.output.u.RGBA = WebPRGBABuffer(
            rgba: output.bytes.bindMemory(to: UInt8.self).baseAddress, stride: CInt(rowBytes),
            size: rowBytes * size.height)
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

    /// `bytes` starts at the file's first byte and must not move between calls; counted rows remain
    /// valid after a throw.
    func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DecodingFault) {
        let status = WebPIUpdate(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        countRows()
        switch status {
        case VP8_STATUS_OK: isAtEnd = true
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: break
        case VP8_STATUS_OUT_OF_MEMORY:
            throw DecodingFault(.overCeiling, at: offset, "libwebp is out of memory")
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw DecodingFault(.unsupported, at: offset, "libwebp does not support its coding")
        default:
            throw DecodingFault(.corrupt, at: offset, "its image data are damaged")
        }
    }

    private func countRows() {
        var rows: CInt = 0
        // Nil before the first row.
        guard WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil else { return }
        let before = rowCount
        rowCount = Int(rows)
        output.mapping?.startWritingOut(after: (rowCount - before) * rowBytes)
    }

    func row(_ y: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: output.bytes[y * rowBytes..<(y + 1) * rowBytes])
    }
}
