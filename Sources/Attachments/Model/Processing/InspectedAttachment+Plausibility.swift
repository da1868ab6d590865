internal import AttachmentContainer

extension InspectedAttachment {
    /// Range checks for the answer of an untrusted worker.
    package var isPlausible: Bool {
        guard budget.isPlausible, predictedPeak?.isPlausible ?? true else { return false }
        switch content {
        case .media(let header): return header.isPlausible && steps.isEmpty
        case .picture(let summary):
            return summary.isPlausible && (1...Self.mostSteps).contains(steps.count)
                && steps.allSatisfy(\.isPlausible) && steps.count { $0.isChosen } <= 1
        }
    }

    /// A ladder has at most eight steps.
    private static let mostSteps = 32
}

extension InspectedAttachment.Step {
    fileprivate var isPlausible: Bool {
        size.isPlausible && animationSize?.isPlausible ?? true && plan.isShort(1024)
            && predictedPeak.isPlausible && over?.isPlausible ?? true
            && (over == nil || !isChosen) && terms.count <= Self.mostTerms
            && terms.allSatisfy { $0.name.isShort(256) && $0.bytes.isPlausible }
    }

    /// A plan has fewer than thirty terms.
    private static let mostTerms = 64
}

extension MemoryBudget {
    fileprivate var isPlausible: Bool {
        cap.footprint.isPlausible && baseline.isPlausible && reserve.isPlausible
    }
}

extension PictureSummary {
    fileprivate var isPlausible: Bool {
        format.rawValue.isWord && coding.isWord && storedSize.isPlausible
            && unitSize?.isPlausible ?? true && uncroppedSize?.isPlausible ?? true
            && previewSize?.isPlausible ?? true && bitsPerSample.isCount
            && (frameCount ?? 0).isCount && timing?.isPlausible ?? true && profileBytes.isCount
            && chromaSubsampling?.isWord ?? true && fileBytes.isPlausible
    }
}

extension AnimationTiming {
    fileprivate var isPlausible: Bool { loopCount.isCount && (seconds ?? 0) >= 0 }
}

extension MediaHeader {
    fileprivate var isPlausible: Bool {
        coding?.isWord ?? true && size?.isPlausible ?? true && fileBytes.isPlausible
            && duration.map(Manifest.Rendition.credibleDurations.contains) ?? true
    }
}

extension ByteCount {
    fileprivate var isPlausible: Bool { bytes >= 0 }
}
