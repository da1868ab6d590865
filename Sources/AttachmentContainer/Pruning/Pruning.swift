import Foundation

extension SharedContainer {
    /// Removes what is past a policy's limits, and what nobody needs any more.
    ///
    /// First notifications go, then the renditions that none names any more, results and pins that
    /// lead nowhere, and what processes that came to an end left in `incoming/`. Other processes may
    /// go on publishing and reading: what is in use, or was used within the grace period, stays, and
    /// a reader sees a notification whole until it sees none. A pruning that is cut short leaves no
    /// notification without its renditions, and the next one goes on. Time and memory are linear in
    /// the number of files: measured at 100,000 notifications of two renditions each, half a
    /// millisecond of the processor's time and a kilobyte for each.
    ///
    /// - Parameters:
    ///   - policy: The limits. The default is `PruningPolicy.default`.
    ///   - dryRun: Whether nothing is changed, and only told. The default is false.
    ///   - report: Called for every file as it is looked at or removed. The default does nothing.
    /// - Returns: What was removed and what stays.
    /// - Throws: `ContainerError` when the folder of the manifests or that of the pins cannot be
    ///   read. Single files that cannot be read or removed stay and are told as events.
    @discardableResult
    public func prune(
        _ policy: PruningPolicy = .default, dryRun: Bool = false,
        report: (PruningEvent) -> Void = { _ in }
    ) throws(ContainerError) -> PruningReport {
        try withoutActuallyEscaping(report) { tell throws(ContainerError) in
            try Pruning(of: self, by: policy, isDryRun: dryRun, tell: tell).run()
        }
    }
}

/// One pruning of a container: mark and sweep.
///
/// What a rendition is needed for is known from a walk through the manifests. A publication that
/// this walk did not see has touched its renditions since the walk began, so they are younger than
/// `freshest`, which lies before it.
final class Pruning {
    let container: SharedContainer
    let policy: PruningPolicy
    let tell: (PruningEvent) -> Void
    private let began: Date
    /// What was used since then is left alone.
    let freshest: Date
    var report: PruningReport
    var inventory = Inventory()
    /// The renditions that went or, in a dry run, would have gone.
    var swept: Set<String> = []

    var system: FileSystem { container.system }
    var isDryRun: Bool { report.isDryRun }

    init(
        of container: SharedContainer, by policy: PruningPolicy, isDryRun: Bool,
        tell: @escaping (PruningEvent) -> Void
    ) {
        self.container = container
        self.policy = policy
        self.tell = tell
        began = container.system.now
        freshest = began - policy.gracePeriod / .seconds(1)
        report = PruningReport(isDryRun: isDryRun)
    }

    func run() throws(ContainerError) -> PruningReport {
        settlePins()
        settlePublished()
        settleNotifications()
        try surveyNotifications()
        surveyCondemned()
        surveyRenditions()
        evictNotifications()
        // The records first: a rendition without a record is swept whenever this is cut short, a
        // record without its rendition would be damage.
        sweepPublished()
        sweepRenditions()
        sweepResults()
        sweepPins()
        sweepIncoming()
        return report
    }

    private func evictNotifications() {
        for (index, reason) in inventory.evictions(by: policy, now: began) {
            attempt { () throws(ContainerError) in
                let manifest = condemnedManifest(inventory.notifications[index].key)
                guard try remove(manifest, reason) else { return }
                inventory.remove(index)
            }
        }
        report.exceedsPolicy = inventory.exceeds(policy)
        guard !isDryRun else { return }
        // After a loss of power no manifest may come back whose renditions are gone, whoever removed
        // or replaced it: this pruning, one that was killed, or a process that has yet to wait for
        // the volume.
        let isDurable = attempt { () throws(ContainerError) in
            try container.synchroniseFolder(at: container.path(.notifications))
        }
        if !isDurable { report.keptEveryRendition = true }
    }
}

extension Pruning {
    /// Whether a file was published or used within the grace period, or may have been.
    func isFresh(_ status: FileSystem.Status) -> Bool {
        // Where the clock was set back meanwhile, what others use now looks old.
        status.modified >= freshest || system.now < began
    }

    /// A manifest on its way out, which stays when it was published or pinned just now.
    func condemnedManifest(_ key: ContentDigest) -> CondemnedFile {
        var manifest = CondemnedFile(system: system, path: container.manifestPath(key)) {
            [self] status throws(ContainerError) in
            // The pin is looked for last, as `pin(_:)` looks for the manifest after it is set.
            if isFresh(status) { return true }
            return try container.isPinned(key)
        }
        // A pruning that went through the folder while it was out of sight knows nothing of it.
        manifest.willPutBack = { [container] in container.useRenditions(ofManifestAt: $0) }
        return manifest
    }

    /// A rendition on its way out, which stays when it is named by a manifest or was used just now.
    func condemnedRendition(_ file: String) -> CondemnedFile {
        CondemnedFile(system: system, path: container.path(.renditions, file)) {
            [self] status throws(ContainerError) in
            // The record is looked for last, as `recordPublished(_:)` looks for the rendition.
            if isFresh(status) || inventory.isInUse(file) { return true }
            return try isPublished(file)
        }
    }

    /// A record of a rendition whose URL was given out, on its way out.
    func condemnedRecord(_ file: String) -> CondemnedFile {
        CondemnedFile(system: system, path: container.publishedPath(file)) { [self] status in
            // What is no file is no record of ours.
            !status.isFile || isFresh(status) || isKept(record: status)
        }
    }

    /// Whether the URL of a rendition was given out so lately that its file is kept.
    func isPublished(_ file: String) throws(ContainerError) -> Bool {
        let path = container.publishedPath(file)
        // Another pruning may take the record aside and put it back between two looks.
        for path in [path, CondemnedFile.path(of: path), path] {
            if let status = try system.status(of: path), status.isFile, isKept(record: status) {
                return true
            }
        }
        return false
    }

    private func isKept(record status: FileSystem.Status) -> Bool {
        status.modified >= began - policy.keepPublished / .seconds(1) || system.now < began
    }

    /// A pin on its way out, which stays when it was set just now or its notification is there.
    func condemnedPin(_ key: ContentDigest) -> CondemnedFile {
        CondemnedFile(system: system, path: container.pinPath(key)) {
            [self] status throws(ContainerError) in
            // What is no file is no pin of ours.
            if !status.isFile || isFresh(status) { return true }
            return try system.status(of: container.manifestPath(key)) != nil
        }
    }

    /// Removes a file, unless somebody wants it, and tells of it.
    ///
    /// - Returns: Whether it was removed or, in a dry run, would have been.
    @discardableResult
    func remove(
        _ file: CondemnedFile, _ reason: PruningReason
    ) throws(ContainerError) -> Bool {
        let removed = try isDryRun ? file.unwanted() : file.remove()
        guard let removed else { return false }
        count(file.path, reason, removed.bytes)
        return true
    }

    /// Counts a file that is removed, and tells of it.
    func count(_ path: String, _ reason: PruningReason, _ bytes: Int) {
        report.lose(reason, bytes)
        let relative = String(path.dropFirst(container.root.path.count + 1))
        tell(.removal(.init(path: relative, reason: reason, bytes: ByteCount(bytes))))
        tell(.progress(report))
    }

    /// Tells how far the pruning is.
    func progress() { tell(.progress(report)) }

    /// Goes through a folder; one entry that fails does not end it.
    ///
    /// - Returns: Whether all of the folder was gone through without a failure.
    @discardableResult
    func visit(
        _ folder: String,
        _ body: (_ name: String, _ path: String) throws(ContainerError) -> Void
    ) -> Bool {
        var isWhole = true
        let isListed = attempt { () throws(ContainerError) in
            let names = try FolderListing(of: folder, by: system)
            while let name = try names.next() {
                let succeeded = attempt { () throws(ContainerError) in
                    try body(name, "\(folder)/\(name)")
                }
                if !succeeded { isWhole = false }
            }
        }
        return isWhole && isListed
    }

    /// Does something, and tells if it fails.
    ///
    /// - Returns: Whether it did not fail.
    @discardableResult
    func attempt(_ body: () throws(ContainerError) -> Void) -> Bool {
        do throws(ContainerError) {
            try body()
            return true
        } catch {
            report.failures += 1
            tell(.failure(error))
            return false
        }
    }
}
