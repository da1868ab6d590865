import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import Foundation

/// Publishes pictures one after the other, sealed if it has a key.
struct SealingActor: Actor {
    private let processor: AttachmentProcessor
    private let pictures: [String]
    private let name: String
    private var number = 0

    init(container: SharedContainer, name: String, pictures: [String], key: String?) throws {
        let key = key.flatMap { Data(base64Encoded: $0) }.flatMap { SealingKey($0) }
        let container = key.map { container.sealing(with: $0) } ?? container
        processor = try RawPictures.processor(in: container)
        (self.name, self.pictures) = (name, pictures)
        // The campaign waits for it before it sets the time of the kill.
        FileHandle.standardOutput.write(Data("begun\n".utf8))
    }

    mutating func step() throws {
        let identifier = "\(RawPictures.identifier)\(name)-\(number % 8)"
        try RawPictures.publish(pictures[number % pictures.count], as: identifier, by: processor)
        number += 1
        FileHandle.standardOutput.write(Data("published\n".utf8))
    }

    func finish() {}
}

/// Pictures of the campaign on a raw disk, and the traces that they could leave.
enum RawPictures {
    /// The beginning of every identifier.
    static let identifier = "raw-disk-identifier-"

    static func processor(in container: SharedContainer) throws -> AttachmentProcessor {
        var settings = ProcessingSettings()
        settings.cap = MemoryCap(.mebibytes(4096))
        return try AttachmentProcessor(settings: settings, container: container)
    }

    static func publish(
        _ picture: String, as identifier: String, by processor: AttachmentProcessor
    ) throws {
        let request = AttachmentRequest(path: picture, identifier: identifier)
        let (done, failure) = (DispatchSemaphore(value: 0), Lock<AttachmentError?>(nil))
        Task {
            do throws(AttachmentError) {
                _ = try await processor.process(request)
            } catch {
                failure.withLock { $0 = error }
            }
            done.signal()
        }
        done.wait()
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// The pictures and their renditions in the clear, made in a folder.
    static func plaintexts(of pictures: [String], in folder: URL) throws -> [Data] {
        let container = try SharedContainer.create(at: folder)
        let processor = try processor(in: container)
        for picture in pictures { try publish(picture, as: picture, by: processor) }
        let renditions = try container.manifests().flatMap { try $0.get().renditions }
        return try pictures.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            + renditions.map { try Data(contentsOf: container.url(of: $0)) }
    }
}
