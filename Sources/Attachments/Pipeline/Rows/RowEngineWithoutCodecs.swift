#if !SYSTEM_CODECS
    package import AttachmentContainer
    import AttachmentFormats
    package import AttachmentModel

    // Stand for the libraries of the engine of rows, in builds that planners know to be without it.

    /// Decodes no JPEG.
    final class JPEGPlaneRows: PlaneRows {
        let layout = PlaneLayout(colours: .rgb, planes: [])
        let rowsAtOnce: [Int] = []
        let hasFaults = true

        init(
            _ stream: ByteStream, _ coefficients: JPEGCoefficients? = nil, loadShrink: Int,
            keepsProfile: Bool, _ strictness: DecodeStrictness,
            notes: DecodingNotes = DecodingNotes()
        ) throws(DecodingFault) {
            throw DecodingFault(.unsupported, at: 0, "this build has no libjpeg")
        }

        func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool { false }

        func place(atUnitRow row: Int) {}

        func hasSkippedBytes() -> Bool { true }
    }

    /// Converts no profile.
    final class ProfileConversion: RowConverting {
        let isCoarse = false
        let isCodedLikeSRGB = true
        let levels: [UInt8] = []

        init?(from profile: [UInt8], of layout: PlaneLayout, isDeep: Bool = false) { return nil }

        func convert(_ pixels: UnsafeMutableRawBufferPointer) {}

        func convertRow(_ source: UnsafeRawPointer, to pixels: UnsafeMutableRawBufferPointer) {}
    }

    extension RenderingContext {
        func score(
            of output: RenditionOutput, against original: any PlaneRows
        ) throws(AttachmentError) -> Double {
            throw .noScore(file.path)
        }

        package func score(
            of output: RenditionOutput, against size: PixelSize, bands: Int,
            read: @escaping (Int, UnsafeMutableBufferPointer<UInt8>) -> Bool
        ) throws(AttachmentError) -> Double {
            throw .noScore(file.path)
        }
    }

    /// Samples no PNG.
    struct PNGSample {
        var favoursDense: Bool {
            get throws(EncodingFailure) { true }
        }

        init(of view: PictureView) {}

        func forecast(isRefined: Bool) throws(EncodingFailure) -> PNGForecast? { nil }
    }

    func encodePNG(
        _ view: PictureView, isDense: Bool, to target: WritingTarget
    ) throws(EncodingFailure) {
        throw EncodingFailure(reason: "this build has no libpng")
    }

    package func encodePalettePNG(
        _ pixels: PackedPixels, isDense: Bool = false, profile: [UInt8]? = nil,
        to target: WritingTarget
    ) throws(EncodingFailure) {
        throw EncodingFailure(reason: "this build has no libpng")
    }
#endif
