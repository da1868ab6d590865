import Foundation

extension SharedContainer {
    /// Age from which a notification that is not delivered was deleted: 60 s, twice the time that the
    /// system gives a service extension (Apple, `UNNotificationServiceExtension`).
    ///
    /// A younger one may be on its way to the list of delivered notifications.
    public static let deliveryTime = Duration.seconds(60)

    /// Removes everything about notifications that the system no longer has.
    ///
    /// Call it when the app becomes active, with the identifiers of all delivered notifications
    /// (`UNUserNotificationCenter.getDeliveredNotifications`); with none and an age of zero it removes
    /// everything, for example when the user logs out. An app that schedules notifications adds the
    /// identifiers of its pending requests, which are not delivered yet. Deleting a notification leaves
    /// its pictures behind, which once stayed readable for long (CVE-2026-28950).
    ///
    /// Removed are manifests, their results, renditions that no other notification needs, pins without a
    /// notification, and unfinished files. Pinned notifications stay, and so do renditions whose URL was
    /// given out. Names in the container are digests, so no identifier remains in a folder.
    ///
    /// Any process may publish, prune and forget meanwhile. An interrupted call leaves no notification
    /// without its renditions, and the next one completes it. The removal is durable when this method
    /// returns. The file system may keep the bytes of removed files until it reuses their space.
    ///
    /// - Parameters:
    ///   - delivered: The identifiers of the notifications to keep.
    ///   - age: The age from which anything else is removed. The default is 60 s; zero removes the
    ///     pictures of notifications that are about to be delivered, too.
    /// - Returns: The removed files, and those that could not be removed.
    /// - Throws: `ContainerError` if the folder of manifests or of pins cannot be read.
    @discardableResult
    public func forget(
        allBut delivered: some Sequence<String>, olderThan age: Duration = deliveryTime
    ) throws(ContainerError) -> ForgettingReport {
        var report = ForgettingReport()
        let keys = Set(delivered.map { ContentDigest(of: $0) })
        let totals = try withoutActuallyEscaping({ event in report.add(event) }) {
            onEvent throws(ContainerError) in
            let pruning = Pruning(
                of: self, by: PruningPolicy(forgettingWith: age), isDryRun: false, onEvent: onEvent)
            pruning.delivered = keys
            return try pruning.run()
        }
        report.pinned = totals.pinned
        report.keptEveryRendition = totals.keptEveryRendition
        for folder in Set(report.removed.map(\.folder)) {
            do throws(ContainerError) {
                try synchroniseFolder(at: "\(root.path)/\(folder)")
            } catch {
                report.failures.append(error)
            }
        }
        return report
    }

    func hasManifest(_ key: ContentDigest) throws(ContainerError) -> Bool {
        try system.status(of: manifestPath(key)) != nil
    }
}

/// The result of ``SharedContainer/forget(allBut:olderThan:)``.
public struct ForgettingReport: Sendable, Hashable {
    /// The removed files, with their paths relative to the container.
    public internal(set) var removed: [PruningEvent.Removal] = []
    /// The keys of the forgotten notifications: digests of their identifiers.
    public internal(set) var forgotten: [ContentDigest] = []
    /// Number of pinned notifications, which stay.
    public internal(set) var pinned = 0
    /// Files that could not be read or removed; they stay, and another call may remove them.
    public internal(set) var failures: [ContainerError] = []
    /// True if no rendition was removed, because an unreadable manifest may name it.
    public internal(set) var keptEveryRendition = false

    /// True if everything that was to be forgotten is removed.
    public var isComplete: Bool { failures.isEmpty && !keptEveryRendition }

    /// Total length of the removed files.
    public var removedBytes: ByteCount { ByteCount(removed.reduce(0) { $0 + $1.bytes.bytes }) }

    fileprivate mutating func add(_ event: PruningEvent) {
        switch event {
        case .progress: break
        case .failure(let error): failures.append(error)
        case .removal(let removal):
            removed.append(removal)
            guard removal.folder == SharedContainer.Folder.notifications.rawValue else { return }
            if let key = SharedContainer.key(of: removal.name) { forgotten.append(key) }
        }
    }
}

extension PruningEvent.Removal {
    fileprivate var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// The file's name, without the ending of an interrupted removal.
    fileprivate var name: String {
        let name = String(path.split(separator: "/").last ?? "")
        return CondemnedFile.name(of: name) ?? name
    }
}
