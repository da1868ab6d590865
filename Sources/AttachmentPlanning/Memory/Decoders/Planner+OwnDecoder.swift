import AttachmentContainer

extension Planner {
    /// What a decoder of ours takes, and the library's that it feeds.
    ///
    /// - Parameter plan: A plan whose decoder is ours.
    /// - Returns: Bytes.
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

    /// What drawing the frames takes, and on the rung `animated` making a GIF of them.
    private func animation(of plan: Plan) -> Double {
        let (header, size) = (plan.header, plan.header.storedSize)
        // More are refused when they are counted.
        let most = settings.animationLimits.frames
        let frames = min(header.frameCount ?? most, most)
        guard plan.rung == .animated else {
            return AnimationDemand.stillBytes(
                format: header.format, width: size.width, height: size.height, frames: frames)
        }
        // Fewer frames than all may be shown larger.
        return AnimationDemand.bytes(
            format: header.format, width: size.width, height: size.height,
            outputWidth: min(size.width, settings.widthInPixels), frames: frames)
    }
}

extension AttachmentHeader {
    /// Samples of a pixel as the file has them.
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
