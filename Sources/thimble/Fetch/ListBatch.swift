import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker

/// Batch of attachments that are listed by path or URL, one a line.
///
/// Reads the list while it runs, so its memory does not grow with the number of lines.
struct ListBatch: Sendable {
    let lines: LineReader
    let source: AttachmentSource

    /// Processes every line; returns false if cancellation left lines that were not begun.
    func run(
        with pool: WorkerPool, jobs: Int, report: (BatchResult) -> Void
    ) async -> Bool {
        await withTaskGroup(of: BatchResult.self) { group in
            var isAtEnd = false
            func beginNext() async {
                guard !isAtEnd, !Task.isCancelled else { return }
                guard let location = await nextLine() else {
                    isAtEnd = true
                    return
                }
                group.addTask { await process(location, with: pool) }
            }
            for _ in 0..<max(1, jobs) { await beginNext() }
            for await result in group {
                report(result)
                await beginNext()
            }
            return isAtEnd
        }
    }

    private func nextLine() async -> String? {
        await BlockingWork.run { [lines] in
            while let line = lines.next() {
                if !line.isEmpty { return line }
            }
            return nil
        }
    }

    private func process(_ location: String, with pool: WorkerPool) async -> BatchResult {
        let start = ContinuousClock.now
        var bytes = ByteCount(0)
        let outcome: BatchResult.Outcome
        do throws(SourceFailure) {
            var request = try await source.request(
                location, identifier: AttachmentSource.identifier(location))
            outcome = .done(try await process(&request, &bytes, with: pool))
        } catch {
            outcome = .failed(error)
        }
        return BatchResult(
            identifier: AttachmentSource.identifier(location),
            name: AttachmentSource.name(location), bytes: bytes, outcome: outcome,
            duration: start.duration(to: .now))
    }

    private func process(
        _ request: inout AttachmentRequest, _ bytes: inout ByteCount, with pool: WorkerPool
    ) async throws(SourceFailure) -> ProcessedAttachment {
        do throws(AttachmentError) {
            let file = try request.openFile()
            request.file = file
            bytes = file.length
            return try await pool.process(request)
        } catch {
            throw SourceFailure(error)
        }
    }
}
