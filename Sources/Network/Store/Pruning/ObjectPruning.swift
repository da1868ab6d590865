public import AttachmentContainer
import AttachmentPublishing
import Foundation

/// Removes published objects, and then their records, once their URLs were not given out for a time.
///
/// In folders it also removes unfinished files of killed publishers, after an hour.
///
/// Any number of publishers and prunings may run at once. An interrupted pruning leaves the record of
/// an object that it may have removed, and the next one goes on with it. A store that does not answer
/// is an error, and all its records stay.
public struct ObjectPruning: Sendable {
    /// Number of requests at once.
    private static let maximumRequests = 8
    /// Time for one request; publishers wait longer for an interrupted pruning's request.
    private static let requestTimeout = Duration.seconds(10)
    private static let attempts = 3

    private let container: SharedContainer
    private let only: StoreDestination?
    private let keep: Duration
    private let isDryRun: Bool
    private let access: StoreAccess

    /// Creates a pruning.
    ///
    /// - Parameters:
    ///   - container: The container with the records.
    ///   - only: The destination whose objects are removed. The default is nil, for all destinations in
    ///     the records.
    ///   - policy: `keepPublished` and `gracePeriod` count from the last use; other limits do not
    ///     apply.
    ///   - isDryRun: True to change nothing. The default is false.
    ///   - access: Credentials and sandbox. The default is the environment's.
    public init(
        of container: SharedContainer, only: StoreDestination? = nil, by policy: PruningPolicy,
        isDryRun: Bool = false, access: StoreAccess = StoreAccess()
    ) {
        self.container = container
        self.only = only
        self.isDryRun = isDryRun
        self.access = access
        keep = max(policy.keepPublished, policy.gracePeriod)
    }

    /// Removes the objects.
    ///
    /// - Parameter onEvent: Receives removals and failures.
    /// - Returns: The totals.
    /// - Throws: `ContainerError` if the container cannot be read.
    public func run(
        onEvent: (ObjectPruningEvent) -> Void
    ) async throws(ContainerError) -> ObjectPruningReport {
        var report = ObjectPruningReport(isDryRun: isDryRun)
        let all = try await BlockingWork.run { [container] () throws(ContainerError) in
            try ObjectRecords.all(in: container)
        }
        var destinations = Set(only.map { [$0] } ?? [])
        for records in all {
            if let only, ObjectRecords(of: only.identity, in: container).key != records.key {
                continue
            }
            if only == nil, let known = try? records.destination(as: StoreDestination.self) {
                destinations.insert(known)
            }
            do throws(StoreError) {
                let found = try await BlockingWork.run { [only] () throws(StoreError) in
                    try PublishedObjects.read(records, of: only)
                }
                guard let found else { continue }
                try await prune(found.entries, of: records, in: found.destination, &report, onEvent)
            } catch {
                report.failures += 1
                onEvent(.failure(error))
            }
        }
        for case .folder(let destination) in destinations {
            let unfinished = await BlockingWork.run { [isDryRun] in
                FolderStore.removeUnfinished(in: destination, isDryRun: isDryRun)
            }
            for length in unfinished { report.unfinished.count(length) }
        }
        return report
    }

    private func prune(
        _ entries: [ObjectRecords.Entry], of records: ObjectRecords,
        in destination: StoreDestination, _ report: inout ObjectPruningReport,
        _ onEvent: (ObjectPruningEvent) -> Void
    ) async throws(StoreError) {
        for entry in entries { report.before.count(entry.state.bytes) }
        // Oldest first, so that an interrupted pruning has removed the least needed.
        let expired = entries.filter { isExpired($0.lastUse) }.sorted { $0.lastUse < $1.lastUse }
        guard !expired.isEmpty else { return }
        if isDryRun {
            for entry in expired { count(entry, destination, &report, onEvent) }
            return
        }
        let store = try access.open(
            destination, folder: container.incomingFolder, requests: Self.maximumRequests)
        var failure: StoreError?
        await withTaskGroup(of: (ObjectRecords.Entry, Result<Bool, StoreError>).self) { group in
            var next = expired.makeIterator()
            func begin() {
                guard failure == nil, !Task.isCancelled, let entry = next.next() else { return }
                group.addTask { (entry, await remove(entry, records, destination, store)) }
            }
            for _ in 0..<Self.maximumRequests { begin() }
            for await (entry, result) in group {
                switch result {
                case .success(true): count(entry, destination, &report, onEvent)
                case .success(false): report.inUse += 1
                case .failure(let error): failure = failure ?? error
                }
                begin()
            }
        }
        await store.close()
        if let failure { throw failure }
    }

    private func count(
        _ entry: ObjectRecords.Entry, _ destination: StoreDestination,
        _ report: inout ObjectPruningReport, _ onEvent: (ObjectPruningEvent) -> Void
    ) {
        report.removed.count(entry.state.bytes)
        onEvent(.removal(PublishedObject(entry, in: destination)))
    }

    private func isExpired(_ lastUse: Date) -> Bool {
        lastUse < SteadyClock.process.now - keep / .seconds(1)
    }

    /// Removes one object and its record; false if another process uses it.
    private func remove(
        _ entry: ObjectRecords.Entry, _ records: ObjectRecords, _ destination: StoreDestination,
        _ store: any ObjectStoring
    ) async -> Result<Bool, StoreError> {
        do {
            let found = try await BlockingWork.run { () throws(ContainerError) in
                try expiredRecord(entry, records)
            }
            guard let record = found else { return .success(false) }
            // Its lock ends with this call.
            defer { withExtendedLifetime(record) {} }
            let former = record.state
            try await mark(record, former)
            do throws(StoreError) {
                try await remove(entry.file, from: store) { () throws(ContainerError) in
                    try await mark(record, former)
                }
            } catch {
                // A request without an answer may yet be carried out: then the mark stays.
                if error.code.isCertain {
                    try await BlockingWork.run { () throws(ContainerError) in
                        try record.writeKeepingLastUse(former)
                    }
                }
                throw error
            }
            try await BlockingWork.run { () throws(ContainerError) in try record.remove() }
            return .success(true)
        } catch let error as StoreError {
            return .failure(error)
        } catch let error as ContainerError {
            return .failure(StoreError(error, destination))
        } catch {
            return .failure(StoreError(.cancelled, reason: "it was cancelled"))
        }
    }

    /// The locked record of an object that is still expired; nil if another process uses it.
    private func expiredRecord(
        _ entry: ObjectRecords.Entry, _ records: ObjectRecords
    ) throws(ContainerError) -> ObjectRecord? {
        guard case .opened(let record, _) = try records.open(entry.file, for: .removing) else {
            return nil
        }
        return isExpired(record.lastUse) ? record : nil
    }

    /// Notes the time of a request that is about to be made.
    private func mark(
        _ record: ObjectRecord, _ former: ObjectRecord.State
    ) async throws(ContainerError) {
        try await BlockingWork.run { () throws(ContainerError) in
            var state = former
            state.removing = Int(Date().timeIntervalSince1970)
            try record.writeKeepingLastUse(state)
            // Publishers would trust the proof if the mark were lost in a power failure.
            let trusted = PublishSettings.longestVerificationInterval
            if let verified = former.verified,
                Date().timeIntervalSince1970 - Double(verified) < trusted
            {
                try record.synchronise()
            }
        }
    }

    private func remove(
        _ file: String, from store: any ObjectStoring,
        again: () async throws(ContainerError) -> Void
    ) async throws(StoreError) {
        var delay = RetryDelay()
        for attempt in 1... {
            do throws(StoreError) {
                return try await store.remove(file, within: Self.requestTimeout)
            } catch {
                // Publishers of the object wait for the record's lock meanwhile.
                guard error.code.isTransient, attempt < Self.attempts,
                    (error.retryAfter ?? .zero) <= Self.requestTimeout,
                    (try? await Deadline.sleep(for: delay.next(after: error))) != nil,
                    (try? await again()) != nil
                else { throw error }
            }
        }
    }
}

extension StoreError.Code {
    /// True if the server has certainly not carried out the request.
    fileprivate var isCertain: Bool {
        switch self {
        case .invalidDestination, .credentials, .region, .tls, .denied, .noBucket, .clockSkewed,
            .slowDown, .unsupported, .storage:
            true
        case .unreachable, .full, .failed, .incomplete, .tooLarge, .late, .busy, .cancelled, .lost:
            false
        }
    }
}
