import AttachmentContainer
import AttachmentModel

extension Planner {
    /// Heap of a plan's bounded decoder, with any library decoder behind it, in bytes.
    func boundedDecoder(of plan: Plan) -> Double {
        let header = plan.decodedHeader
        return header.coding.boundedDemand(of: header, conditions(of: plan))
    }

    func conditions(of plan: Plan) -> DecodingConditions {
        DecodingConditions(
            usesScratch: plan.usesScratch, placesLargeBlocks: placesLargeBlocks,
            requestedSize: requestedSize(of: plan))
    }

    /// Heap of the decoder of an animation's frames, in bytes; nil if it is not converted.
    func animationDecoder(of header: AttachmentHeader) -> Double? {
        header.coding.animationDemand(
            of: header,
            DecodingConditions(
                usesScratch: hasScratch, placesLargeBlocks: placesLargeBlocks,
                requestedSize: header.storedSize))
    }

    /// Heap for decoding an animation, and for making its GIF, before the stills; 0 for other plans.
    func animation(of plan: Plan) -> Double {
        guard plan.decoder == .animation else { return 0 }
        let (header, size) = (plan.header, plan.header.storedSize)
        // Plans exist only for animations with a decoder.
        let decoder = animationDecoder(of: header) ?? .infinity
        // More frames are refused when they are counted.
        let most = settings.animationLimits.frames
        let frames = min(header.frameCount ?? most, most)
        guard plan.rung == .animated else {
            return AnimationDemand.stillBytes(decoder: decoder, width: size.width, frames: frames)
        }
        // With some frames dropped, the rest may be larger.
        return AnimationDemand.bytes(
            decoder: decoder,
            AnimationDemand.Geometry(
                width: size.width, height: size.height, outputWidth: settings.widthInPixels,
                outputHeight: Self.longestSide), frames: frames)
    }
}
