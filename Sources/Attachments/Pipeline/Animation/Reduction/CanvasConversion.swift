internal import AttachmentFormats

/// Conversion of a canvas's pixels to sRGB, with the same decisions as for stills.
final class CanvasConversion {
    private enum Step {
        case profile(ProfileConversion)
        /// sRGB of each level of grey.
        case levels([UInt8])
        case toneMapping(ToneMappedPixels)
    }

    private let step: Step

    /// Nil for sRGB, and for a profile that cannot be used, which the still has a note on.
    init?(from colours: CanvasColours) {
        let layout = PlaneLayout(colours: colours.isGrey ? .grey : .rgba, planes: [])
        let source = SourceColours(
            layout.model, profile: colours.profile, isExpected: false, tags: colours.tags)
        if let profile = source.profile {
            guard let conversion = ProfileConversion(from: profile, of: layout) else { return nil }
            step = colours.isGrey ? .levels(conversion.levels) : .profile(conversion)
        } else if let mapping = colours.tags.flatMap({
            ToneMappedPixels(from: $0, bands: AnimationCanvas.pixelBytes, bytesPerSample: 1)
        }) {
            step = .toneMapping(mapping)
        } else {
            return nil
        }
    }

    /// Converts RGBA pixels of a byte a sample, in place; alpha stays.
    func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        switch step {
        case .profile(let conversion): conversion.convert(pixels)
        case .toneMapping(let mapping): mapping.map(UnsafeRawBufferPointer(pixels), to: pixels)
        case .levels(let levels):
            let pixelBytes = AnimationCanvas.pixelBytes
            for start in stride(from: 0, to: pixels.count, by: pixelBytes) {
                let level = levels[Int(pixels[start])]
                for colour in 0..<3 { pixels[start + colour] = level }
            }
        }
    }
}
