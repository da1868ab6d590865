import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import CSystemCalls

extension AttachmentRenderer {
    /// Makes the GIF of an animation if its plan has one, and keeps the canvas for the stills.
    ///
    /// Canvas and planes are on the heap while the grant covers them.
    func animate(_ context: RenderingContext) throws(AttachmentError) -> EncodedAnimation {
        defer { thimble_trim_heap() }
        let conversion = try context.animating { () throws(AnimationFault) in
            let scratch = try AnimationFault.decoding { () throws(DecodingFault) in
                try context.requiredScratch()
            }
            return try AnimationConversion(
                of: AnimationFile(context), settings: AnimationSettings(settings),
                in: PlaneSpace(scratch) { context.grant.covers(ByteCount($0)) },
                colourHeap: context.conversionHeap)
        }
        guard conversion.isAnimated else {
            let rows = try tellingFrame(of: conversion, context).rows
            return EncodedAnimation(
                still: rows,
                notes: ["a still: it has one frame only"] + conversion.outline.faults.texts)
        }
        let header = context.plan.header
        // Decoding selects the frame; encoding a GIF takes about as long.
        try context.cancellation.requireTime(
            conversion.decodingTime(context, passes: 1), of: conversion.outline.description,
            for: context.file.path)
        guard context.plan.rung == .animated,
            conversion.fitsAsItIs
                || context.cancellation.leavesTime(for: conversion.decodingTime(context, passes: 2))
        else {
            let reason =
                context.plan.presets.includesContent
                ? "all frames would exceed the memory or time limit" : "the presets show stills"
            return try still(of: conversion, reason, context)
        }
        if conversion.fitsAsItIs, !header.hasMetadata {
            // Selecting the frame decodes the whole GIF and so finds damage.
            let (number, rows) = try tellingFrame(of: conversion, context)
            return EncodedAnimation(
                .init(output: nil, summary: conversion.unchanged(tellingFrame: number)), rows)
        }
        return try convert(conversion, context)
    }

    private func convert(
        _ conversion: AnimationConversion, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        let output = try context.nextOutput()
        let summary: AnimationSummary
        do throws(AnimationFault) {
            summary = try conversion.run(to: output.target, isCancelled: context.isCancelled)
        } catch {
            guard error.code == .doesNotFit else {
                throw AttachmentError(error, of: context.file, context.plan.header)
            }
            return try still(of: conversion, error.reason, context)
        }
        let rows = try tellingFrame(of: conversion, context).rows
        // Merging frames too short for a GIF can leave only one.
        guard summary.frames > 1 else {
            return EncodedAnimation(still: rows, notes: ["a still"] + summary.notes)
        }
        return EncodedAnimation(.init(output: output, summary: summary), rows)
    }

    private func still(
        of conversion: AnimationConversion, _ reason: String, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        let (number, rows) = try tellingFrame(of: conversion, context)
        let frames = conversion.outline.delays.count
        return EncodedAnimation(
            still: rows,
            notes: ["a still of frame \(number + 1) of \(frames): \(reason)"]
                + conversion.outline.faults.texts)
    }

    private func tellingFrame(
        of conversion: AnimationConversion, _ context: RenderingContext
    ) throws(AttachmentError) -> (number: Int, rows: any DecodedRows) {
        try context.animating { () throws(AnimationFault) in
            try conversion.tellingFrame(isCancelled: context.isCancelled)
        }
    }
}

extension RenderingContext {
    /// Runs a step of the conversion, and converts its error to the attachment's.
    fileprivate func animating<Value>(
        _ step: () throws(AnimationFault) -> Value
    ) throws(AttachmentError) -> Value {
        do throws(AnimationFault) {
            return try step()
        } catch {
            throw AttachmentError(error, of: file, plan.header)
        }
    }
}

extension AnimationSettings {
    init(_ settings: ProcessingSettings) {
        self.init()
        width = settings.widthInPixels
        // As with stills, only the budgets limit the height.
        height = Planner.longestSide
        bytes = settings.maximumBytes.bytes
        renderBytes = settings.animationRenderBudget.bytes
        limits = settings.animationLimits
    }
}

extension AnimationConversion {
    fileprivate func decodingTime(_ context: RenderingContext, passes: Int) -> Duration {
        let size = context.plan.animationSize ?? PixelSize(width: 0, height: 0)
        let share = Double(size.pixelCount) / Double(outline.width * outline.height)
        return DecodingTime.estimate(
            ofAnimation: context.plan.header, pixels: outline.drawnPixels, passes: passes,
            // Only the first pass of several converts.
            converted: passes > 1 ? Int(Double(outline.drawnPixels) * min(1, share)) : 0,
            cap: context.settings.cap.footprint)
    }
}

extension AnimationOutline {
    /// For errors, such as `its 100 frames of 6300x6300 pixels`.
    fileprivate var description: String {
        "its \(delays.count) frames of \(PixelSize(width: width, height: height)) pixels"
    }
}
