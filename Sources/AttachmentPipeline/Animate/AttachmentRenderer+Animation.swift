import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

extension AttachmentRenderer {
    /// Makes the GIF of an animation if its plan has one, and selects the frame for the stills.
    ///
    /// No frame is kept: the stills decode the frames again, up to the selected one.
    func animate(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        defer { SmallHeap.trim() }
        let conversion: AnimationConversion
        do throws(AnimationFault) {
            conversion = try AnimationConversion(
                of: AnimationFile(file, plan.header, context.strictness),
                settings: AnimationSettings(settings), scratch: context.animationScratch())
        } catch {
            guard error.code == .notAnimated else {
                throw AttachmentError(error, of: file, plan.header)
            }
            return EncodedAnimation(still: 0, notes: ["a still: \(error.reason)"])
        }
        // One pass selects the frame; a GIF takes at least another.
        try context.cancellation.requireTime(
            conversion.decodingTime(plan.header, passes: 1), for: file.path)
        guard plan.rung == .animated,
            conversion.fitsAsItIs
                || context.cancellation.leavesTime(
                    for: conversion.decodingTime(plan.header, passes: 2))
        else {
            return try still(
                of: conversion, "all frames would exceed the memory or time limit",
                plan, file, context)
        }
        if conversion.fitsAsItIs, !plan.header.hasMetadata {
            return try keep(conversion, plan, file, context)
        }
        let output = try storing(file.path) { () throws(ContainerError) in
            try context.outputs.next()
        }
        do throws(AnimationFault) {
            let summary = try conversion.run(
                to: output.descriptor, isCancelled: context.isCancelled)
            // Merging frames too short for a GIF can leave only one.
            guard summary.frames > 1 else {
                return EncodedAnimation(
                    still: summary.tellingFrame, notes: ["a still"] + summary.notes)
            }
            return EncodedAnimation(
                still: summary.tellingFrame, notes: summary.notes,
                gif: EncodedAnimation.GIF(output, summary))
        } catch {
            guard error.code == .doesNotFit else {
                throw AttachmentError(error, of: file, plan.header)
            }
            return try still(of: conversion, error.reason, plan, file, context)
        }
    }

    /// Keeps a GIF within both budgets as it is; selecting the frame decodes all of it and so finds
    /// damage.
    private func keep(
        _ conversion: AnimationConversion, _ plan: Plan, _ file: AttachmentFile,
        _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        let frame = try tellingFrame(of: conversion, plan, file, context)
        return EncodedAnimation(
            still: frame, notes: ["the animation was kept as it was"],
            gif: EncodedAnimation.GIF(keeping: conversion.outline))
    }

    private func still(
        of conversion: AnimationConversion, _ reason: String, _ plan: Plan,
        _ file: AttachmentFile, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        let frame = try tellingFrame(of: conversion, plan, file, context)
        let frames = conversion.outline.delays.count
        return EncodedAnimation(
            still: frame, notes: ["a still of frame \(frame + 1) of \(frames): \(reason)"])
    }

    private func tellingFrame(
        of conversion: AnimationConversion, _ plan: Plan, _ file: AttachmentFile,
        _ context: RenderingContext
    ) throws(AttachmentError) -> Int {
        do throws(AnimationFault) {
            return try conversion.tellingFrame(isCancelled: context.isCancelled)
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
    /// Estimates the time for decoding all frames `passes` times.
    fileprivate func decodingTime(_ header: AttachmentHeader, passes: Int) -> Duration {
        DecodingTime.estimate(of: header, pixels: outline.drawnPixels, passes: passes)
    }
}

extension RenderingContext {
    var isCancelled: @Sendable () -> Bool { { [cancellation] in cancellation.isRequested } }

    fileprivate func animationScratch() throws(AnimationFault) -> ScratchSpace {
        do throws(DecodingFault) {
            return try requiredScratch()
        } catch {
            throw AnimationFault(error)
        }
    }
}
