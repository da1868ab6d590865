#if SYSTEM_CODECS
    package import AttachmentContainer
    import AttachmentFormats
    package import AttachmentModel
    internal import CSimilarity
    import Foundation

    extension RenderingContext {
        /// The SSIMULACRA2 score of an encoded JPEG.
        ///
        /// - Parameters:
        ///   - output: The JPEG, 4:2:0, 4:4:4 or grey. A smaller one is scored as enlarged.
        ///   - original: The rows that it was encoded from, at full size.
        /// - Returns: The score, at most 100.
        /// - Throws: `AttachmentError` if the file cannot be read, and on cancellation.
        func score(
            of output: RenditionOutput, against original: any PlaneRows
        ) throws(AttachmentError) -> Double {
            let encoded = try output.attachment(path: file.path)
            return try decodingRows { () throws(DecodingFault) in
                let decoded = try JPEGPlaneRows(
                    ByteStream(encoded), loadShrink: 1, keepsProfile: false, .warning)
                let size = original.layout.planes[0].size
                let shown = EnlargedRows(
                    RGBRows(decoded, rowsAtOnce: Self.rowsOfMCU),
                    of: decoded.layout.planes[0].size, to: size)
                return try Similarity(of: size)
                    .score(
                        RGBRows(original, rowsAtOnce: 1), shown, isCancelled: isCancelled)
            }
        }

        /// Same, for rows of an engine.
        ///
        /// - Parameters:
        ///   - output: The JPEG.
        ///   - size: The picture's size.
        ///   - bands: Interleaved samples a pixel: 1 or 3.
        ///   - read: Writes the samples of a row; false on failure.
        /// - Returns: The score, at most 100.
        /// - Throws: `AttachmentError` if a picture cannot be read, and on cancellation.
        package func score(
            of output: RenditionOutput, against size: PixelSize, bands: Int,
            read: @escaping (Int, UnsafeMutableBufferPointer<UInt8>) -> Bool
        ) throws(AttachmentError) -> Double {
            try score(of: output, against: ReadRows(size, bands: bands, read))
        }

        /// Rows of luma in a row of MCUs, at most.
        private static let rowsOfMCU = 16
    }

    /// Rows of grey or RGB that a function reads.
    private final class ReadRows: PlaneRows {
        let layout: PlaneLayout
        private let read: (Int, UnsafeMutableBufferPointer<UInt8>) -> Bool
        private var row: [UInt8]
        private var y = 0

        init(
            _ size: PixelSize, bands: Int,
            _ read: @escaping (Int, UnsafeMutableBufferPointer<UInt8>) -> Bool
        ) {
            self.read = read
            layout = PlaneLayout(colours: bands == 1 ? .grey : .rgb, planes: [.init(size)])
            row = Array(repeating: 0, count: size.width * bands)
        }

        func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
            guard y < layout.planes[0].size.height else { return false }
            let isRead = self.row.withUnsafeMutableBufferPointer { buffer in
                let isRead = read(y, buffer)
                // A row is not empty.
                if let start = buffer.baseAddress { row(0, UnsafeRawPointer(start)) }
                return isRead
            }
            guard isRead else {
                throw DecodingFault(.corrupt, at: y, "the reduced picture cannot be read again")
            }
            y += 1
            return true
        }
    }

    /// A comparison of two pictures row by row.
    private final class Similarity {
        private let similarity: OpaquePointer
        private var original: [UInt8]
        private var distorted: [UInt8]

        init(of size: PixelSize) throws(DecodingFault) {
            let made = thimble_similarity_new(
                CInt(clamping: size.width), CInt(clamping: size.height), THIMBLE_SIMILARITY_BEST)
            guard let made else {
                throw DecodingFault(.overCeiling, at: 0, "there is no memory for the score")
            }
            similarity = made
            original = Array(repeating: 0, count: 3 * size.width)
            distorted = original
        }

        deinit { thimble_similarity_free(similarity) }

        func score(
            _ one: RGBRows, _ other: EnlargedRows, isCancelled: () -> Bool
        ) throws(DecodingFault) -> Double {
            while try Self.read(one.next, into: &original),
                try Self.read(other.next, into: &distorted)
            {
                guard !isCancelled() else {
                    throw DecodingFault(.cancelled, at: 0, "it was cancelled")
                }
                thimble_similarity_push(similarity, original, distorted)
            }
            return thimble_similarity_score(similarity)
        }

        private static func read(
            _ next: (UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Bool,
            into row: inout [UInt8]
        ) throws(DecodingFault) -> Bool {
            try row.withUnsafeMutableBufferPointer { row in
                Result { () throws(DecodingFault) in try next(row) }
            }.get()
        }
    }
#endif
