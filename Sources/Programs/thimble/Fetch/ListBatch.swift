import AttachmentContainer
import AttachmentModel
import AttachmentPublishing

/// Batch of attachments that are listed by path or URL, one a line.
///
/// Reads the list while it runs, so its memory does not grow with the number of lines.
struct ListBatch: Sendable {
    let lines: LineReader
    let source: AttachmentSource
    let logsWholeURLs: Bool
    /// Lines with the same location, which many notifications may have, are one fetch and one decoding.
    private let works = SharedWork<String, Work>()

    /// Result of processing a location.
    private struct Work: Sendable {
        var bytes = ByteCount(0)
        var outcome: BatchResult.Outcome
        var publication: PublishingProcessor.Publication
    }

    init(lines: LineReader, source: AttachmentSource, logsWholeURLs: Bool) {
        self.lines = lines
        self.source = source
        self.logsWholeURLs = logsWholeURLs
    }

    /// Processes every line; returns false if cancellation left lines that were not begun.
    func run(
        with processor: PublishingProcessor, jobs: Int, report: (BatchResult) -> Void
    ) async -> Bool {
        await withTaskGroup(of: BatchResult.self) { group in
            var isAtEnd = false
            var number = 0
            func beginNext() async {
                guard !isAtEnd, !Task.isCancelled else { return }
                guard let (location, skipped) = await nextLine() else {
                    isAtEnd = true
                    return
                }
                number += skipped + 1
                let line = number
                group.addTask { await process(location, at: line, with: processor) }
            }
            for _ in 0..<max(1, jobs) { await beginNext() }
            for await result in group {
                report(result)
                await beginNext()
            }
            return isAtEnd
        }
    }

    /// The next line with a location, and the number of empty lines before it.
    private func nextLine() async -> (location: String, skipped: Int)? {
        await BlockingWork.run { [lines] in
            var skipped = 0
            while let line = lines.next() {
                if !line.isEmpty { return (line, skipped) }
                skipped += 1
            }
            return nil
        }
    }

    private func process(
        _ location: String, at line: Int, with processor: PublishingProcessor
    ) async -> BatchResult {
        let start = ContinuousClock.now
        var work: Work
        let isOwn = Lock(false)
        do throws(SharedWorkFailure) {
            work = try await works.value(of: location, until: nil) { _ in
                isOwn.withLock { $0 = true }
                return await self.work(on: location, with: processor)
            }
            if !isOwn.withLock({ $0 }) { work.outcome = work.outcome.ofAnotherLine }
        } catch {
            let error = AttachmentError(
                .cancelled, file: AttachmentSource.name(location), reason: "it was cancelled")
            work = Work(outcome: .failed(SourceFailure(error)), publication: nil)
        }
        let name = logsWholeURLs ? location : AttachmentSource.name(location)
        return BatchResult(
            identifier: AttachmentSource.identifier(location), name: "line \(line): \(name)",
            line: line, bytes: work.bytes, outcome: work.outcome,
            duration: start.duration(to: .now), publication: work.publication)
    }

    private func work(
        on location: String, with processor: PublishingProcessor
    ) async -> Work {
        let identifier = AttachmentSource.identifier(location)
        var bytes = ByteCount(0)
        let outcome: BatchResult.Outcome
        do throws(SourceFailure) {
            var request = try await source.request(location, identifier: identifier)
            outcome = .done(try await process(&request, &bytes, with: processor))
        } catch {
            outcome = .failed(error)
        }
        return Work(
            bytes: bytes, outcome: outcome,
            publication: processor.takePublication(identifier))
    }

    private func process(
        _ request: inout AttachmentRequest, _ bytes: inout ByteCount,
        with processor: PublishingProcessor
    ) async throws(SourceFailure) -> ProcessedAttachment {
        do throws(AttachmentError) {
            let file = try request.openFile()
            request.file = file
            bytes = file.length
            return try await processor.process(request)
        } catch {
            throw SourceFailure(error)
        }
    }
}

extension BatchResult.Outcome {
    /// The outcome of a line whose location another line had processed.
    fileprivate var ofAnotherLine: Self {
        guard case .done(let done) = self else { return self }
        return .done(
            ProcessedAttachment(manifest: done.manifest, work: .unchanged, memory: done.memory))
    }
}
