package import AttachmentContainer

/// The footprint of one worker over many attachments.
package struct FlatSeries: Sendable, Hashable, Codable {
    package struct Window: Sendable, Hashable, Codable {
        /// Number of attachments processed by the end of the window.
        package let attachments: Int
        /// Lowest footprint: memory held between attachments.
        package let least: ByteCount
        /// Highest footprint: memory while processing.
        package let most: ByteCount
    }

    package let attachments: Int
    package internal(set) var windows: [Window] = []
    /// Number of worker processes.
    ///
    /// The series is valid only for one.
    package internal(set) var workers = 0
    package internal(set) var failed = 0

    init(attachments: Int) { self.attachments = attachments }

    /// Largest growth of the footprint between attachments, after the first window.
    package var growth: ByteCount { growth(\.least) }

    /// Largest growth of the peak, after the first window.
    package var peakGrowth: ByteCount { growth(\.most) }

    /// Largest excess over the second window.
    ///
    /// The first window includes the worker's start.
    private func growth(_ figure: (Window) -> ByteCount) -> ByteCount {
        let later = windows.dropFirst().map { figure($0).bytes }
        guard let base = later.first, let most = later.max() else { return ByteCount(0) }
        return ByteCount(most - base)
    }
}
