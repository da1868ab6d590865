import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

#if SYSTEM_CODECS
    import CJPEG
#endif

/// Resamples a picture and holds the result; chroma that is not needed at full size stays halved.
///
/// `size` is the result's size as stored, before orientation. With `asRGB`, YCbCr becomes RGB. With
/// `isLinear` light is averaged, so that a reduced picture of YCbCr becomes RGB too.
func reduce(
    _ source: any PlaneRows, to size: PixelSize, _ orientation: Orientation = .upright,
    asRGB: Bool = false, isLinear: Bool, scratch: ScratchSpace?,
    isCancelled: () -> Bool = { false }
) throws(DecodingFault) -> HeldPicture {
    let isLinear = isLinear && !source.layout.hasSize(size)
    let source =
        isLinear && source.layout.colours == .yCbCr ? RGBPlaneRows(source) : source
    let layout = source.layout
    let colours = HeldPicture.Colours(layout.colours, asRGB: asRGB)
    let picture = try HeldPicture(size, colours, orientation, notes: source.notes, scratch: scratch)
    // Planes become the bands of RGB pixels.
    let isWoven = layout.planes.count > 1 && colours != .yCbCr420
    let isBoxed = layout.reduction(to: size) >= ResamplerBoxes.smallestReduction
    var resamplers: [Resampler] = []
    for (index, plane) in layout.planes.enumerated() {
        let isHalved = colours == .yCbCr420 && index > 0
        let (across, down) = orientation.reversals
        var columns = TargetAxis(
            plane.covered.width, size.width, isHalved, isReversed: across)
        var rows = TargetAxis(plane.covered.height, size.height, isHalved, isReversed: down)
        if isBoxed {
            columns.box = ResamplerBoxes.side(step: columns.step)
            rows.box = ResamplerBoxes.side(step: rows.step)
        }
        resamplers.append(try Resampler(plane, of: layout, to: columns, rows, isLinear: isLinear))
    }
    var next = Array(repeating: 0, count: resamplers.count)
    while try source.next({ plane, row in
        resamplers[plane].push(row) { finished in
            if isWoven {
                picture.planes[0].write(
                    finished, of: layout.bands, at: next[plane], band: plane,
                    isWithAlpha: layout.hasAlpha && plane == 0)
            } else {
                picture.planes[plane].write(finished, at: next[plane])
            }
            next[plane] += 1
        }
    }) {
        guard !isCancelled() else { throw DecodingFault(.cancelled, at: 0, "it was cancelled") }
    }
    if isWoven, layout.colours != .rgbPlanes {
        let samples = picture.planes[0].samples
        #if SYSTEM_CODECS
            thimble_jpeg_to_rgb(
                samples.baseAddress?.assumingMemoryBound(to: UInt8.self),
                samples.count / colours.bands, CInt(colours.bands))
        #else
            assert(samples.isEmpty, "only decoders of C libraries give planes of YCbCr")
        #endif
    }
    return picture
}

extension PlaneLayout {
    /// True for a picture of this size, whose samples stay as they are.
    fileprivate func hasSize(_ size: PixelSize) -> Bool {
        planes[0].covered == (Double(size.width), Double(size.height))
    }

    /// Reduction of the longer side.
    fileprivate func reduction(to size: PixelSize) -> Double {
        let covered = planes[0].covered
        return max(covered.width, covered.height) / Double(max(size.width, size.height))
    }
}

extension HeldPicture.Colours {
    fileprivate init(_ decoded: PlaneLayout.Colours, asRGB: Bool) {
        switch decoded {
        case .grey: self = .grey
        case .yCbCr: self = asRGB ? .rgb : .yCbCr420
        // Inks are converted before.
        case .rgbPlanes, .rgb, .cmyk, .invertedCMYK: self = .rgb
        case .greyAlpha: self = .greyAlpha
        case .rgba, .yCbCrAlpha: self = .rgba
        }
    }
}

extension TargetAxis {
    /// The axis of a plane whose picture has `pixels` afterward.
    ///
    /// Halved chroma of an odd number of pixels begins half a sample outside of the picture, if
    /// the picture is read backward.
    fileprivate init(_ covered: Double, _ pixels: Int, _ isHalved: Bool, isReversed: Bool) {
        let step = covered / Double(pixels)
        guard isHalved else {
            self.init(samples: pixels, step: step)
            return
        }
        self.init(
            samples: (pixels + 1) / 2, step: 2 * step,
            origin: isReversed && pixels % 2 == 1 ? -step : 0)
    }
}
