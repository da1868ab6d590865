internal import AttachmentContainer
package import AttachmentModel

extension JPEGCoding {
    package func turning(of header: AttachmentHeader) -> TurningDemand? {
        let isGrey = sampling.components.count == 1
        guard process != .arithmetic, header.bitsPerSample == 8, isGrey || sampling.isYCbCr,
            header.orientation != .upright
        else { return nil }
        // A single component is coded block by block (T.81, A.2.2).
        let sampling = isGrey ? .grey : sampling
        let (stored, reversals) = (header.storedSize, header.orientation.reversals)
        let unit = (width: Int(8 * sampling.unitWidth), height: Int(8 * sampling.unitHeight))
        guard !reversals.across || stored.width % unit.width == 0,
            !reversals.down || stored.height % unit.height == 0
        else { return nil }
        let held = sampling.components.reduce(0) { sum, factors in
            sum + blocks(stored.width, factors.horizontal, unit.width)
                * blocks(stored.height, factors.vertical, unit.height)
        }
        let turned = header.orientation.exchangesSides ? sampling.transposed : sampling
        return TurningDemand(
            held: Double(held * JPEGCoefficientStore.blockBytes),
            working: ProgressiveJPEGDemand.bytes(
                width: stored.width, sampling: sampling,
                scans: process == .baseline ? 1 : ProgressiveJPEGDemand.scans)
                + ProgressiveJPEGDemand.row(width: header.uprightSize.width, sampling: turned))
    }

    /// Blocks of a component in one direction (T.81, A.1.1).
    private func blocks(_ side: Int, _ factor: Int, _ unit: Int) -> Int {
        (side * factor + unit - 1) / unit
    }
}

extension JPEGSampling {
    fileprivate var transposed: JPEGSampling {
        JPEGSampling(
            components.map { Factors($0.vertical, $0.horizontal) }, isYCbCr: isYCbCr)
    }
}
