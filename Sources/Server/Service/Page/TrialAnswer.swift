import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import NotificationCheck
import NotificationPreview

/// The JSON of a trial; parts that were not reached are missing.
struct TrialAnswer: Encodable, Sendable {
    struct Ladder: Encodable {
        let cap: MemoryCap
        let baseline: ByteCount
        let reserve: ByteCount
        let rungs: [InspectedAttachment.Step]
    }

    /// Measurements of one worker: milliseconds since the start, and bytes.
    struct Footprint: Encodable {
        let samples: [[Int]]
    }

    struct Picture: Encodable {
        let type: String
        let base64: String

        init(_ image: EmbeddedImage) {
            type = image.type
            base64 = image.bytes.base64EncodedString()
        }
    }

    /// Failure of a trial, as in problem details.
    struct Failure: Encodable {
        let code: String
        let domain: Fault.Domain?
        let title: String
        let detail: String
        let remedy: String

        init(_ problem: Problem) {
            code = problem.code
            domain = problem.domain
            title = problem.title
            detail = problem.detail
            remedy = problem.remedy
        }
    }

    var header: PictureSummary?
    var media: MediaHeader?
    var ladder: Ladder?
    var manifest: Manifest?
    var memory: MemoryUse?
    /// Time in workers.
    var seconds: Double?
    var enforcement: String?
    var sandbox: String?
    var workersLost = 0
    var footprint: [Footprint] = []
    /// Renditions by role, and the placeholder.
    var pictures: [String: Picture] = [:]
    var notification: PreviewText?
    var findings: [CheckReport.Finding]?
    var unchecked: [CheckReport.Unchecked]?
    var problem: Failure?

    /// Bytes of renditions in an answer, which is held whole; a longer animation is left out.
    private static let maximumPictureBytes = ByteCount.megabytes(8)

    mutating func add(_ found: InspectedAttachment) {
        switch found.content {
        case .picture(let summary):
            header = summary
            ladder = Ladder(
                cap: found.budget.cap, baseline: found.budget.baseline,
                reserve: found.budget.reserve, rungs: found.steps)
        case .media(let header): media = header
        }
    }

    mutating func add(_ done: ProcessedAttachment, in container: SharedContainer) {
        manifest = done.manifest
        memory = done.memory
        var left = Self.maximumPictureBytes.bytes
        // Small ones first, so that a long one is the first to be left out.
        let renditions = done.manifest.renditions.sorted { $0.bytes < $1.bytes }
        for rendition in renditions where rendition.bytes.bytes <= left {
            guard let image = EmbeddedImage(rendition, in: container) else { continue }
            left -= rendition.bytes.bytes
            pictures[rendition.role.rawValue] = Picture(image)
        }
        pictures["placeholder"] = Picture(EmbeddedImage(done.manifest.placeholder))
    }

    mutating func add(_ series: [[FootprintRecorder.Sample]]) {
        // The first worker starts some time after the recorder.
        let start = series.compactMap { $0.first?.time }.min() ?? .zero
        footprint = series.map { samples in
            Footprint(
                samples: samples.map {
                    let time = ($0.time - start) / .milliseconds(1)
                    return [Int(time.rounded()), $0.footprint.bytes]
                })
        }
    }
}
