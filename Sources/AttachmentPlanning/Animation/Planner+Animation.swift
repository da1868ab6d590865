import AttachmentContainer
package import AttachmentModel

extension Planner {
    /// Requires a scratch file for the canvas.
    func canConvertAnimation(_ header: AttachmentHeader) -> Bool {
        header.isAnimated && hasScratch && settings.decoder == .automatic
            && header.coding.animationDemand(of: header) != nil
    }

    /// Plans for an animation, best first: all frames, then stills of the best frame.
    func animationPlans(_ header: AttachmentHeader) -> [Plan] {
        let full = sizes(of: header.canvas.uprightSize)
        let stills = [1] + Self.reductions
        return [animationPlan(header, at: full, rung: .animated, reduction: 1)]
            + stills.compactMap { share in
                let sizes = full.scaled(by: share)
                guard share == 1 || sizes.coversBanner(settings) else { return nil }
                return animationPlan(
                    header, at: sizes, rung: share == 1 ? .fileBacked : .reduced, reduction: share)
            }
    }

    private func animationPlan(
        _ header: AttachmentHeader, at sizes: Sizes, rung: Rung, reduction: Double
    ) -> Plan {
        let canvas = header.canvas
        return Plan(
            header: header, reducedSize: sizes.reduced, expandedSize: sizes.expanded, loadShrink: 1,
            loadScale: 1, box: box(of: canvas, sizes.reduced, 1),
            kernel: Self.kernel(from: canvas.storedSize, to: sizes.reduced, loadShrink: 1),
            treatment: .encode, decoder: .animation, engine: .libvips,
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
    /// The canvas is an upright 8-bit sRGB picture with alpha, read row by row at full size.
    package var canvas: AttachmentHeader {
        var canvas = self
        canvas.coding = CanvasCoding(format: format)
        (canvas.orientation, canvas.colourModel) = (.upright, .rgb)
        (canvas.bitsPerSample, canvas.profileBytes) = (8, 0)
        (canvas.hasAlpha, canvas.preview) = (true, nil)
        return canvas
    }
}
