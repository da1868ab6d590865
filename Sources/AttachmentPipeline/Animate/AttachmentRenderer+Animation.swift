import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import CHeap

extension AttachmentRenderer {
    /// Makes the GIF of an animation if its plan has one, and selects the frame for the stills.
    ///
    /// No frame is kept: the stills decode the frames again, up to the selected one.
    func animate(_ context: RenderingContext) throws(AttachmentError) -> EncodedAnimation {
        defer { thimble_trim_heap() }
        let header = context.plan.header
        let conversion: AnimationConversion
        do throws(AnimationFault) {
            conversion = try AnimationConversion(
                of: AnimationFile(context), settings: AnimationSettings(settings),
                scratch: AnimationFault.decoding { () throws(DecodingFault) in
                    try context.requiredScratch()
                })
        } catch {
            guard error.code == .notAnimated else {
                throw AttachmentError(error, of: context.file, header)
            }
            return EncodedAnimation(stillFrame: 0, notes: ["a still: \(error.reason)"])
        }
        // One pass selects the frame; a GIF takes at least another.
        try context.cancellation.requireTime(
            conversion.decodingTime(header, passes: 1), for: context.file.path)
        guard context.plan.rung == .animated,
            conversion.fitsAsItIs
                || context.cancellation.leavesTime(for: conversion.decodingTime(header, passes: 2))
        else {
            return try still(
                of: conversion, "all frames would exceed the memory or time limit", context)
        }
        if conversion.fitsAsItIs, !header.hasMetadata {
            // Selecting the frame decodes the whole GIF and so finds damage.
            let frame = try tellingFrame(of: conversion, context)
            return EncodedAnimation(
                .init(output: nil, summary: conversion.unchanged(tellingFrame: frame)))
        }
        let output = try context.nextOutput()
        do throws(AnimationFault) {
            let summary = try conversion.run(
                to: output.descriptor, isCancelled: context.isCancelled)
            // Merging frames too short for a GIF can leave only one.
            guard summary.frames > 1 else {
                return EncodedAnimation(
                    stillFrame: summary.tellingFrame, notes: ["a still"] + summary.notes)
            }
            return EncodedAnimation(.init(output: output, summary: summary))
        } catch {
            guard error.code == .doesNotFit else {
                throw AttachmentError(error, of: context.file, header)
            }
            return try still(of: conversion, error.reason, context)
        }
    }

    private func still(
        of conversion: AnimationConversion, _ reason: String, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        let frame = try tellingFrame(of: conversion, context)
        let frames = conversion.outline.delays.count
        return EncodedAnimation(
            stillFrame: frame, notes: ["a still of frame \(frame + 1) of \(frames): \(reason)"])
    }

    private func tellingFrame(
        of conversion: AnimationConversion, _ context: RenderingContext
    ) throws(AttachmentError) -> Int {
        do throws(AnimationFault) {
            return try conversion.tellingFrame(isCancelled: context.isCancelled)
        } catch {
            throw AttachmentError(error, of: context.file, context.plan.header)
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
    fileprivate func decodingTime(_ header: AttachmentHeader, passes: Int) -> Duration {
        DecodingTime.estimate(of: header, pixels: outline.drawnPixels, passes: passes)
    }
}
