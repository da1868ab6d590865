internal import AttachmentContainer
internal import AttachmentPlanning

extension InspectedAttachment {
    /// Range checks for the answer of an untrusted worker.
    package var isPlausible: Bool {
        guard budget.isPlausible, predictedPeak?.isPlausible ?? true else { return false }
        switch content {
        case .media(let header): return header.isPlausible && rungs.isEmpty
        case .picture(let header):
            return header.isPlausible && (1...Self.mostRungs).contains(rungs.count)
                && rungs.allSatisfy(\.isPlausible) && rungs.count { $0.isChosen } <= 1
        }
    }

    /// A ladder has at most eight steps.
    private static let mostRungs = 32
}

extension InspectedAttachment.Rung {
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

extension AttachmentHeader {
    fileprivate var isPlausible: Bool {
        storedSize.isPlausible && unitSize?.isPlausible ?? true
            && uncroppedSize?.isPlausible ?? true && bitsPerSample.isCount
            && (frameCount ?? 0).isCount && timing?.isPlausible ?? true && profileBytes.isCount
            && chromaSubsampling?.isWord ?? true && preview?.isPlausible ?? true
            && frames.allSatisfy(\.isPlausible) && fileBytes.isPlausible
    }
}

extension FrameHeader {
    fileprivate var isPlausible: Bool {
        codedSize.isPlausible && size.isPlausible && bitsPerSample.isCount
            && chromaSubsampling?.isWord ?? true && pieces.isCount && blockSide.isCount
            && codedBytes.isCount
    }
}

extension EmbeddedPreview {
    fileprivate var isPlausible: Bool {
        size.isPlausible && frames.allSatisfy(\.isPlausible)
            && bytes.map { $0.lowerBound.isCount && $0.upperBound.isCount } ?? true
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
    /// Sums of a demand saturate at the largest number.
    fileprivate var isPlausible: Bool { bytes >= 0 }
}
