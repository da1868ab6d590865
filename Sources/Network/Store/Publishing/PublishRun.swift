import AttachmentContainer
import AttachmentPublishing
import AttachmentTransfer
import Foundation

/// The order of steps that publishes one object.
///
/// The record is locked and created first, so that no object is ever without one. Then the object
/// is looked for, or uploaded. Then the record notes that the object exists, and is made durable. A
/// pruning locks a record alone while it removes the object: whichever process runs second sees the
/// first one's work.
struct PublishRun: Sendable {
    /// Shorter than the shortest grace period of a pruning, which is one second.
    static let renewalInterval = Duration.milliseconds(500)
    /// Time within which one of several renewals is durable.
    private static let durableInterval = Duration.seconds(3600)
    /// Time after which a request of an interrupted pruning no longer takes effect: its own limit, and
    /// some seconds in the network.
    static let removalTime = Duration.seconds(15)
    /// Pause between attempts to lock a record that a pruning has locked.
    private static let lockPause = Duration.milliseconds(20)

    /// The latest deadline of the callers.
    typealias LatestDeadline = @Sendable () -> ContinuousClock.Instant

    let destination: StoreDestination
    let container: SharedContainer
    let records: ObjectRecords
    let store: any ObjectStoring
    let settings: PublishSettings
    let memory: PublicationMemory
    private let places: WaitingLine<Places>

    init(
        destination: StoreDestination, container: SharedContainer, records: ObjectRecords,
        store: any ObjectStoring, settings: PublishSettings, memory: PublicationMemory
    ) {
        self.destination = destination
        self.container = container
        self.records = records
        self.store = store
        self.settings = settings
        self.memory = memory
        places = WaitingLine(places: settings.maximumRequests)
    }

    /// Publishes an object, with attempts until the deadline.
    func publish(
        _ object: StoredObject, _ rendition: Manifest.Rendition,
        _ deadline: @escaping LatestDeadline
    ) async -> Result<Void, StoreError> {
        var delay = RetryDelay()
        while true {
            do throws(StoreError) {
                try await attempt(object, rendition, deadline)
                return .success(())
            } catch {
                guard error.code.isTransient, !Task.isCancelled else { return .failure(error) }
                let pause = delay.next(after: error)
                guard ContinuousClock.now + pause < deadline(),
                    (try? await Deadline.sleep(for: pause)) != nil
                else { return .failure(error) }
            }
        }
    }

    /// Renews the record of a known object, without waiting for the disk; false if that is due, or
    /// the object is removed or being removed.
    func renew(
        _ file: String, _ known: PublicationMemory.Known, _ now: ContinuousClock.Instant
    ) -> Bool {
        guard known.durable.duration(to: now) < Self.durableInterval else { return false }
        do throws(ContainerError) {
            guard case .opened(let record, _) = try records.open(file, for: .renewing) else {
                memory.forget(file)
                return false
            }
            let state = record.state
            guard state.verified != nil, state.removing == nil else {
                memory.forget(file)
                return false
            }
            try record.touch()
            var known = known
            known.renewed = now
            memory.remember(file, known)
            return true
        } catch {
            // The attempt that follows throws the error again.
            memory.forget(file)
            return false
        }
    }

    private func attempt(
        _ object: StoredObject, _ rendition: Manifest.Rendition,
        _ deadline: LatestDeadline
    ) async throws(StoreError) {
        let record = try await lock(object.file, deadline)
        // Until the end: no pruning removes the object before its use is recorded.
        defer { withExtendedLifetime(record) {} }
        let former = record.state
        if let removing = former.removing {
            try await waitForRemoval(begun: removing, deadline)
        } else if let age = age(of: former.verified), former.bytes == object.bytes,
            age < settings.verificationInterval
        {
            return try await recordUse(of: object, record, former, verified: .now - age)
        }
        guard (try? await places.take()) != nil else { throw cancelled }
        defer { places.giveBack() }
        // A request of the interrupted pruning may have been carried out, or not.
        let isThere =
            former.removing == nil
            ? try await store.holds(object, within: limit(deadline)) : false
        if !isThere {
            let body = try await blocking { () throws(ContainerError) in
                try container.openRendition(rendition)
            }
            try await store.put(object, body, within: limit(deadline))
        }
        var state = ObjectRecord.State()
        state.bytes = object.bytes
        state.verified = Int(Date().timeIntervalSince1970)
        try await recordUse(of: object, record, state, verified: .now)
    }

    private func recordUse(
        of object: StoredObject, _ record: ObjectRecord, _ state: ObjectRecord.State,
        verified: ContinuousClock.Instant
    ) async throws(StoreError) {
        let now = ContinuousClock.now
        try await blocking { () throws(ContainerError) in
            try record.write(state)
            try record.synchronise()
        }
        memory.remember(
            object.file, .init(verified: verified, renewed: now, durable: now))
    }

    /// Waits while a pruning removes the object.
    private func lock(
        _ file: String, _ deadline: LatestDeadline
    ) async throws(StoreError) -> ObjectRecord {
        while true {
            let opening = try await blocking { () throws(ContainerError) in
                try records.open(file, for: .publishing)
            }
            if case .opened(let record, _) = opening { return record }
            guard ContinuousClock.now + Self.lockPause < deadline() else {
                throw StoreError(
                    .busy, destination: destination.description,
                    reason: "another process is removing the object")
            }
            guard (try? await Deadline.sleep(for: Self.lockPause)) != nil else { throw cancelled }
        }
    }

    /// Waits until the request of an interrupted pruning no longer takes effect.
    private func waitForRemoval(
        begun: Int, _ deadline: LatestDeadline
    ) async throws(StoreError) {
        // The clock may have been set meanwhile, in either direction.
        let now = SteadyClock.process.now.timeIntervalSince1970
        let passed = Duration.seconds(now - Double(begun))
        let rest = min(max(.zero, Self.removalTime - passed), Self.removalTime)
        guard ContinuousClock.now + rest < deadline() else {
            throw StoreError(
                .busy, destination: destination.description,
                reason: "an interrupted pruning may still be removing the object")
        }
        guard (try? await Deadline.sleep(for: rest)) != nil else { throw cancelled }
    }

    /// Runs work on the container's files.
    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(ContainerError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(ContainerError) {
            return try await BlockingWork.run(work)
        } catch {
            throw StoreError(error, destination)
        }
    }

    /// Time since an object was last seen; nil if it is unknown.
    private func age(of verified: Int?) -> Duration? {
        guard let verified else { return nil }
        let age = Date().timeIntervalSince1970 - Double(verified)
        // The clock may have been set back.
        return age >= 0 ? .seconds(age) : nil
    }

    private func limit(_ deadline: LatestDeadline) -> Duration {
        min(
            settings.requestTimeout,
            max(.milliseconds(1), ContinuousClock.now.duration(to: deadline())))
    }

    private var cancelled: StoreError {
        StoreError(.cancelled, destination: destination.description, reason: "it was cancelled")
    }
}
