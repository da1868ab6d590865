package import AttachmentContainer
package import AttachmentModel

/// Pixel coding with decoders, as every format's coding is.
package protocol DecodableCoding: PictureCoding {
    /// Opens the picture for the engine of the input; rows are decoded on demand.
    func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture
    /// Name of libvips' loader of byte streams; nil if libvips must not decode the picture.
    var libraryLoader: String? { get }
    /// Rewrites the file for the library without metadata that it would keep in memory; nil to pass
    /// the file unchanged.
    func strippedFile(in input: DecoderInput) -> (any SimplerFile)?
    /// True if the file is shorter than its format requires; false when unknown.
    func endsEarly(_ file: AttachmentFile) -> Bool
}

extension DecodableCoding {
    package func strippedFile(in input: DecoderInput) -> (any SimplerFile)? { nil }
    package func endsEarly(_ file: AttachmentFile) -> Bool { false }
}

extension AttachmentHeader {
    /// The coding with its decoders; nil for pixels that no file holds, such as a canvas.
    package var decodableCoding: (any DecodableCoding)? { coding as? any DecodableCoding }
}

/// Output of a bounded decoder.
package enum BoundedPicture {
    /// A file for the library's decoder, in a coding that it decodes row by row.
    case simplerFile(any SimplerFile)
    /// For libjpeg's transform, only for the engine of rows.
    case coefficients(JPEGCoefficients)
    case rows(any DecodedRows)
    /// YCbCr as coded, only for the engine of rows.
    case planes(any DecodedPlanes)
}

/// Input and limits of a bounded decoder.
package struct DecoderInput {
    /// An open file that outlives the decoder.
    package let file: AttachmentFile
    /// The engine that takes the decoder's output.
    package let engine: Engine
    /// True to decode the intact part of a damaged file.
    package let isTolerant: Bool
    /// True to find all damage of a file that is published as it is, also outside of its picture.
    package var isStrict = false
    /// True for means of light, which need RGB beside alpha.
    package var isLinear = false
    /// True to decode the embedded preview.
    package let isPreview: Bool
    /// Requested size as stored, in pixels, for decoders that reduce.
    package let requestedSize: PixelSize
    /// Divisor of both sides, 1, 2, 4 or 8, for decoders of blocks.
    package let loadShrink: Int
    package let scratch: ScratchSpace?
    /// 2 to decode with two threads, for codings that declare the memory for it.
    package var threads = 1
    /// Collects faults that lose no pixel.
    let notes: DecodingNotes
    /// Called often while a frame is decoded.
    package let isCancelled: @Sendable () -> Bool

    package enum Engine: Sendable {
        /// It takes rows, planes and coefficients, and simpler files only of JPEG.
        case rows
        /// It takes rows, and simpler files.
        case libvips
    }

    package init(
        _ file: AttachmentFile, for engine: Engine, isTolerant: Bool, isPreview: Bool,
        requestedSize: PixelSize, loadShrink: Int, scratch: ScratchSpace?,
        notes: DecodingNotes = DecodingNotes(), isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.file = file
        self.engine = engine
        self.isTolerant = isTolerant
        self.isPreview = isPreview
        self.requestedSize = requestedSize
        self.loadShrink = loadShrink
        self.scratch = scratch
        self.notes = notes
        self.isCancelled = isCancelled
    }

    package var openFile: OpenFile { file.openFile }

    func requiredScratch() throws(DecodingFault) -> ScratchSpace {
        guard let scratch else { throw .noScratch }
        return scratch
    }
}

extension DecodingFault {
    package static let noScratch = DecodingFault(.scratch, at: 0, "scratch files are not available")
}
