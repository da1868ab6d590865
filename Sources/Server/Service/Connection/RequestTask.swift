import HTTPTypes
import HummingbirdCore
import NIOCore

/// Runs each request in a task of its own.
///
/// A task keeps the memory of its deepest call until it ends: 16 kB of each connection that has
/// served a request and waits for the next one.
struct RequestTask: Sendable {
    let responder: HTTPChannelHandler.Responder
    /// For answers of a few kilobytes, which never wait for renditions.
    private let smallAnswers = RequestGate(128, ofPeer: 64)
    private let renditions = RequestGate(128, ofPeer: 64)

    init(_ responder: @escaping HTTPChannelHandler.Responder) { self.responder = responder }

    func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        // Work and streams have limits of their own.
        if [.get, .head].contains(request.method), let connection = Connection.current {
            let isRendition = request.head.path?.hasPrefix("/v1/renditions/") ?? false
            let gate = isRendition ? renditions : smallAnswers
            connection.setPlace(try await gate.enter(connection.peer))
        }
        let handover = Handover(writer)
        let task = Task { [responder] in
            guard let writer = handover.take() else { return }
            try await responder(request, writer, channel)
        }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    // Sendable: the creator gives the writer up, and one task takes it, which begins afterwards.
    private final class Handover: @unchecked Sendable {
        private var writer: ResponseWriter?

        init(_ writer: consuming ResponseWriter) { self.writer = consume writer }

        func take() -> ResponseWriter? { writer.take() }
    }
}
