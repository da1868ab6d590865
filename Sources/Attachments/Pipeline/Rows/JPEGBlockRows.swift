#if SYSTEM_CODECS
    import AttachmentFormats
    internal import CJPEG

    /// Gives libjpeg the coefficients of rows of units.
    final class JPEGBlockRows {
        private let coefficients: JPEGCoefficients
        /// The first fault of their decoder.
        private(set) var fault: DecodingFault?

        init(_ coefficients: JPEGCoefficients) { self.coefficients = coefficients }

        /// Makes a reader take the coefficients; it must not outlive this object.
        func give(to reader: OpaquePointer) {
            let blocks = coefficients.row.planes.map {
                thimble_jpeg_blocks(
                    coefficients: $0.coefficients, masks: $0.masks, stride: CInt($0.stride),
                    columns: CInt($0.columns))
            }
            thimble_jpeg_reader_take_blocks(
                reader, blocks, CInt(blocks.count),
                { context, row in
                    guard let context else { return false }
                    return Unmanaged<JPEGBlockRows>.fromOpaque(context).takeUnretainedValue()
                        .read(Int(row))
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        private func read(_ row: Int) -> Bool {
            do throws(DecodingFault) {
                try coefficients.readRow(row)
                return true
            } catch {
                fault = error
                return false
            }
        }
    }
#endif
