import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import AttachmentPipeline
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import OriginServer
import SampleCiphertexts
import SampleMedia
import Testing

@testable import PrivateExample

/// The service extension's way of a message on Linux: the origin, the shared code and the container are the
/// real ones.
final class Rehearsal: Sendable {
    static let token = "sample-token"
    /// The key of the example's payload.json.
    static let key = Data(0..<32)

    let folder: URL
    let container: SharedContainer
    let origin: Origin
    private let stage: DeliveryStage

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        container = try SharedContainer.create(at: folder.appendingPathComponent("container"))
        origin = try Origin()
        var settings = ProcessingSettings()
        // The cap is on the process of all tests.
        settings.cap = MemoryCap(.mebibytes(4096))
        stage = try DeliveryStage(
            container: container,
            processor: try AttachmentProcessor(settings: settings, container: container))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A HEIC of 4032 × 3024 pixels: four times the tile of 2016 × 1512 of `Images`.
    static func photograph() throws -> Data {
        let file = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../Images/lake-evening.heic").standardized
        let media = try #require(CodedPiece(onlyPictureOf: Array(Data(contentsOf: file))))
        // One unit of the coded picture with its length; Exif follows.
        let count = media.bytes[..<4].reduce(0) { $0 << 8 | Int($1) } + 4
        let tile = CodedPiece(
            isAV1: false, configuration: media.configuration, bytes: Array(media.bytes[..<count]),
            width: media.width, height: media.height)
        return Data(HEIFWriter.mosaic([tile], columns: 2, rows: 2, 4032, 3024).bytes)
    }

    /// Encrypts a picture for the origin, and returns what a payload says of it.
    func upload(
        _ picture: Data, token: String = token, changing: (inout Data) -> Void = { _ in }
    ) throws -> [String: Any] {
        let sample = SampleCiphertext(.counter, of: picture)
        let path = folder.appendingPathComponent(UUID().uuidString)
        var bytes = sample.bytes
        changing(&bytes)
        try bytes.write(to: path)
        let unpadded = { (data: Data) in data.base64EncodedString().filter { $0 != "=" } }
        let key: [String: Any] = [
            "kty": "oct", "alg": "A256CTR", "key_ops": ["encrypt", "decrypt"], "ext": true,
            "k": unpadded(sample.key).replacing("+", with: "-").replacing("/", with: "_"),
        ]
        let file: [String: Any] = [
            "v": "v2", "url": origin.url("/private?token=\(Self.token)&path=\(path.path)"),
            "key": key, "iv": unpadded(sample.vector),
            "hashes": ["sha256": unpadded(sample.digest)],
        ]
        return ["token": token, "file": file]
    }

    /// A push whose texts and picture only a device with the key can read.
    func payload(_ picture: [String: Any], key: Data = key) throws -> Data {
        let event = try JSONSerialization.data(withJSONObject: [
            "sender": "Mira", "text": "Look what I found", "picture": picture,
        ])
        let nonce = Data(200..<212)
        let sealed = SampleCiphertext.galois(
            event, key: key, nonce: nonce, context: Data("c-7".utf8))
        return try JSONSerialization.data(withJSONObject: [
            "aps": [
                "alert": ["title": "New message", "body": "Open Messenger to read it"],
                "category": "message", "mutable-content": 1,
            ],
            "message": [
                "conversation": "c-7", "nonce": nonce.base64EncodedString(),
                "sealed": sealed.bytes.base64EncodedString(),
            ],
        ])
    }

    /// Decrypts a sealed message as the example's key does with CryptoKit.
    func open(_ message: SealedMessage) throws -> Data {
        let receiver = try CiphertextReceiver(
            GaloisDecryption(
                key: Self.key, nonce: message.nonce, context: Data(message.conversation.utf8)),
            in: folder)
        try receiver.append(message.sealed)
        let file = try AttachmentFile(receiver.finish(), path: "message")
        return Data(file.bytes(in: 0..<file.length.bytes))
    }

    /// Delivers a push as the example's service extension does.
    func deliver(_ payload: Data) async throws -> DeliveryAnswer {
        let received = try APNsPayload(parsing: payload).content(identifier: "m-1")
        var download = DownloadSettings()
        download.allowsInsecureTransfer = true
        let (answers, continuation) = AsyncStream.makeStream(of: DeliveryAnswer.self)
        let delivery = RemoteDelivery(
            of: received, into: container, by: AttachmentDownload(settings: download),
            through: stage, deadline: .now.advanced(by: .seconds(40)),
            preparing: {
                let userInfo = try JSONSerialization.jsonObject(with: payload) as? [String: Any]
                let message = try Message(of: userInfo ?? [:]) { try self.open($0) }
                var prepared = received
                prepared.title = NotificationText(message.sender)
                prepared.body = NotificationText(message.text)
                return .init(prepared, source: message.picture?.source)
            },
            completion: { continuation.yield($0) })
        defer { withExtendedLifetime(delivery) {} }
        for await answer in answers { return answer }
        throw CancellationError()
    }
}
