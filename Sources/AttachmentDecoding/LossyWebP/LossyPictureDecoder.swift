import CWebP

/// libwebp's incremental decoder, which writes into memory of ours.
final class LossyPictureDecoder {
    /// What is taken from the heap at most for the decoded picture, in bytes.
    static let heapLimit = 64 << 10

    /// How many rows are whole.
    private(set) var rowCount = 0
    /// Whether the picture is whole, so that nothing more will come.
    private(set) var isAtEnd = false

    private let output: FrameMemory
    private let rowBytes: Int
    // The decoder refers to the configuration, and this to the bytes of `output`; `deinit` gives
    // all of them back in that order.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - size: What is to be made, in pixels.
    ///   - isScaled: Whether that is not the size of the picture.
    ///   - scratch: Where the decoded picture lies when it is large.
    /// - Throws: `overCeiling`, `scratch`.
    init(
        size: WebPContainer.Size, isScaled: Bool, scratch: ScratchSpace
    ) throws(DecodingFault) {
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
            throw DecodingFault(.overCeiling, at: 0, "libwebp cannot make a decoder")
        }
        (self.configuration, self.decoder) = (configuration, decoder)
    }

    deinit {
        WebPIDelete(decoder)
        // The memory of its output is ours.
        configuration.deallocate()
    }

    /// Decodes as far as the bytes go.
    ///
    /// - Parameters:
    ///   - bytes: All that is there, from the start of the file; they stay where they are.
    ///   - offset: Where they end in the file, for faults.
    /// - Throws: `corrupt`, `overCeiling`, `unsupported`; rows that are counted stay whole.
    func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DecodingFault) {
        let status = WebPIUpdate(
            decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        countRows()
        switch status {
        case VP8_STATUS_OK: isAtEnd = true
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: break
        case VP8_STATUS_OUT_OF_MEMORY:
            throw DecodingFault(.overCeiling, at: offset, "libwebp gets no memory")
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw DecodingFault(.unsupported, at: offset, "libwebp does not know its coding")
        default:
            throw DecodingFault(.corrupt, at: offset, "its picture data are damaged")
        }
    }

    private func countRows() {
        var rows: CInt = 0
        // Nil before there are any.
        guard WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil else { return }
        let before = rowCount
        rowCount = Int(rows)
        output.mapping?.startWritingOut(after: (rowCount - before) * rowBytes)
    }

    /// A row of red, green and blue.
    ///
    /// - Parameter y: Its number, below `rowCount`.
    /// - Returns: Its bytes, until `self` goes.
    func row(_ y: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: output.bytes[y * rowBytes..<(y + 1) * rowBytes])
    }
}
