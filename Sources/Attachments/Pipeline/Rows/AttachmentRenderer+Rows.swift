import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Foundation

/// The engine of rows: planes of a decoder → resampler → colours at the reduced size → orientation →
/// crop → encoder; banner and placeholder from the same planes.
extension AttachmentRenderer {
    /// Makes the renditions of a still picture: of the attachment, or of `frame`.
    func makeStillsByRows(
        _ context: RenderingContext, of frame: (any DecodedRows)?
    ) throws(AttachmentError) -> Stills {
        let plan = context.plan
        let upright = plan.isKept ? plan.sizeBesideKeptFile(settings) : plan.reducedSize
        let source = plan.decodedHeader
        let size =
            source.coding.isOrientedByDecoder ? upright : source.orientation.upright(upright)
        let picture = try context.decodingRows { () throws(DecodingFault) in
            try reducedPicture(context, of: frame, to: size)
        }
        let content = try makeContent(of: picture, context)
        return Stills(
            expanded: content.expanded, banner: content.banner,
            others: try makeRenditions(of: picture, where: content.attention, context),
            placeholder: content.placeholder)
    }

    /// The expanded rendition and the banner, if they are among the plan's presets, and what is known
    /// of the picture.
    private struct Content {
        let expanded: EncodedRendition?
        let banner: EncodedRendition?
        let placeholder: Placeholder
        /// Attention of the whole picture.
        let attention: Attention
    }

    private func makeContent(
        of picture: HeldPicture, _ context: RenderingContext
    ) throws(AttachmentError) -> Content {
        let plan = context.plan
        let view = try context.decodingRows { () throws(DecodingFault) in
            guard plan.isReducedTwice, !plan.isKept else { return PictureView(picture) }
            return PictureView(
                try reduce(
                    PictureViewRows(PictureView(picture)), to: plan.wholeSize,
                    scratch: context.scratch, isCancelled: context.isCancelled))
        }
        var part = view
        var crop: UnitRectangle?
        var attention: Attention?
        if plan.isCropped {
            let whole = Attention(
                try context.decodingRows { () throws(DecodingFault) in
                    try Miniature(of: PictureView(smallPicture(of: view, context)), context)
                })
            let cutout = Cutout(plan.expandedSize, of: view.size, where: whole).aligned
            (part, crop, attention) = (PictureView(view.picture, cutout), cutout.part, whole)
        }
        let expanded = try makeExpanded(of: part, crop, notes: picture.notes, context)
        let small = try context.decodingRows { () throws(DecodingFault) in
            let isSmall = part.size == coveringSize(of: part.size)
            guard !plan.isKept || !isSmall else { return picture }
            return try smallPicture(of: part, context)
        }
        let miniature = try context.decodingRows { () throws(DecodingFault) in
            try Miniature(of: PictureView(small), context)
        }
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: context.file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        let shown = Attention(miniature)
        return Content(
            expanded: expanded,
            banner: plan.presets.includesBanner
                ? try makeBanner(of: small, where: shown, context) : nil,
            placeholder: placeholder, attention: attention ?? shown)
    }

    /// Nil without the preset of a content extension.
    private func makeExpanded(
        of part: PictureView, _ crop: UnitRectangle?, notes: [String], _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition? {
        let plan = context.plan
        guard plan.presets.includesContent else { return nil }
        switch plan.treatment {
        case .copy: return EncodedRendition(keeping: plan.header)
        case .copyUnlessOpaque where !part.isOpaque: return EncodedRendition(keeping: plan.header)
        case .strip: return try strip(context)
        case .turn: return try turn(context)
        case .copyUnlessOpaque, .encode:
            return try fit(
                part, as: .expanded, part: crop, notes: notes,
                quality: plan.quality(atMost: settings.quality, of: plan.wholeSize),
                floor: settings.bannerSideInPixels, context)
        }
    }

    private func makeBanner(
        of small: HeldPicture, where attention: Attention, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let side = min(settings.bannerSideInPixels, small.size.width, small.size.height)
        let square = Cutout(
            PixelSize(width: side, height: side), of: small.size, where: attention
        ).aligned
        return try fit(
            PictureView(small, square), as: .banner, part: square.part, notes: [],
            quality: settings.quality, floor: side / 4, context)
    }

    private func coveringSize(of size: PixelSize) -> PixelSize {
        Planner.coveringSize(of: size, side: settings.bannerSideInPixels)
    }

    /// Reduces a view until it covers the banner.
    ///
    /// Any smaller one is made from the result, because a large reduction holds many rows.
    private func smallPicture(
        of view: PictureView, _ context: RenderingContext
    ) throws(DecodingFault) -> HeldPicture {
        try reduce(
            PictureViewRows(view), to: coveringSize(of: view.size), scratch: context.scratch,
            isCancelled: context.isCancelled)
    }

    /// Decodes, resamples and converts the picture.
    ///
    /// RGB is converted after the reduction, because a tenth of the pixels is left then.
    ///
    /// `size` is before orientation, unless the decoder orients.
    private func reducedPicture(
        _ context: RenderingContext, of frame: (any DecodedRows)?, to size: PixelSize
    ) throws(DecodingFault) -> HeldPicture {
        let plan = context.plan
        let header = plan.decodedHeader
        let isOriented = header.coding.isOrientedByDecoder
        // The first steps load a large profile and build the tables of its conversion.
        return try ScratchHeap.placing(in: context.conversionHeap) { () throws(DecodingFault) in
            var rows: any PlaneRows =
                if let frame { DecodedPlaneRows(frame) } else { try planeRows(context) }
            let layout = rows.layout
            let colours = SourceColours(
                layout.model, profile: rows.profile,
                isExpected: header.profileBytes > 0, tags: rows.tags)
            var conversion = colours.profile.flatMap { ProfileConversion(from: $0, of: layout) }
            var note = colours.note
            if colours.profile != nil, conversion == nil { note = ColourProfile.unreadable }
            if layout.hasInks {
                rows = ConvertedRows(rows, by: conversion.take() ?? PressConversion(of: layout))
            } else if layout.sampleBytes > 1, conversion?.isCoarse ?? false {
                // The resampler gives samples of 8 bits.
                conversion = nil
                if let deep = colours.profile.flatMap({
                    ProfileConversion(from: $0, of: layout, isDeep: true)
                }) {
                    rows = ConvertedRows(rows, by: deep)
                }
            }
            let picture = try reduce(
                rows, to: size, isOriented ? .upright : header.orientation,
                asRGB: conversion != nil && !layout.colours.isGrey, scratch: context.scratch,
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
        let jpeg = { (stream: ByteStream) throws(DecodingFault) in
            try JPEGPlaneRows(
                stream, loadShrink: plan.loadShrink, keepsProfile: header.profileBytes > 0,
                readsAhead: context.readsAhead, strictness, notes: context.notes)
        }
        guard let coding = header.decodableCoding else {
            throw DecodingFault(.unsupported, at: 0, "\(header.coding.name) has no decoder")
        }
        var input = context.decoderInput(isPreview: false)
        input.isStrict = isCopied
        if let rows = try coding.openRows(in: input) { return DecodedPlaneRows(rows) }
        if let planes = try coding.openPlanes(in: input) { return CodedPlaneRows(planes) }
        guard plan.decoder != .library else {
            // Bounds the length of the profile.
            let stripped = header.profileBytes > 0 ? coding.strippedFile(in: input) : nil
            return try jpeg(ByteStream(context.file, simpler: stripped))
        }
        switch try coding.open(header, in: input) {
        case .simplerFile(let simpler):
            return try jpeg(ByteStream(context.file, simpler: simpler))
        case .rows(let rows):
            return DecodedPlaneRows(rows)
        }
    }

    /// Encodes a view, going down the ladder until the file is under the byte ceiling.
    func fit(
        _ view: PictureView, as role: RenditionRole, part: UnitRectangle?, notes: [String] = [],
        quality: Int, floor: Int, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        try context.fit(
            PictureFacts(
                role, size: view.size, hasAlpha: !view.isOpaque,
                isGrey: view.picture.colours.isGrey, notes: notes, part: part, quality: quality,
                floor: floor,
                content: context.plan.header.format == .jpeg
                    ? .continuous : PictureContent(of: view),
                hasSharpChroma: context.plan.decodedHeader.hasFullChroma && view.hasSharpChroma),
            colours: { size in
                // Resampling mixes colours, so the smaller picture is counted.
                let counted = try? self.view(view, reducedTo: size, context)
                return counted.map { ColourEstimate(of: PackedPixels(of: $0)).count } ?? .max
            }
        ) { attempt, output throws(AttachmentError) in
            let smaller = try self.view(view, reducedTo: attempt.size, context)
            do throws(EncodingFailure) {
                try encode(smaller, as: attempt, to: output.descriptor, context.scratch)
            } catch {
                throw AttachmentError(
                    .storage, file: context.file.path, reason: "the rendition cannot be written",
                    detail: error.reason)
            }
        }
    }

    /// The view itself, or one of a smaller picture.
    private func view(
        _ view: PictureView, reducedTo size: PixelSize, _ context: RenderingContext
    ) throws(AttachmentError) -> PictureView {
        guard size != view.size else { return view }
        return PictureView(
            try context.decodingRows { () throws(DecodingFault) in
                try reduce(
                    PictureViewRows(view), to: size, scratch: context.scratch,
                    isCancelled: context.isCancelled)
            })
    }
}

private func encode(
    _ view: PictureView, as attempt: EncodingLadder.Attempt, to descriptor: CInt,
    _ scratch: ScratchSpace?
) throws(EncodingFailure) {
    let isOptimal = attempt.hasOptimalTables
    switch attempt.encoding {
    case .jpeg(let quality):
        try encodeJPEG(
            view, quality: quality, halvesChroma: true, hasOptimalTables: isOptimal, to: descriptor)
    case .fullChromaJPEG(let quality):
        try encodeJPEG(
            view, quality: quality, halvesChroma: false, hasOptimalTables: isOptimal,
            to: descriptor)
    case .png: try encodePNG(view, to: descriptor)
    case .palettePNG: try encodePalettePNG(view, to: descriptor, scratch: scratch)
    }
}

extension RenderingContext {
    /// Runs a step of the engine of rows, and converts its error to the attachment's.
    func decodingRows<Value>(
        _ step: () throws(DecodingFault) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            return try step()
        } catch {
            guard !cancellation.isRequested else { throw .cancelled(file.path) }
            throw AttachmentError(error, of: file, plan.header)
        }
    }
}
