import AttachmentContainer
import AttachmentModel

extension Planner {
    /// Heap of a plan's bounded decoder, with any library decoder behind it, in bytes.
    func boundedDecoder(of plan: Plan) -> Double {
        if plan.decoder == .animation { return animation(of: plan) }
        let header = plan.decodedHeader
        return header.coding.boundedDemand(
            of: header,
            DecodingConditions(
                usesScratch: plan.usesScratch, placesLargeBlocks: placesLargeBlocks,
                requestedSize: plan.reducedStoredSize))
    }

    private func animation(of plan: Plan) -> Double {
        let (header, size) = (plan.header, plan.header.storedSize)
        // Plans exist only for animations with a decoder.
        let decoder = header.coding.animationDemand(of: header) ?? .infinity
        // More frames are refused when they are counted.
        let most = settings.animationLimits.frames
        let frames = min(header.frameCount ?? most, most)
        guard plan.rung == .animated else {
            return AnimationDemand.stillBytes(decoder: decoder, width: size.width, frames: frames)
        }
        // With some frames dropped, the rest may be larger.
        return AnimationDemand.bytes(
            decoder: decoder, width: size.width,
            outputWidth: min(size.width, settings.widthInPixels), frames: frames)
    }
}
