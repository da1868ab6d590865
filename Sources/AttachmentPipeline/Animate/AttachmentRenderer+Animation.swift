import AttachmentAnimation
import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Makes a GIF of an animation where its plan has one, and finds the frame that the stills show.
    ///
    /// Nothing of it is held afterwards: the stills draw the frames again, up to theirs.
    ///
    /// - Parameters:
    ///   - plan: A plan whose decoder is that of animations.
    ///   - file: The attachment.
    ///   - context: Where frames lie, and when to stop.
    /// - Returns: The GIF, if there is one, and the frame.
    /// - Throws: `AttachmentError`.
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
        // One pass finds the frame of the stills; a GIF takes another, at least.
        try context.cancellation.expectTime(
            conversion.decodingTime(plan.header, passes: 1), for: file.path)
        guard plan.rung == .animated,
            conversion.fitsAsItIs
                || context.cancellation.leavesTime(
                    for: conversion.decodingTime(plan.header, passes: 2))
        else {
            return try still(
                of: conversion, "all frames would take more memory or time than they may",
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
            // Frames that are too short for a GIF are stood for by others, down to one.
            guard summary.frames > 1 else {
                return EncodedAnimation(
                    still: summary.tellingFrame, notes: ["a still"] + summary.notes)
            }
            return EncodedAnimation(
                still: summary.tellingFrame, notes: summary.notes,
                moving: EncodedAnimation.Moving(output, summary))
        } catch {
            guard error.code == .doesNotFit else {
                throw AttachmentError(error, of: file, plan.header)
            }
            return try still(of: conversion, error.reason, plan, file, context)
        }
    }

    /// Keeps a GIF as it is that is within both budgets; finding the frame decodes all of it, which is
    /// where damage shows.
    private func keep(
        _ conversion: AnimationConversion, _ plan: Plan, _ file: AttachmentFile,
        _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedAnimation {
        let frame = try tellingFrame(of: conversion, plan, file, context)
        return EncodedAnimation(
            still: frame, notes: ["the animation was kept as it was"],
            moving: EncodedAnimation.Moving(keeping: conversion.outline))
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
    /// What the settings of the renditions ask of an animation.
    ///
    /// - Parameter settings: The settings.
    init(_ settings: ProcessingSettings) {
        self.init()
        width = settings.widthInPixels
        // Only the budgets bound the height, as with stills.
        height = Planner.longestSide
        bytes = settings.maximumBytes.bytes
        renderBytes = settings.animationRenderBudget.bytes
        limits = settings.animationLimits
    }
}

extension AnimationConversion {
    /// Estimates the time for decoding all frames.
    ///
    /// - Parameters:
    ///   - header: What the probe learnt.
    ///   - passes: How often they are decoded.
    /// - Returns: The time.
    fileprivate func decodingTime(_ header: AttachmentHeader, passes: Int) -> Duration {
        DecodingTime.estimate(of: header, pixels: outline.drawnPixels, passes: passes)
    }
}

extension RenderingContext {
    /// Asks whether the work was withdrawn.
    var isCancelled: @Sendable () -> Bool { { [cancellation] in cancellation.isRequested } }

    /// Where the frames of an animation lie.
    ///
    /// - Returns: The space.
    /// - Throws: `AnimationFault` when there is none, for which no such plan is made.
    fileprivate func animationScratch() throws(AnimationFault) -> ScratchSpace {
        do throws(DecodingFault) {
            return try neededScratch()
        } catch {
            throw AnimationFault(error)
        }
    }
}
