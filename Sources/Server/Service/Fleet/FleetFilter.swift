import AttachmentContainer
import Dispatch
import Foundation
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import NotificationPayload
import PrometheusMetrics
package import ServiceOptions

/// Stages payloads from standard input to standard output, in order, with pictures made by a fleet.
package struct FleetFilter: Sendable {
    private static let blockBytes = 64 << 10

    private let backend: ServiceBackend
    private let stream: PayloadStream

    /// Opens the container, and prepares broker and store.
    package init(_ configuration: ServiceConfiguration, logger: Logger) throws {
        var configuration = configuration
        configuration.fleet = true
        let container = try SharedContainer.create(
            at: URL(fileURLWithPath: configuration.container, isDirectory: true))
        let metrics = ServiceMetrics(PrometheusRegistry())
        backend = try ServiceBackend(configuration, container, jobs: 1, metrics, logger)
        let places = backend.places(jobs: 1)
        let queue = WorkQueue(
            places: places, maximum: configuration.maxQueue,
            maximumBytes: configuration.maxQueueBytes)
        stream = PayloadStream(
            staging: PayloadStaging(backend.stager, queue, metrics),
            limits: JSONLimits(maximumBytes: configuration.maxPayloadBytes.bytes),
            jobs: places + backend.maximumTransfers, seconds: configuration.deadline,
            // The input decides, not a client that may have gone away.
            idleTime: .seconds(100 * 365 * 86_400), draining: Draining(),
            trace: PayloadTrace(
                logger: logger, requestID: nil, traceParent: nil,
                wholeURLs: configuration.logging.wholeURLs))
    }

    /// Filters until the input ends.
    package func run() async throws {
        let blocks = AsyncStream { await Self.read() }
        var output: any ResponseBodyWriter = StandardOutput()
        _ = try await stream.write(blocks, to: &output)
        await backend.close()
    }

    /// The next bytes; nil at the end.
    ///
    /// On a thread of its own, because a blocked thread of the pool could stall all tasks.
    private static func read() async -> ByteBuffer? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var bytes = [UInt8](repeating: 0, count: blockBytes)
                var count: Int
                repeat {
                    count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
                } while count < 0 && errno == EINTR
                continuation.resume(
                    returning: count > 0 ? ByteBuffer(bytes: bytes[..<count]) : nil)
            }
        }
    }
}

private struct StandardOutput: ResponseBodyWriter {
    mutating func write(_ buffer: ByteBuffer) async throws {
        try FileHandle.standardOutput.write(contentsOf: Data(buffer.readableBytesView))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
