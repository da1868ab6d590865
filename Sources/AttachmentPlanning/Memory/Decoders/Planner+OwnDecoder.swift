import AttachmentContainer

extension Planner {
    /// Heap of a plan's own decoder, with any library decoder behind it, in bytes.
    func ownDecoder(of plan: Plan) -> Double {
        if plan.decoder == .animation { return animation(of: plan) }
        let header = plan.decodedHeader
        let size = header.storedSize
        return switch header.format {
        case .jpeg:
            ProgressiveJPEGDemand.bytes(of: header) + Constant.jpegDecoder
        case .png:
            InterlacedPNGDemand.bytes(
                width: size.width, samples: header.codedSamples,
                bitsPerSample: header.bitsPerSample) + Constant.pngDecoder
        case .webp where header.coding == .lossless:
            LosslessWebPDemand.bytes(
                width: size.width, height: size.height, hasAlpha: header.hasAlpha,
                profileBytes: header.profileBytes, ringInScratch: plan.usesScratch)
        case .webp:
            LossyWebPDemand.bytes(
                width: size.width, height: size.height,
                scaledWidth: plan.reducedStoredSize.width,
                scaledHeight: plan.reducedStoredSize.height, hasAlpha: header.hasAlpha,
                profileBytes: header.profileBytes)
        case .gif:
            GIFDemand.bytes(width: size.width)
        case .heic, .avif:
            HEIFDemand.bytes(of: header, placesBlocks: placesLargeBlocks)
        case .tiff:
            TIFFDemand.bytes(
                width: size.width, height: size.height, samples: header.codedSamples,
                sampleBytes: (header.bitsPerSample + 7) / 8, unitSize: header.unitSize,
                isTiled: header.coding == .tiles, profileBytes: header.profileBytes)
        }
    }

    /// Heap for drawing the frames, and on the rung `animated` for making a GIF.
    private func animation(of plan: Plan) -> Double {
        let (header, size) = (plan.header, plan.header.storedSize)
        // More frames are refused when they are counted.
        let most = settings.animationLimits.frames
        let frames = min(header.frameCount ?? most, most)
        guard plan.rung == .animated else {
            return AnimationDemand.stillBytes(
                format: header.format, width: size.width, height: size.height, frames: frames)
        }
        // With some frames dropped, the rest may be larger.
        return AnimationDemand.bytes(
            format: header.format, width: size.width, height: size.height,
            outputWidth: min(size.width, settings.widthInPixels), frames: frames)
    }
}

extension AttachmentHeader {
    fileprivate var codedSamples: Int {
        let colours =
            switch colourModel {
            case .grey, .palette: 1
            case .rgb: 3
            case .cmyk: 4
            }
        return colours + (hasAlpha ? 1 : 0)
    }
}
