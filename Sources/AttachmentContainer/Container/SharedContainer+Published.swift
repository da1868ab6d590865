public import Foundation

/// Renditions whose URLs were given out.
///
/// A URL in a delivered payload cannot be taken back. Its record is an empty file that bears the
/// rendition's name; the modification time is that of the last use. No lock is held.
extension SharedContainer {
    /// Records that the URL of a rendition is given out, so that pruning keeps the file.
    ///
    /// `PruningPolicy.keepPublished` counts from the last call. When this returns, the record survives
    /// a loss of power; of several renewals within an hour, one does.
    ///
    /// - Parameter rendition: A rendition of this container.
    /// - Returns: Whether the file is there; if not, its URL must not be given out.
    /// - Throws: `ContainerError` when the volume is full or fails.
    public func recordPublished(
        _ rendition: Manifest.Rendition
    ) throws(ContainerError) -> Bool {
        let record = publishedPath(rendition.file)
        let former = try system.status(of: record)?.modified
        try setMark(at: record)
        // A renewal is the same record with another time: the last one lost costs an hour at most.
        if let former, system.now.timeIntervalSince(former) > 3600,
            let file = try system.openFile(at: record)
        {
            try system.synchronise(file)
        }
        try synchroniseFolder(at: path(.published))
        // After the record, as pruning looks for the record after it took the rendition away: of the
        // two, one sees the other.
        return try system.touch(path(.renditions, rendition.file))
    }

    /// The last time that the URL of a rendition was given out.
    ///
    /// - Parameter rendition: A rendition of this container.
    /// - Returns: The time; nil when the URL was not given out, or its record has expired.
    /// - Throws: `ContainerError` when the system does not let it be read.
    public func lastPublished(_ rendition: Manifest.Rendition) throws(ContainerError) -> Date? {
        try system.status(of: publishedPath(rendition.file))?.modified
    }

    /// The record of a rendition's place, which is `ab/abcd….jpg`.
    func publishedPath(_ file: String) -> String { path(.published, String(file.dropFirst(3))) }

    /// The rendition's place of the name of a record; nil when it is no record's name.
    static func publishedFile(of name: String) -> String? {
        let file = "\(name.prefix(2))/\(name)"
        return Manifest.Rendition.isPlace(file) && CondemnedFile.name(of: name) == nil ? file : nil
    }
}
