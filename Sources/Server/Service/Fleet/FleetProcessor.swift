import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import AttachmentPublishing
import AttachmentStore
import AttachmentWorker
import Foundation
import JobBroker

/// Has attachments processed by a fleet, and publishes its renditions in this process's container.
///
/// The fleet is trusted no more than a worker: its renditions are checked before they are published.
struct FleetProcessor: AttachmentProcessing {
    /// Deadline of a request that names none.
    private static let longest = Duration.seconds(60)

    let client: FleetClient
    /// Settings that differ from the settings of the fleet's workers.
    let settings: FleetSettings
    let publisher: AttachmentPublisher
    /// Reads headers.
    let local: any AttachmentProcessing

    func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let deadline = request.deadline ?? .now + Self.longest
        // The fleet's store would get the plaintext of an encrypted attachment.
        let file = try publisher.openFileToShare(of: request)
        let publisher = publisher
        let recall = try await BlockingWork.run { () throws(AttachmentError) in
            try publisher.recall(file, for: request) { .none }
        }
        switch recall {
        case .published(let done): return done
        case .work(let known):
            let digest = try await BlockingWork.run { () throws(AttachmentError) in
                if let digest = known.digest { digest } else { try file.digest() }
            }
            let manifest = try await manifest(of: file, digest, request, by: deadline)
            let renditions = DescribedRenditions(manifest)
            try renditions.check(for: known, of: request.path)
            let outputs = try await files(renditions.files, request, by: deadline)
            return try await BlockingWork.run { () throws(AttachmentError) in
                try renditions.publish(outputs, of: file, known, for: request, by: publisher)
            }
        }
    }

    private func manifest(
        of file: AttachmentFile, _ digest: ContentDigest, _ request: AttachmentRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(AttachmentError) -> Manifest {
        let result: FleetResult
        do throws(FleetClient.Failure) {
            var settings = settings
            if let presets = request.presets { settings.name(presets) }
            result = try await client.process(
                file, digest, settings: settings, below: request.below, by: deadline)
        } catch {
            throw AttachmentError(error, of: request.path)
        }
        if let failure = result.failure { throw AttachmentError(failure, of: request.path) }
        guard let manifest = result.manifest else {
            throw AttachmentError(.service, file: request.path, reason: "its result is empty")
        }
        return manifest
    }

    private func files(
        _ renditions: [Manifest.Rendition], _ request: AttachmentRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(AttachmentError) -> [OwnedDescriptor] {
        var files: [OwnedDescriptor] = []
        for rendition in renditions {
            let file: OwnedDescriptor?
            do throws(FleetClient.Failure) {
                file = try await client.file(of: rendition, by: deadline)
            } catch {
                throw AttachmentError(error, of: request.path)
            }
            guard let file else {
                throw AttachmentError(
                    .storage, file: request.path,
                    reason: "the fleet's store has lost a rendition that a result names")
            }
            let digest = try await BlockingWork.run { () throws(AttachmentError) in
                try AttachmentFile(descriptor: dup(file.descriptor), path: request.path).digest()
            }
            guard digest == rendition.sha256 else {
                throw AttachmentError(
                    .storage, file: request.path,
                    reason: "the fleet's store has other bytes than a result names")
            }
            files.append(file)
        }
        return files
    }

    func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try await local.inspect(request)
    }
}

extension AttachmentError {
    /// The failure that a fleet's result names; its text may be anybody's.
    init(_ failure: FleetResult.Failure, of file: String) {
        let code: Code =
            switch failure.fault.domain {
            // A worker stores no result of a cancelled job.
            case .attachment:
                Code(rawValue: failure.code).flatMap { $0 == .cancelled ? nil : $0 } ?? .service
            // The picture is at fault: it took several workers with it.
            case .fleet where failure.code == FleetResult.Failure.consumerLost.code: .crashed
            default: .service
            }
        self.init(code, file: file, failure.fault.displayable)
    }

    fileprivate init(_ failure: FleetClient.Failure, of file: String) {
        switch failure {
        case .broker(let error):
            self.init(
                error.code == .late ? .late : .storage, file: file,
                reason: "the fleet did not take it: \(error.reason)")
        case .store(let error):
            self.init(
                error.code == .late ? .late : .storage, file: file,
                reason: "the fleet's store did not answer: \(error.reason)")
        case .invalid(let error):
            self.init(
                .service, file: file,
                Fault(
                    .fleet, "invalid-job", reason: "the fleet takes no such job: \(error.reason)",
                    remedy: "use one release of thimble-server on all machines"))
        case .late:
            self.init(.late, file: file, reason: "the fleet did not finish it in time")
        case .cancelled:
            self.init(.cancelled, file: file, reason: "it was cancelled")
        }
    }
}

extension Fault {
    /// Longest text of a fleet's result that is passed on, in characters; the longest of ours has 200.
    private static let longestText = 500
    /// Longest code; the longest of ours has 20 characters.
    private static let longestCode = 64

    /// The fault without what its writer may have made up to confuse a terminal, a log or a metric.
    fileprivate var displayable: Fault {
        let isCode =
            code.count <= Self.longestCode
            && code.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
        return Fault(
            domain, isCode && !code.isEmpty ? code : AttachmentError.Code.service.rawValue,
            reason: Self.displayable(reason), remedy: Self.displayable(remedy))
    }

    private static func displayable(_ text: String) -> String {
        let scalars = text.unicodeScalars.lazy.filter { !$0.isControl }.prefix(longestText)
        return String(String.UnicodeScalarView(scalars))
    }
}
