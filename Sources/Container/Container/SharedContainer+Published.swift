public import Foundation

/// A URL in a delivered payload cannot be withdrawn. Its record is an empty file with the
/// rendition's name and the time of the last use. No lock is held.
extension SharedContainer {
    /// Records that the URL of a rendition is given out, so that pruning keeps the file.
    ///
    /// If the file does not exist, the result is false, and the URL must not be given out.
    /// `PruningPolicy.keepPublished` counts from the last call. The record is durable when this
    /// method returns; of several renewals within an hour, one is durable.
    public func recordPublished(_ rendition: Manifest.Rendition) throws(ContainerError) -> Bool {
        let record = publishedPath(rendition.file)
        let former = try system.status(of: record)?.modified
        try createMarker(at: record)
        // A renewal only changes the time, so losing one costs at most an hour.
        // The clock may have been set back since.
        if let former, abs(system.now.timeIntervalSince(former)) > 3600,
            let file = try system.openFile(at: record)
        {
            try system.synchronise(file)
        }
        try synchroniseFolder(at: path(.published))
        // Pruning looks for the record after it renamed the rendition, and this looks for the
        // rendition after it set the record: one of them sees the other.
        return try system.touch(path(.renditions, rendition.file))
    }

    /// Renews the record of a rendition whose URL is given out again; false if the record or the
    /// rendition does not exist, and ``recordPublished(_:)`` must be called.
    ///
    /// Unless `durably` is true, the new time may be lost in a power failure. A durable renewal once
    /// an hour limits the loss to that hour.
    public func renewPublished(
        _ rendition: Manifest.Rendition, durably: Bool = false
    ) throws(ContainerError) -> Bool {
        let record = publishedPath(rendition.file)
        guard try system.touch(record) else { return false }
        if durably, let file = try system.openFile(at: record) { try system.synchronise(file) }
        return try system.touch(path(.renditions, rendition.file))
    }

    /// The time when the URL was last given out; nil if never, or if the record has expired.
    public func lastPublished(_ rendition: Manifest.Rendition) throws(ContainerError) -> Date? {
        try system.status(of: publishedPath(rendition.file))?.modified
    }

    /// The path of a rendition's record; `file` is `ab/abcd….jpg`.
    func publishedPath(_ file: String) -> String { path(.published, String(file.dropFirst(3))) }

    static func publishedFile(of name: String) -> String? {
        let file = "\(name.prefix(2))/\(name)"
        return Manifest.Rendition.isRenditionPath(file) && CondemnedFile.name(of: name) == nil
            ? file : nil
    }
}
