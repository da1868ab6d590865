package import AttachmentContainer

/// One run of a peer on a file, at one cap or without.
package struct Attempt: Sendable, Hashable, Codable {
    /// What became of it.
    package enum Outcome: String, Sendable, Hashable, Codable {
        /// A whole picture of the size asked for, or all bytes of what is passed through.
        case survived
        /// A whole picture, smaller than asked for, or a still of what moves.
        case reduced
        /// The small picture that was embedded in the file.
        case preview
        /// It declined, said why and ended in order.
        case refused
        /// The system killed it, or a process of its own.
        case killed
        /// It gave up, or what it made is not whole.
        case failed
        /// It was not done in time.
        case timedOut = "timed-out"
    }

    /// What it made.
    package struct Picture: Sendable, Hashable, Codable {
        /// The length of the file.
        package let bytes: ByteCount
        /// Its size, in pixels; 0 for sound.
        package let size: PixelSize
        /// The digest of the file.
        package let digest: ContentDigest
        /// The rung of the ladder, where the peer says.
        package let rung: String?
    }

    /// The cap in MiB; nil where there was none.
    package let cap: Int?
    /// What became of it.
    package let outcome: Outcome
    /// Why, where it did not survive.
    package let reason: String?
    /// What it took.
    package let measurement: Measurement
    /// What it made; nil where that is no whole picture.
    package let picture: Picture?
}

/// All that was found about one peer and one file.
package struct Cell: Sendable, Hashable, Codable {
    /// The file's name.
    package let file: String
    /// The peer's name.
    package let peer: String
    /// The run without a cap; for a peer that limits itself, the one at its planning cap.
    package let open: Attempt
    /// The runs at caps, smallest first; they end with the first that survived.
    package let capped: [Attempt]
    /// How near the result is to the reference; nil where that was not measured.
    package var quality: Quality?

    /// The smallest cap survived at full size, in MiB.
    package var smallestCap: Int? { capped.first { $0.outcome == .survived }?.cap }

    /// The smallest cap at which there was any picture, in MiB.
    package var smallestCapOfAnyPicture: Int? {
        capped.first { [.survived, .reduced, .preview].contains($0.outcome) }?.cap
    }

    /// The run that the cell's figures are of: the open one, or else the first that survived.
    package var representative: Attempt? {
        open.outcome == .survived ? open : capped.first { $0.outcome == .survived }
    }
}

/// How near a picture is to the reference.
package struct Quality: Sendable, Hashable, Codable {
    /// Peak signal-to-noise ratio over red, green and blue, in dB.
    package let psnr: Double
    /// Structural similarity of the luma (Wang et al., 2004), at most 1.
    package let ssim: Double

    /// Makes a pair of figures.
    ///
    /// - Parameters:
    ///   - psnr: Peak signal-to-noise ratio, in dB.
    ///   - ssim: Structural similarity, at most 1.
    package init(psnr: Double, ssim: Double) {
        self.psnr = psnr
        self.ssim = ssim
    }
}
