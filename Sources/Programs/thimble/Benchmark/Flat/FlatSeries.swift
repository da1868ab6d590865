internal import AttachmentContainer

/// The footprint of one worker over many attachments.
struct FlatSeries: Sendable, Hashable, Codable {
    struct Window: Sendable, Hashable, Codable {
        /// Number of attachments processed by the end of the window.
        let attachments: Int
        /// Lowest footprint: memory held between attachments.
        let least: ByteCount
        /// Highest footprint: memory while processing.
        let most: ByteCount
    }

    let attachments: Int
    var windows: [Window] = []
    /// Number of worker processes.
    ///
    /// The series is valid only for one.
    var workers = 0
    var failed = 0

    /// Largest growth of the footprint between attachments, after the first window.
    var growth: ByteCount { growth(\.least) }

    var peakGrowth: ByteCount { growth(\.most) }

    /// Largest excess over the second window.
    ///
    /// The first window includes the worker's start.
    private func growth(_ figure: (Window) -> ByteCount) -> ByteCount {
        let later = windows.dropFirst().map { figure($0).bytes }
        guard let base = later.first, let most = later.max() else { return ByteCount(0) }
        return ByteCount(most - base)
    }
}
