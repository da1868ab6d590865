package import AttachmentContainer

/// The footprint of one worker over many attachments.
package struct FlatSeries: Sendable, Hashable, Codable {
    /// What was seen over some attachments.
    package struct Window: Sendable, Hashable, Codable {
        /// How many attachments were done at its end.
        package let attachments: Int
        /// The least footprint: what is held between attachments.
        package let least: ByteCount
        /// The highest: what an attachment takes.
        package let most: ByteCount
    }

    /// How many attachments there were.
    package let attachments: Int
    /// The windows, in order.
    package internal(set) var windows: [Window] = []
    /// How many processes did the work; more than one was not one warm worker.
    package internal(set) var workers = 0
    /// How many attachments failed.
    package internal(set) var failed = 0

    init(attachments: Int) { self.attachments = attachments }

    /// By how much the footprint held between attachments grew after the first window, at its
    /// worst.
    package var growth: ByteCount { growth(\.least) }

    /// By how much the peak grew after the first window, at its worst.
    package var peakGrowth: ByteCount { growth(\.most) }

    /// The most in any later window over what the second had: the first holds the worker's start.
    private func growth(_ figure: (Window) -> ByteCount) -> ByteCount {
        let later = windows.dropFirst().map { figure($0).bytes }
        guard let base = later.first, let most = later.max() else { return ByteCount(0) }
        return ByteCount(most - base)
    }
}
