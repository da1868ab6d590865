internal import AttachmentContainer

/// One run of a peer on a file, with or without a cap.
struct Attempt: Sendable, Hashable, Codable {
    enum Verdict: String, Sendable, Hashable, Codable {
        /// A complete picture of the requested size, or all bytes of media that is passed through.
        case survived
        /// A complete picture below the requested size, or a still of an animation.
        case reduced
        case preview
        /// The peer declined, gave the reason and exited normally.
        case refused
        /// The system killed the peer or one of its processes.
        case killed
        /// The peer exited with an error, or its output is incomplete.
        case failed
        case timedOut = "timed-out"
    }

    struct Picture: Sendable, Hashable, Codable {
        let bytes: ByteCount
        /// In pixels; 0 for sound.
        let size: PixelSize
        let digest: ContentDigest
        /// The rung of the ladder, if the peer reports it.
        let rung: String?
    }

    /// In MiB; nil without a cap.
    let cap: Int?
    let outcome: Verdict
    /// Reason for the outcome; nil if the peer survived.
    let reason: String?
    let measurement: Measurement
    /// Picture that the peer wrote; nil without a complete one.
    let picture: Picture?
}

/// All measurements of one peer on one file.
struct Cell: Sendable, Hashable, Codable {
    let file: String
    let peer: String
    /// The run without a cap.
    ///
    /// A peer that limits itself runs at its planning cap.
    let open: Attempt
    /// Runs at caps in ascending order, up to the first that survived.
    let capped: [Attempt]
    /// Similarity to the reference; nil if not measured.
    var quality: Quality?

    /// Smallest cap survived at full size, in MiB.
    var smallestCap: Int? { capped.first { $0.outcome == .survived }?.cap }

    /// Smallest cap with any picture, in MiB.
    var smallestCapOfAnyPicture: Int? {
        capped.first { [.survived, .reduced, .preview].contains($0.outcome) }?.cap
    }

    /// The run whose figures the tables show: the one without a cap, else the first that survived.
    var representative: Attempt? {
        open.outcome == .survived ? open : capped.first { $0.outcome == .survived }
    }
}

/// Similarity of a picture to the reference.
struct Quality: Sendable, Hashable, Codable {
    /// Peak signal-to-noise ratio over red, green and blue, in dB.
    let psnr: Double
    /// Structural similarity of the luma (Wang et al., 2004), at most 1.
    let ssim: Double
    /// Perceived similarity, at most 100; nil without the package `ssimulacra2`.
    var ssimulacra2: Double?
    /// Loss of SSIMULACRA2 against the reference encoded alike; nil also with alpha.
    var loss: Double?
}
