import AttachmentContainer
import AttachmentModel
import Foundation

extension WorkerPool {
    /// Time limit for one frame; 0.1 s is usual.
    private static let posterTime = Duration.seconds(10)
    private static let noGrabber = FrameGrabber.Failure(
        reason: "ffmpeg is not installed; install it to have stills of movies")

    func withPoster(
        _ done: ProcessedAttachment, for request: AttachmentRequest, within left: Duration
    ) async -> ProcessedAttachment {
        guard let rendition = done.manifest.rendition(.media), !done.manifest.hasPicture,
            MediaType(rawValue: rendition.type)?.kind == .movie,
            let movie = movie(done.manifest, for: request)
        else { return done }
        do throws(FrameGrabber.Failure) {
            let file: AttachmentFile
            do {
                file = try AttachmentFile(path: container.url(of: rendition).path)
            } catch {
                throw .init(reason: error.reason)
            }
            let poster = try await poster(
                of: movie, file, done.manifest, for: request, within: left)
            return ProcessedAttachment(
                manifest: poster.manifest, work: .made, memory: poster.memory)
        } catch {
            return Task.isCancelled ? done : noting(error, in: done)
        }
    }

    /// Publishes stills of a movie that cannot be attached.
    ///
    /// - Throws: `refusal`, with the reason why there is no still, or an error of publishing.
    func still(
        of manifest: Manifest, _ file: AttachmentFile, instead refusal: AttachmentError,
        for request: AttachmentRequest, within left: Duration
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let refusal = refusal.reported(of: request.path)
        guard let movie = movie(manifest, for: request) else { throw refusal }
        do throws(FrameGrabber.Failure) {
            return try await poster(of: movie, file, manifest, for: request, within: left)
        } catch {
            guard !Task.isCancelled else {
                throw AttachmentError(
                    .cancelled, file: request.path, reason: "it was cancelled")
            }
            throw AttachmentError(
                refusal.code, file: request.path,
                reason: "\(refusal.reason); no still can be made: \(error.reason)")
        }
    }

    private func movie(
        _ manifest: Manifest, for request: AttachmentRequest
    ) -> FrameGrabber.Movie? {
        FrameGrabber.Movie(
            format: manifest.source.format,
            // The thumbnail's time is a tenth of the duration.
            duration: manifest.rendition(.media)?.duration
                ?? manifest.thumbnailTime.map { $0 * 10 },
            width: launch.settings.widthOfPicture(for: request.presets))
    }

    private func poster(
        of movie: FrameGrabber.Movie, _ file: AttachmentFile, _ manifest: Manifest,
        for request: AttachmentRequest, within left: Duration
    ) async throws(FrameGrabber.Failure) -> ProcessedAttachment {
        guard let frameGrabber else { throw Self.noGrabber }
        let frame: OwnedDescriptor
        do {
            frame = try OwnedDescriptor(unnamedFileIn: container.incomingFolder)
        } catch {
            throw .init(reason: error.reason)
        }
        // The program occupies a worker's place, so that the number of processes stays bounded.
        let worker: Worker?
        do {
            worker = try await roster.take(.rows, until: request.deadline)
        } catch {
            throw .init(reason: "no worker was free in time")
        }
        var left = left
        let begun = ContinuousClock.now
        let latest = begun + min(left, Self.posterTime)
        let deadline = request.deadline.map { min($0, latest) } ?? latest
        await residentGrabber?.request()
        do throws(FrameGrabber.Failure) {
            try await frameGrabber.grab(
                movie, from: file, to: frame.descriptor, under: hardCap, until: deadline)
            roster.giveBack(worker)
        } catch {
            roster.giveBack(worker)
            throw error
        }
        left -= begun.duration(to: .now)
        var poster = AttachmentRequest(
            path: request.path, identifier: request.identifier, category: request.category,
            deadline: request.deadline)
        poster.naming = request.naming
        poster.presets = request.presets
        poster.posterOf = manifest
        do throws(AttachmentError) {
            poster.file = try AttachmentFile(descriptor: dup(frame.descriptor), path: request.path)
            return try await serve(poster, within: &left)
        } catch {
            throw .init(reason: error.reason)
        }
    }

    private func noting(
        _ failure: FrameGrabber.Failure, in done: ProcessedAttachment
    ) -> ProcessedAttachment {
        let notes =
            done.manifest.notes.filter { !PosterNote.matches($0) }
            + [PosterNote.missing(failure.reason)]
        guard notes != done.manifest.notes else { return done }
        let manifest = done.manifest.noting(notes)
        do {
            try Publication(in: container).commit(manifest)
            return ProcessedAttachment(manifest: manifest, work: done.work, memory: done.memory)
        } catch {
            // The movie stays published with its earlier notes.
            return done
        }
    }
}

extension ProcessingSettings {
    /// Width in pixels of the widest rendition that a frame is needed for.
    fileprivate func widthOfPicture(for requested: PresetSelection?) -> Int {
        let surfaces = (requested ?? presets).surfaces.map(\.surface.size.width)
        return surfaces.reduce(widthInPixels, max)
    }
}
