import AttachmentContainer
public import AttachmentModel
import WorkerProtocol

extension WorkerCrew {
    /// Encodes a still in a worker with the encoder; one that had served before is replaced once.
    func encodeStill(
        _ request: AttachmentRequest, _ order: StillOrder
    ) async throws(AttachmentError) -> EncodedStill {
        let path = request.path
        do throws(SettingsError) {
            try order.validate()
        } catch {
            throw AttachmentError(.unsupported, file: path, error.fault)
        }
        let file = try request.openFileToShare()
        let latest = min(.now + launch.timeout, request.deadline ?? .now + launch.timeout)
        var isFirst = true
        while true {
            let (reply, wasWarm) = try await attempt(
                order, file, until: latest, needsFresh: !isFirst)
            let mayRepeat = isFirst && wasWarm
            isFirst = false
            switch reply {
            case .success(.success(let still)): return still
            case .success(.failure(let error)) where mayRepeat && error.isLackOfMemory: break
            case .success(.failure(let error)): throw error.reported(of: path)
            case .failure(let loss):
                let isWithdrawn = loss.cause == .withdrawn && Task.isCancelled
                if !isWithdrawn { count(loss) }
                guard mayRepeat, !isWithdrawn, loss.cause != .late else {
                    throw loss.error(for: path, cap: launch.hardCap, timeout: launch.timeout)
                }
            }
        }
    }

    private func attempt(
        _ order: StillOrder, _ file: AttachmentFile, until latest: ContinuousClock.Instant,
        needsFresh: Bool
    ) async throws(AttachmentError) -> (Worker.Reply<EncodedStill>, wasWarm: Bool) {
        var warm: Worker?
        do {
            // Only the worker with libvips has the encoder, which its libheif links anyway.
            warm = try await roster.take(.libvips)
        } catch {
            throw AttachmentError(.cancelled, file: file.path, reason: "it was cancelled")
        }
        if needsFresh {
            await warm?.end()
            warm = nil
        }
        let wasWarm = warm != nil
        let reply = await occupyPlace(of: warm, .libvips, until: latest) { worker, time in
            checked(await worker.encodeStill(order, of: file, within: time), order, worker)
        }
        return (reply, wasWarm)
    }

    private func checked(
        _ reply: Worker.Reply<EncodedStill>, _ order: StillOrder, _ worker: Worker
    ) -> Worker.Reply<EncodedStill> {
        guard case .success(.success(let still)) = reply, !still.isPlausible(for: order) else {
            return reply
        }
        let cause = WorkerLoss.Cause.breach("it gave a still that was not ordered")
        worker.kill(cause)
        return .failure(WorkerLoss(cause: cause))
    }
}

extension Worker {
    /// The answer is unchecked.
    func encodeStill(
        _ order: StillOrder, of file: AttachmentFile, within time: Duration
    ) async -> Reply<EncodedStill> {
        guard time > .zero else { return .failure(WorkerLoss(cause: .late)) }
        let order = Order(
            message: .still(StillRequest(order, time: time)), descriptors: [file.descriptor],
            owners: [file])
        return await reply(to: order, within: time) { .still($0) }
    }
}

extension WorkerPool: StillEncoding {
    /// Reduces a picture, and encodes it as a still, in a worker under the cap.
    public func encodeStill(
        _ request: AttachmentRequest, _ order: StillOrder
    ) async throws(AttachmentError) -> EncodedStill {
        try await crew.encodeStill(request, order)
    }
}
