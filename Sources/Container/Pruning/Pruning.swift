import Foundation

extension SharedContainer {
    /// Removes notifications beyond a policy's limits, and all unreferenced files.
    ///
    /// Notifications go first, then unreferenced renditions, stale results and pins, and abandoned
    /// files in `incoming/`. Other processes may publish and read meanwhile. Files in use, or used
    /// within the grace period, stay. A reader sees a notification complete or not at all. An
    /// interrupted pruning leaves no notification without its renditions, and the next pruning
    /// continues it.
    ///
    /// Time and memory are linear in the number of files: measured with 100,000 notifications of
    /// two renditions each, half a millisecond of processor time and a kilobyte per notification.
    ///
    /// - Parameters:
    ///   - policy: The limits. The default is `PruningPolicy.default`.
    ///   - dryRun: True to report removals without changing anything. The default is false.
    ///   - report: Called for every file examined or removed. The default does nothing.
    /// - Returns: Totals of removed and remaining files.
    /// - Throws: `ContainerError` if the folder of manifests or of pins cannot be read. Single
    ///   files that cannot be read or removed stay and are reported as events.
    @discardableResult
    public func prune(
        _ policy: PruningPolicy = .default, dryRun: Bool = false,
        report: (PruningEvent) -> Void = { _ in }
    ) throws(ContainerError) -> PruningReport {
        try prune(policy, dryRun: dryRun, isCancelled: { false }, report: report)
    }

    /// Same, but ends early once `isCancelled` returns true; the next pruning continues it.
    ///
    /// `isCancelled` is called for every file, and must stay true once it is.
    public func prune(
        _ policy: PruningPolicy, dryRun: Bool = false, isCancelled: @escaping () -> Bool,
        report: (PruningEvent) -> Void
    ) throws(ContainerError) -> PruningReport {
        try withoutActuallyEscaping(report) { onEvent throws(ContainerError) in
            let pruning = Pruning(of: self, by: policy, isDryRun: dryRun, onEvent: onEvent)
            pruning.isCancelled = isCancelled
            return try pruning.run()
        }
    }
}

/// One pruning of a container: mark and sweep.
///
/// A walk through the manifests finds the renditions in use. A publication that the walk missed has
/// touched its renditions since the walk began, so they are newer than `freshest`.
final class Pruning {
    let container: SharedContainer
    let policy: PruningPolicy
    /// Keys of the notifications to keep, where all others are forgotten; nil to evict by the policy.
    var delivered: Set<ContentDigest>?
    let onEvent: (PruningEvent) -> Void
    /// Must stay true once it is: a file that was not examined counts as one that cannot be read, and
    /// its renditions stay.
    var isCancelled: () -> Bool = { false }
    private let began: Date
    let freshest: Date
    var report: PruningReport
    var inventory = Inventory()
    var swept: Set<String> = []

    var system: FileSystem { container.system }
    var isDryRun: Bool { report.isDryRun }

    init(
        of container: SharedContainer, by policy: PruningPolicy, isDryRun: Bool,
        onEvent: @escaping (PruningEvent) -> Void
    ) {
        self.container = container
        self.policy = policy
        self.onEvent = onEvent
        began = container.system.steadyNow
        // Without a grace period nothing is fresh, whatever the resolution of the file system's times.
        freshest =
            policy.gracePeriod == .zero
            ? .distantFuture : began - policy.gracePeriod / .seconds(1)
        report = PruningReport(isDryRun: isDryRun)
    }

    func run() throws(ContainerError) -> PruningReport {
        // Pins before the manifests that they protect, and URL records before the renditions.
        settle(.pinned) { ContentDigest(rawValue: $0).map(condemnedPin) }
        settle(.published) { SharedContainer.publishedFile(of: $0).map(condemnedRecord) }
        settle(.notifications) { SharedContainer.key(of: $0).map(condemnedManifest) }
        try surveyNotifications()
        surveyCondemned()
        surveyRenditions()
        evictNotifications()
        // Records before renditions: after an interruption a rendition without a record is swept
        // later, but a record without its rendition is damage.
        sweep(.published, as: .stalePublished) {
            SharedContainer.publishedFile(of: $0).map(condemnedRecord)
        }
        sweepRenditions()
        sweepResults()
        sweep(.pinned, as: .stalePin) { ContentDigest(rawValue: $0).map(condemnedPin) }
        sweepFetched()
        sweepIncoming()
        return report
    }

    private func evictNotifications() {
        let evictions =
            delivered.map { inventory.forgettable(allBut: $0, before: freshest) }
            ?? inventory.evictions(by: policy, now: began)
        for (index, reason) in evictions {
            attempt { () throws(ContainerError) in
                let manifest = condemnedManifest(inventory.notifications[index].key)
                guard try remove(manifest, reason) else { return }
                inventory.remove(index)
            }
        }
        report.exceedsPolicy = inventory.exceeds(policy)
        guard !isDryRun else { return }
        // After a power failure no manifest may reappear without its renditions. Its removal or
        // replacement, by any process, must be durable before the sweep.
        let isDurable = attempt { () throws(ContainerError) in
            try container.synchroniseFolder(at: container.path(.notifications))
        }
        if !isDurable { report.keptEveryRendition = true }
    }
}

extension Pruning {
    func isFresh(_ status: FileSystem.Status) -> Bool {
        // If the clock was set back meanwhile, new uses have old times.
        status.modified >= freshest || system.steadyNow < began
    }

    func condemnedManifest(_ key: ContentDigest) -> CondemnedFile {
        var manifest = CondemnedFile(system: system, path: container.manifestPath(key)) {
            [self] status throws(ContainerError) in
            // The pin is checked last: `pin(_:)` checks the manifest after it sets the pin.
            if isFresh(status) || delivered?.contains(key) == true { return true }
            return try container.isPinned(key)
        }
        // A pruning that listed the folder meanwhile has missed the manifest.
        manifest.willRestore = { [container] in container.useRenditions(ofManifestAt: $0) }
        return manifest
    }

    func condemnedRendition(_ file: String) -> CondemnedFile {
        CondemnedFile(system: system, path: container.path(.renditions, file)) {
            [self] status throws(ContainerError) in
            // The record is checked last: `recordPublished(_:)` checks the rendition after it.
            if isFresh(status) || inventory.isInUse(file) { return true }
            return try isPublished(file)
        }
    }

    func condemnedRecord(_ file: String) -> CondemnedFile {
        CondemnedFile(system: system, path: container.publishedPath(file)) { [self] status in
            // Only regular files are records.
            !status.isFile || isFresh(status) || isKept(record: status)
        }
    }

    func isPublished(_ file: String) throws(ContainerError) -> Bool {
        let path = container.publishedPath(file)
        // Another pruning may rename the record and restore it between two checks.
        for path in [path, CondemnedFile.path(of: path), path] {
            if let status = try system.status(of: path), status.isFile, isKept(record: status) {
                return true
            }
        }
        return false
    }

    private func isKept(record status: FileSystem.Status) -> Bool {
        status.modified >= began - policy.keepPublished / .seconds(1) || system.steadyNow < began
    }

    func condemnedPin(_ key: ContentDigest) -> CondemnedFile {
        CondemnedFile(system: system, path: container.pinPath(key)) {
            [self] status throws(ContainerError) in
            // Only regular files are pins.
            if !status.isFile || isFresh(status) { return true }
            return try system.status(of: container.manifestPath(key)) != nil
        }
    }

    /// True if the file was, or in a dry run would be, removed.
    @discardableResult
    func remove(_ file: CondemnedFile, _ reason: PruningReason) throws(ContainerError) -> Bool {
        let removed = try isDryRun ? file.unwanted() : file.remove()
        guard let removed else { return false }
        count(file.path, reason, removed.bytes)
        return true
    }

    func count(_ path: String, _ reason: PruningReason, _ bytes: Int) {
        report.countRemoved(reason, bytes)
        let relative = String(path.dropFirst(container.root.path.count + 1))
        onEvent(.removal(.init(path: relative, reason: reason, bytes: ByteCount(bytes))))
        onEvent(.progress(report))
    }

    func progress() { onEvent(.progress(report)) }

    @discardableResult
    func visit(
        _ folder: String, _ body: (_ name: String, _ path: String) throws(ContainerError) -> Void
    ) -> Bool {
        var isWhole = true
        let isRead = system.visit(folder) { name, path throws(ContainerError) in
            guard !isCancelled() else { return isWhole = false }
            try body(name, path)
        } onFailure: { error in
            failed(error)
        }
        return isRead && isWhole
    }

    @discardableResult
    func attempt(_ body: () throws(ContainerError) -> Void) -> Bool {
        guard !isCancelled() else { return false }
        do throws(ContainerError) {
            try body()
            return true
        } catch {
            failed(error)
            return false
        }
    }

    private func failed(_ error: ContainerError) {
        report.failures += 1
        onEvent(.failure(error))
    }
}
