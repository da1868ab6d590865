import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

/// The engine of rows: planes of a decoder → resampler → colours at the reduced size → orientation →
/// crop → encoder; banner and placeholder from the same planes.
struct RowEngine: PictureEngine {
    /// A frame of an animation, to be shown in place of the attachment's picture.
    let frame: (any DecodedRows)?

    func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills {
        let view = try reduced(context)
        return try StillsMaker(RowSteps(context: context))
            .stills(of: view, notes: view.picture.notes)
    }

    /// Decodes and reduces the picture; with `asRGB`, chroma keeps its full size.
    func reduced(
        _ context: RenderingContext, asRGB: Bool = false
    ) throws(AttachmentError) -> PictureView {
        let (plan, settings) = (context.plan, context.settings)
        let upright = plan.isKept ? plan.sizeBesideKeptFile(settings) : plan.reducedSize
        let source = plan.decodedHeader
        let size =
            source.coding.isOrientedByDecoder ? upright : source.orientation.upright(upright)
        return PictureView(
            try context.decodingRows { () throws(DecodingFault) in
                try reducedPicture(context, to: size, asRGB: asRGB)
            })
    }

    /// Decodes, resamples and converts the picture.
    ///
    /// RGB is converted after the reduction, because a tenth of the pixels is left then.
    ///
    /// `size` is before orientation, unless the decoder orients.
    private func reducedPicture(
        _ context: RenderingContext, to size: PixelSize, asRGB: Bool
    ) throws(DecodingFault) -> HeldPicture {
        let plan = context.plan
        let header = plan.decodedHeader
        let isOriented = header.coding.isOrientedByDecoder
        let isLinear = context.settings.isLinear
        // The first steps load a large profile and build the tables of its conversion.
        return try ScratchHeap.placing(in: context.conversionHeap) { () throws(DecodingFault) in
            var rows: any PlaneRows =
                if let frame { DecodedPlaneRows(frame) } else { try planeRows(context) }
            let isShared = rows is GroupRows
            if !isShared, [.rows, .groups].contains(context.secondThread) {
                rows = RowsAhead(rows) ?? rows
            }
            let layout = rows.layout
            let colours = SourceColours(
                layout.model, profile: rows.profile,
                isExpected: header.profileBytes > 0, tags: rows.tags)
            var conversion = colours.profile.flatMap { ProfileConversion(from: $0, of: layout) }
            var note = colours.note
            if colours.profile != nil, conversion == nil { note = ColourProfile.unreadable }
            if layout.hasInks {
                rows = ConvertedRows(rows, by: conversion.take() ?? PressConversion(of: layout))
            } else if layout.sampleBytes > 1,
                conversion.map({ $0.isCoarse || isLinear && !$0.isCodedLikeSRGB }) ?? false
            {
                // The resampler gives samples of 8 bits.
                conversion = nil
                if let deep = colours.profile.flatMap({
                    ProfileConversion(from: $0, of: layout, isDeep: true)
                }) {
                    rows = ConvertedRows(rows, by: deep)
                }
            } else if isLinear, let full = conversion, !full.isCodedLikeSRGB {
                conversion = nil
                if layout.colours == .yCbCr { rows = InterleavedRows(RGBPlaneRows(rows)) }
                rows = ConvertedRows(rows, by: full)
            }
            let picture = try reduce(
                rows, to: size, isOriented ? .upright : header.orientation,
                asRGB: (asRGB || conversion != nil || context.settings.holdsRGB)
                    && !layout.colours.isGrey,
                isLinear: isLinear, scratch: context.scratch,
                isCancelled: context.isCancelled)
            conversion?.convert(picture.planes[0].samples)
            if let note { picture.notes.append(note) }
            return picture
        }
    }

    private func planeRows(_ context: RenderingContext) throws(DecodingFault) -> any PlaneRows {
        let plan = context.plan
        let header = plan.decodedHeader
        // Warnings about a copy are errors, because stricter decoders refuse such a file.
        let isCopied = [.copy, .copyUnlessOpaque, .strip].contains(plan.treatment)
        let strictness = isCopied ? .warning : context.strictness
        let jpeg = {
            (stream: ByteStream, coefficients: JPEGCoefficients?) throws(DecodingFault) in
            try JPEGPlaneRows(
                stream, coefficients, loadShrink: plan.loadShrink,
                keepsProfile: header.profileBytes > 0, strictness, notes: context.notes)
        }
        guard let coding = header.decodableCoding else {
            throw DecodingFault(.unsupported, at: 0, "\(header.coding.name) has no decoder")
        }
        var input = context.decoderInput(isPreview: false)
        input.isStrict = isCopied
        input.isLinear = context.settings.isLinear
        guard plan.decoder != .library || header.format != .jpeg else {
            // Bounds the length of the profile.
            let one = { () throws(DecodingFault) in
                let stripped = header.profileBytes > 0 ? coding.strippedFile(in: input) : nil
                return try jpeg(ByteStream(context.file, simpler: stripped), nil)
            }
            if context.secondThread == .groups, strictness == .loss,
                let shared = GroupRows(
                    context.file, of: header, loadShrink: plan.loadShrink,
                    isCancelled: context.isCancelled, makeOne: one)
            {
                return shared
            }
            return try one()
        }
        switch try coding.open(header, in: input) {
        case .simplerFile(let simpler):
            return try jpeg(ByteStream(context.file, simpler: simpler), nil)
        case .coefficients(let coefficients):
            return try jpeg(
                ByteStream(context.file, simpler: coefficients.header), coefficients)
        case .rows(let rows): return DecodedPlaneRows(rows)
        case .planes(let planes): return CodedPlaneRows(planes)
        }
    }
}
