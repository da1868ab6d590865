import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import AttachmentPipeline
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Testing

/// A stage that decodes in this process, as in a service extension, with its container.
struct PrivateDeliveryFixture {
    let folder: TemporaryFolder
    let container: SharedContainer
    let stage: DeliveryStage
    let notification = NotificationContent(identifier: "one", title: NotificationText("Encrypted"))

    /// Creates a stage; with a key, its pictures are sealed.
    init(sealedBy key: SealingKey? = nil, _ settings: ProcessingSettings = .init()) throws {
        let folder = try TemporaryFolder()
        let clear = try SharedContainer.create(at: folder.url)
        try self.init(in: folder, key.map { clear.sealing(with: $0) } ?? clear, settings)
    }

    /// Creates a stage for a container; the cap is on the process of all tests.
    init(
        in folder: TemporaryFolder, _ container: SharedContainer,
        _ settings: ProcessingSettings = .init(), cap: ByteCount = .mebibytes(4096),
        fallback: FallbackEngine? = nil
    ) throws {
        (self.folder, self.container) = (folder, container)
        var settings = settings
        settings.cap = MemoryCap(cap)
        stage = try DeliveryStage(
            container: container,
            processor: try AttachmentProcessor(
                settings: settings, container: container, fallback: fallback))
    }

    static func image(_ name: String) throws -> Data {
        try Data(
            contentsOf: URL(fileURLWithPath: #filePath)
                .appendingPathComponent("../../../Images/\(name)").standardized)
    }

    /// A picture that has to be decoded.
    var photograph: Data { get throws { try Self.image("gerbera-display-p3.jpg") } }

    /// File names in the container's incoming folder.
    var incoming: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appendingPathComponent("incoming").path)
        }
    }

    /// Contents of all files in the container, by their paths.
    var contents: [String: Data] {
        get throws {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            let files = paths.compactMap { path in
                (try? Data(contentsOf: folder.url.appendingPathComponent(path))).map { (path, $0) }
            }
            return Dictionary(files) { first, _ in first }
        }
    }

    /// Contents of all files in the container.
    var files: [Data] { get throws { Array(try contents.values) } }

    var download: AttachmentDownload {
        var settings = DownloadSettings()
        settings.allowsInsecureTransfer = true
        return AttachmentDownload(settings: settings)
    }

    /// Begins the delivery of a notification that app code prepares.
    func begin(
        within time: Duration = .seconds(40),
        preparing: @escaping @Sendable () async throws -> RemoteDelivery.Preparation
    ) -> (delivery: RemoteDelivery, answers: Answers) {
        let answers = Answers()
        let delivery = RemoteDelivery(
            of: notification, into: container, by: download, through: stage,
            deadline: .now.advanced(by: time), preparing: preparing,
            completion: { answers.add($0) })
        return (delivery, answers)
    }

    /// The whole delivery of a notification whose picture has a source.
    func answer(
        _ source: PictureSource?, identifier: String = "one",
        inlinePicture: InlinePicture? = nil, within time: Duration = .seconds(40)
    ) async throws -> DeliveryAnswer {
        let notification = NotificationContent(
            identifier: identifier, title: notification.title)
        return try await begin(within: time) {
            .init(notification, source: source, inlinePicture: inlinePicture)
        }.answers.first()
    }
}

extension PrivateDeliveryFixture {
    /// A request with a token for a file, encrypted, at a server that asks for the token.
    func source(
        _ bytes: Data, by decryption: any StreamDecryption
    ) throws -> (source: PictureSource, server: LoopbackServer) {
        let server = try LoopbackServer({ request in
            request.headers["authorization"] == "Bearer secret"
                ? .answer(status: 200, body: bytes) : .answer(status: 401)
        })
        var source = PictureSource.request(
            PictureRequest(
                try server.url("file"), headers: ["Authorization": "Bearer secret"]))
        source.decryption = decryption
        return (source, server)
    }

    /// Expects the notification as prepared, one of these reasons first, and nothing published or left behind.
    func expectNothing(
        in answer: DeliveryAnswer, _ codes: Set<String>, _ comment: String = ""
    ) throws {
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil, "\(comment)")
        #expect(answer.notification.title == notification.title)
        let code = answer.reasons.first?.code.rawValue ?? ""
        #expect(codes.contains(code), "\(comment): \(code)")
        #expect(try incoming == [])
        #expect(try container.manifest(for: "one") == nil)
    }
}

/// Records the answers passed to a completion.
final class Answers: Sendable {
    private let answers = Lock<[DeliveryAnswer]>([])

    var all: [DeliveryAnswer] { answers.withLock(\.self) }

    func add(_ answer: DeliveryAnswer) { answers.withLock { $0.append(answer) } }

    /// Waits for the first answer.
    func first() async throws -> DeliveryAnswer {
        while true {
            if let answer = all.first { return answer }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
