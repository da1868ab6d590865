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
        var bytes = ByteCount(0)
        let outcome: BatchResult.Outcome
        do throws(SourceFailure) {
            var request = try await source.request(
                location, identifier: AttachmentSource.identifier(location))
            outcome = .done(try await process(&request, &bytes, with: processor))
        } catch {
            outcome = .failed(error)
        }
        let identifier = AttachmentSource.identifier(location)
        let name = logsWholeURLs ? location : AttachmentSource.name(location)
        return BatchResult(
            identifier: identifier, name: "line \(line): \(name)", line: line, bytes: bytes,
            outcome: outcome, duration: start.duration(to: .now),
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
