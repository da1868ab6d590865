import Foundation
import Logging
import Synchronization

/// The use of a connection: publishing or consuming.
protocol LinkRole: Sendable {
    /// Prepares a new connection.
    func opened(_ connection: borrowing BrokerConnection) throws(BrokerError)
    /// Performs what was requested since the last call; false once the connection is to be closed.
    func work(_ connection: borrowing BrokerConnection) throws(BrokerError) -> Bool
    func received(
        _ event: BrokerConnection.Event, _ connection: borrowing BrokerConnection
    ) throws(BrokerError)
    /// The connection is gone, with the state of its channel.
    func lost(_ error: BrokerError)
}

/// Keeps a connection to one of the nodes, on a thread of its own.
///
/// A lost connection is replaced by one to the next node.
final class BrokerLink: Sendable {
    /// Longest wait without a check of heartbeats, in milliseconds.
    private static let tick: CInt = 200

    private let settings: BrokerSettings
    private let role: any LinkRole
    private let logger: Logger
    private let wakePipe: (read: CInt, write: CInt)
    private let isEnding = Atomic(false)
    private let ended = Mutex<(isEnded: Bool, waiting: [CheckedContinuation<Void, Never>])>(
        (false, []))

    init(_ settings: BrokerSettings, _ role: any LinkRole, name: String, _ logger: Logger) {
        self.settings = settings
        self.role = role
        self.logger = logger
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakePipe = (ends[0], ends[1])
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    deinit {
        close(wakePipe.read)
        close(wakePipe.write)
    }

    /// Makes the thread look for work.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes too.
        _ = write(wakePipe.write, &byte, 1)
    }

    /// Ends the attempts to connect; an open connection is closed by its role.
    func end() async {
        isEnding.store(true, ordering: .relaxed)
        wake()
        await withCheckedContinuation { continuation in
            let isEnded = ended.withLock { state in
                if !state.isEnded { state.waiting.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    private func run() {
        var node = Int.random(in: settings.nodes.indices)
        var failures = 0
        while true {
            do throws(BrokerError) {
                let connection = try BrokerConnection.open(to: settings.nodes[node], settings)
                try role.opened(connection)
                settings.outages.connected(
                    ObjectIdentifier(self), to: settings.nodes[node].place, logger)
                failures = 0
                try serve(connection)
                connection.close()
                break
            } catch {
                role.lost(error)
                settings.outages.lost(ObjectIdentifier(self), error, logger)
            }
            if isEnding.load(ordering: .relaxed) { break }
            failures += 1
            node = (node + 1) % settings.nodes.count
            // With jitter, so that a fleet does not connect at once after a restart.
            let longest = min(2, 0.1 * Double(failures))
            Thread.sleep(forTimeInterval: .random(in: longest / 2...longest))
        }
        settings.outages.ended(ObjectIdentifier(self))
        let waiting = ended.withLock { state in
            state.isEnded = true
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    private func serve(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        while true {
            drainPipe()
            guard try role.work(connection) else { return }
            var hasEvent = false
            while let event = try connection.nextEvent() {
                hasEvent = true
                try role.received(event, connection)
            }
            if !hasEvent { connection.wait(for: wakePipe.read, milliseconds: Self.tick) }
        }
    }

    private func drainPipe() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wakePipe.read, &bytes, bytes.count) == bytes.count {}
    }
}
