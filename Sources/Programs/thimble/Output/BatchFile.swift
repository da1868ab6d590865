import AttachmentContainer
import AttachmentModel

/// The report of one file of `thimble batch`: a line of JSON.
struct BatchFile: Encodable {
    let file: String
    /// The line of a list.
    let line: Int?
    let outcome: String
    var rung: String?
    var predictedPeak: ByteCount?
    var measuredPeak: ByteCount?
    var kernelPeak: ByteCount?
    let bytesBefore: ByteCount
    var bytesAfter: ByteCount?
    var size: PixelSize?
    /// Paths in the folder of renditions, by role.
    var renditions: [String: String]?
    /// URL of the main published rendition, for devices.
    var url: String?
    /// URLs by role, if several renditions are published.
    var urls: [String: String]?
    var notes: [String]?
    var error: String?
    /// The part of the product that failed.
    var domain: Fault.Domain?
    var reason: String?
    var remedy: String?
    let seconds: Double

    init(_ result: BatchResult) {
        file = result.identifier
        line = result.line
        outcome = result.outcomeName
        bytesBefore = result.bytes
        seconds = result.duration.inSeconds
        switch result.outcome {
        case .done(let done):
            let manifest = done.manifest
            bytesAfter = manifest.renditions.map(\.bytes).total
            size = (manifest.rendition(.expanded) ?? manifest.renditions.first)?.pictureSize
            renditions = Dictionary(
                manifest.renditions.map { ($0.role.rawValue, $0.file) }, uniquingKeysWith: { $1 })
            rung = manifest.rung
            predictedPeak = done.memory.predictedPeak
            measuredPeak = done.memory.measuredPeak
            kernelPeak = done.memory.kernelPeak
            notes = manifest.notes.isEmpty ? nil : manifest.notes
        case .failed, .notPicture, .unreadableFolder:
            break
        }
        if case .success(let published) = result.publication {
            (url, urls) = (published.main, published.byRole)
        }
        if let failure = result.failure {
            error = failure.code
            domain = failure.fault.domain
            reason = failure.reason
            remedy = failure.remedy
        }
    }
}

extension BatchResult {
    fileprivate var outcomeName: String {
        switch outcome {
        case .done(let done): failure == nil ? done.work.rawValue : "not-published"
        case .notPicture: "not-a-picture"
        case .failed: "failed"
        case .unreadableFolder: "unreadable-folder"
        }
    }
}

extension Manifest.Rendition {
    /// Nil for sound and movies.
    fileprivate var pictureSize: PixelSize? { role == .media ? nil : size }
}

extension [ByteCount] {
    /// The sum, saturated because workers may report any length.
    var total: ByteCount {
        ByteCount(
            reduce(0) { sum, count in
                let (new, isOver) = sum.addingReportingOverflow(count.bytes)
                return isOver ? .max : new
            })
    }
}
