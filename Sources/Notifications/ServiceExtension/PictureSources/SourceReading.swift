import AttachmentContainer
import Foundation
import NotificationDelivery

/// Gets the picture of a source.
struct SourceReading: Sendable {
    let settings: DownloadSettings
    /// The folder for unfinished files.
    let folder: URL
    /// True to encrypt pictures while they are received, with a key that exists only in memory.
    var isSealed = false

    /// Receives the whole picture; a failure or cancellation leaves nothing behind.
    func picture(
        of source: PictureSource, by deadline: ContinuousClock.Instant
    ) async throws(SourceFailure) -> ReceivedPicture {
        if source.decryption == nil, case .file(let url) = source.content {
            return try await whole(by: deadline) { () throws(TransferFailure) in
                guard isSealed else { return Self.still(at: url) }
                do throws(SourceFailure) {
                    return try await received(source)
                } catch {
                    throw TransferFailure(error)
                }
            }
        }
        if case .request(let request) = source.content {
            return try await whole(by: deadline) { () throws(TransferFailure) in
                let sink: any ByteSink
                do throws(SourceFailure) {
                    sink = try makeSink(for: source)
                } catch {
                    throw TransferFailure(error)
                }
                var picture = try await transfer(
                    request, to: sink, readsFrames: source.decryption == nil, by: deadline)
                picture.isUnfinished = picture.isUnfinished && request.waitsUntilReady
                return picture
            }
        }
        return try await received(source)
    }

    /// Receives all bytes of a source other than a request.
    private func received(_ source: PictureSource) async throws(SourceFailure) -> ReceivedPicture {
        let sink = try makeSink(for: source)
        do {
            try await fill(sink, from: source)
            return try sink.finish()
        } catch {
            sink.discard()
            throw SourceFailure(error)
        }
    }

    /// Repeats an attempt until its picture is whole, as long as there is time.
    ///
    /// Of a JPEG that never gets an end, the last state is returned with the failure: its decoder knows what
    /// it is worth.
    private func whole(
        by deadline: ContinuousClock.Instant,
        _ attempt: () async throws(TransferFailure) -> ReceivedPicture
    ) async throws(SourceFailure) -> ReceivedPicture {
        var still = UnfinishedStill()
        do throws(SourceFailure) {
            let picture = try await Retrying(until: deadline).run { () throws(TransferFailure) in
                let picture = try await attempt()
                guard picture.isUnfinished, still.mayGrow(picture) else { return picture }
                throw .unfinished
            }
            guard picture.isUnfinished else {
                still.discard()
                return picture
            }
            var unfinished = picture
            unfinished.failure = TransferFailure.unfinished.failure
            return unfinished
        } catch {
            guard error.isNotReady, var picture = still.picture else {
                still.discard()
                throw error
            }
            picture.failure = error
            return picture
        }
    }

    /// A file of the app's, which another process may be writing.
    private static func still(at url: URL) -> ReceivedPicture {
        var picture = ReceivedPicture(attachment: .file(url))
        // The stage has the reason for a file that cannot be read.
        guard let file = try? FileHandle(forReadingFrom: url) else { return picture }
        defer { try? file.close() }
        var end = JPEGEnd()
        while let block = try? file.read(upToCount: 64 << 10), !block.isEmpty {
            end.add(block)
            picture.length += block.count
            guard end.progress == .unfinished else { return picture }
        }
        picture.isUnfinished = end.progress == .unfinished
        return picture
    }

    private func makeSink(for source: PictureSource) throws(SourceFailure) -> any ByteSink {
        guard let decryption = source.decryption else {
            if isSealed { return try SealingSink(in: folder, limit: settings.maximumBytes) }
            return FileSink(in: folder, limit: settings.maximumBytes)
        }
        return try CiphertextSink(decryption, in: folder, limit: settings.maximumBytes)
    }

    private func fill(_ sink: any ByteSink, from source: PictureSource) async throws {
        switch source.content {
        case .request: break
        case .failure(let failure): throw failure
        case .data(let data): try sink.append(data)
        case .stream(let write): try await write(sink)
        case .file(let url):
            // Copied, because another process could change it after its authentication.
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            while let block = try file.read(upToCount: 64 << 10), !block.isEmpty {
                try Task.checkCancellation()
                try sink.append(block)
            }
        }
    }

    private func transfer(
        _ request: PictureRequest, to sink: any ByteSink, readsFrames: Bool,
        by deadline: ContinuousClock.Instant
    ) async throws(TransferFailure) -> ReceivedPicture {
        do throws(TransferFailure) {
            do throws(DownloadError) {
                try request.validate()
                try settings.check(request.url)
            } catch {
                throw TransferFailure(.download(error))
            }
            let remaining = ContinuousClock.now.duration(to: deadline) / .seconds(1)
            guard remaining > 0 else { throw TransferFailure(.download(.late)) }
            let transfer = Transfer(
                request, to: sink, settings: settings, readsFrames: readsFrames)
            let result = await withTaskCancellationHandler {
                await transfer.run(for: remaining)
            } onCancel: {
                transfer.fail(TransferFailure(.download(.cancelled)))
            }
            if case .failure(let failure) = result, failure.failure.isLostConnection,
                request.waitsUntilReady, sink.still == .unfinished
            {
                throw TransferFailure.unfinished
            }
            try result.get()
            do throws(SourceFailure) {
                return try sink.finish()
            } catch {
                throw TransferFailure(error)
            }
        } catch {
            sink.discard()
            throw error
        }
    }
}
