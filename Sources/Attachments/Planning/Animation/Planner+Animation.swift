import AttachmentContainer
package import AttachmentModel

extension Planner {
    /// Requires a scratch file for the canvas, and a reduction that the engine of rows supports.
    func canConvertAnimation(_ header: AttachmentHeader) -> Bool {
        header.isAnimated && hasScratch && settings.decoder == .automatic
            && decoders.hasRowEngine && decoders.hasBoundedDecoder(for: header.coding)
            && animationDecoder(of: header) != nil
            && isReducibleByRows(header, sizes(of: header.canvas.uprightSize))
    }

    /// Steps for an animation, best first: all frames, then stills of the best frame, each of which
    /// takes less memory than the one before.
    func animationSteps(_ header: AttachmentHeader) -> [PlanLadder.Step] {
        let full = sizes(of: header.canvas.uprightSize)
        var steps = [step(animationPlan(header, at: full, rung: .fileBacked, reduction: 1))]
        if settings.presets.includesContent {
            let animated = animationPlan(header, at: full, rung: .animated, reduction: 1)
            steps.insert(step(animated), at: 0)
        }
        for share in Self.reductions {
            let sizes = full.scaled(by: share, self, of: header.canvas.uprightSize)
            guard sizes.coversBanner(settings), isReducibleByRows(header, sizes) else { continue }
            let smaller = step(
                animationPlan(header, at: sizes, rung: .reduced, reduction: share))
            if smaller.demand.total < steps[steps.count - 1].demand.total { steps.append(smaller) }
        }
        return steps
    }

    private func isReducibleByRows(_ header: AttachmentHeader, _ sizes: Sizes) -> Bool {
        let (source, target) = (header.canvas.storedSize, sizes.reduced)
        let reduction = max(
            Double(source.width) / Double(target.width),
            Double(source.height) / Double(target.height))
        return reduction <= Self.largestCanvasReduction
    }

    /// Half of the resampler's limit, because parts of a canvas are not averaged in boxes.
    private static let largestCanvasReduction = 85.0

    private func animationPlan(
        _ header: AttachmentHeader, at sizes: Sizes, rung: Rung, reduction: Double
    ) -> Plan {
        Plan(
            header, settings.presets, at: sizes, decoder: .animation, engine: .rows,
            animationSize: rung == .animated ? animationSize(of: header) : nil,
            usesScratch: true, rung: rung, reduction: reduction)
    }

    /// Largest size, in pixels, at which all frames fit the width and the animation render budget.
    ///
    /// An unknown frame count is taken as two.
    func animationSize(of header: AttachmentHeader) -> PixelSize {
        let size = header.canvas.storedSize
        let (width, height) = (Double(size.width), Double(size.height))
        let frames = Double(max(2, header.frameCount ?? 2))
        let pixels = Double(settings.animationRenderBudget.bytes) / 4 / frames
        let share = min(
            1, Double(settings.widthInPixels) / width, (pixels / width / height).squareRoot())
        return PixelSize(width: max(1, Int(width * share)), height: max(1, Int(height * share)))
    }
}

extension AttachmentHeader {
    /// The still picture of an animation's file; nil without one.
    package var still: AttachmentHeader? {
        coding.still.map {
            var still = self
            still.coding = $0
            return still
        }
    }

    /// The canvas is an upright 8-bit RGB picture with alpha, read row by row at full size.
    ///
    /// It has the colours of the frames, which stills and GIF are converted from.
    package var canvas: AttachmentHeader {
        var canvas = self
        canvas.coding = CanvasCoding(format: format)
        (canvas.orientation, canvas.colourModel) = (.upright, .rgb)
        (canvas.bitsPerSample, canvas.hasAlpha, canvas.preview) = (8, true, nil)
        if let colours = frameColours {
            (canvas.profileBytes, canvas.colourTags) = (colours.profileBytes, colours.tags)
        }
        return canvas
    }
}
