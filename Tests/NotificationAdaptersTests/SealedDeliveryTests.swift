import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import SampleCiphertexts
import SampleMedia
import Testing

@Suite("Delivery of sealed pictures", .serialized, .timeLimit(.minutes(5)))
struct SealedDeliveryTests {
    private let key = SealingKey.random()

    /// A way to a rendition: encoded, kept, without its metadata, turned, with alpha, flat, animated.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case photograph, kept, stripped, turned, alpha, palette, gif

        var testDescription: String { rawValue }

        func bytes() throws -> Data {
            let ready = "still-life-ready.jpg"
            return switch self {
            case .photograph: try PrivateDeliveryFixture.image("gerbera-display-p3.jpg")
            case .kept: try PrivateDeliveryFixture.image(ready)
            case .stripped: try PrivateDeliveryFixture.image(ready).withOrientation(1)
            case .turned: try PrivateDeliveryFixture.image(ready).withOrientation(6)
            case .alpha: try PrivateDeliveryFixture.image("thimble-alpha.png")
            case .palette: try PrivateDeliveryFixture.image("gerbera-palette.png")
            case .gif: try PrivateDeliveryFixture.image("aurora-animated.gif")
            }
        }
    }

    private static let every = PresetSelection(Preset.allCases)

    /// Settings that decide on encoders and on renditions that are encoded again.
    private static let settings: [(name: String, ProcessingSettings)] = {
        var (crop, ceiling, surfaces, png, score) = (
            ProcessingSettings(), ProcessingSettings(), ProcessingSettings(), ProcessingSettings(),
            ProcessingSettings()
        )
        crop.cropRatio = 0.5
        ceiling.maximumBytes = ByteCount(30_000)
        surfaces.presets = every
        png.stillType = .png
        score.targetScore = 70
        return [
            ("crop", crop), ("ceiling", ceiling), ("surfaces", surfaces), ("png", png),
            ("score", score),
        ]
    }()

    /// Every kind with the usual settings, and kinds and settings in turn.
    private static let cases: [(Kind, String, ProcessingSettings)] =
        Kind.allCases.map { ($0, "usual", ProcessingSettings()) }
        + settings.enumerated().map { number, settings in
            (
                [Kind.turned, .photograph, .photograph, .alpha, .photograph][number], settings.name,
                settings.1
            )
        }

    private func source(_ bytes: Data, isEncrypted: Bool) throws -> PictureSource {
        guard isEncrypted else { return .data(bytes) }
        let sample = SampleCiphertext(.counter, of: bytes)
        var source = PictureSource.data(sample.bytes)
        source.decryption = try sample.decryption()
        return source
    }

    /// Expects no file to have a run of 16 bytes of the plaintext.
    private func expectNo(
        _ plaintext: Data, in files: [Data], _ comment: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let runs = PlaintextRuns(of: plaintext)
        for file in files {
            #expect(!runs.isFound(in: file), "\(comment)", sourceLocation: location)
        }
    }

    @Test("A run of plaintext is found at every offset of a file, and in a container in the clear")
    func plaintextIsFound() async throws {
        let bytes = try Kind.photograph.bytes()
        let run = Data(bytes[bytes.startIndex + 160..<bytes.startIndex + 191])
        for offset in 0..<16 {
            #expect(PlaintextRuns(of: bytes).isFound(in: Data(count: offset) + run), "\(offset)")
        }
        for other in [Data(run.prefix(15)), Data(), Data(run.reversed())] {
            #expect(!PlaintextRuns(of: bytes).isFound(in: other))
        }
        let clear = try PrivateDeliveryFixture(sealedBy: nil, ProcessingSettings())
        let answer = try await clear.answer(source(bytes, isEncrypted: true))
        let manifest = try #require(answer.outcome.manifest, "\(answer.reasons)")
        let files = try clear.files
        for rendition in manifest.renditions {
            let picture = try #require(try clear.container.picture(rendition.role, of: "one"))
            let runs = PlaintextRuns(of: try picture.data())
            #expect(files.contains { runs.isFound(in: $0) }, "\(rendition.role.rawValue)")
        }
    }

    @Test(
        "Sealed renditions are those of a container in the clear, and no file has a run of them",
        arguments: cases.indices)
    func renditions(number: Int) async throws {
        let (kind, name, settings) = Self.cases[number]
        let comment = "\(kind.rawValue), \(name)"
        let bytes = try kind.bytes()
        let clear = try PrivateDeliveryFixture(sealedBy: nil, settings)
        let expected = try await clear.answer(source(bytes, isEncrypted: true))
        let plain = try #require(expected.outcome.manifest, "\(comment): \(expected.reasons)")
        let fixture = try PrivateDeliveryFixture(sealedBy: key, settings)
        let answer = try await fixture.answer(source(bytes, isEncrypted: number % 2 == 0))
        let sealed = try #require(
            try fixture.container.manifest(for: "one"), "\(comment): \(answer.reasons)")
        // The system would store an attachment in the clear.
        #expect(answer.picture == nil && answer.avatar == nil, "\(comment)")
        #expect(answer.reasons.contains { $0.code == .sealed }, "\(comment): \(answer.reasons)")
        #expect(sealed.renditions.allSatisfy { $0.isSealed })
        let files = try fixture.files
        // Animations need scratch files, which would have pixels in the clear: they become stills.
        let comparable = plain.renditions.filter { $0.role != .attachment }
        if kind != .gif {
            #expect(sealed.renditions.map(\.role) == plain.renditions.map(\.role), "\(comment)")
        }
        for rendition in kind == .gif ? [] : comparable {
            let original = try #require(try clear.container.picture(rendition.role, of: "one"))
            let picture = try #require(try fixture.container.picture(rendition.role, of: "one"))
            let data = try original.data()
            #expect(try picture.data() == data, "\(comment), \(rendition.role.rawValue)")
            #expect(picture.size == original.size && picture.type == original.type)
            expectNo(data, in: files, "\(comment), \(rendition.role.rawValue)")
        }
        for rendition in sealed.renditions {
            let picture = try #require(
                try fixture.container.picture(rendition.role, of: "one"))
            expectNo(try picture.data(), in: files, "\(comment), \(rendition.role.rawValue)")
        }
        expectNo(bytes, in: files, "\(comment), original")
        for file in files { #expect(file.range(of: Data("\"one\"".utf8)) == nil) }
        #expect(try fixture.incoming == [])
    }

    @Test("An animation is sealed as a still, and sound and movies are refused with a remedy")
    func moving() async throws {
        let fixture = try PrivateDeliveryFixture(sealedBy: key)
        let gif = try await fixture.answer(.data(try Kind.gif.bytes()))
        #expect(gif.outcome.manifest?.rendition(.expanded)?.isSealed == true, "\(gif.reasons)")
        for name in ["chime.wav", "aurora.avi"] {
            let media = try PrivateDeliveryFixture.image(name)
            let answer = try await fixture.answer(.data(media), identifier: "two")
            #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
            let reason = try #require(answer.reasons.first)
            #expect(!reason.remedy.isEmpty, "\(reason)")
            for file in try fixture.files { #expect(file.range(of: media[2000..<2032]) == nil) }
        }
    }

    @Test(
        "What needs a scratch file or libvips is refused with a remedy",
        arguments: ["meadow-lossy.webp", "lake-evening.heic", "aurora.avif"])
    func unsealable(name: String) async throws {
        let fixture = try PrivateDeliveryFixture(sealedBy: key)
        let answer = try await fixture.answer(.data(try PrivateDeliveryFixture.image(name)))
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
        let reason = try #require(answer.reasons.first)
        #expect(reason.code.rawValue == "unsupported", "\(reason)")
        #expect(reason.remedy.contains("ImageIOProcessor"), "\(reason)")
        #expect(try fixture.incoming == [])
    }

    @Test("With libvips chosen the remedy is another engine, which cures it")
    func chosenEngine() async throws {
        var settings = ProcessingSettings()
        settings.engine = .libvips
        let bytes = try Kind.kept.bytes()
        let refused = try await PrivateDeliveryFixture(sealedBy: key, settings)
            .answer(.data(bytes))
        #expect(refused.outcome.kind == .withoutPicture)
        #expect(refused.reasons.first?.remedy.contains("automatic engine") == true)
        settings.engine = .automatic
        let cured = try await PrivateDeliveryFixture(sealedBy: key, settings).answer(.data(bytes))
        #expect(cured.outcome.kind == .rendition, "\(cured.reasons)")
    }

    @Test("A changed file of a sealed rendition, or another one, is not decrypted")
    func forged() async throws {
        let fixture = try PrivateDeliveryFixture(sealedBy: key)
        _ = try await fixture.answer(.data(try Kind.photograph.bytes()))
        let picture = try #require(try fixture.container.picture(.expanded, of: "one"))
        let banner = try #require(try fixture.container.picture(.banner, of: "one"))
        let bytes = try Data(contentsOf: picture.url)
        var changed = bytes
        changed[bytes.count / 2] ^= 1
        for forgery in [changed, bytes.dropLast(), try Data(contentsOf: banner.url), Data()] {
            try Data(forgery).write(to: picture.url)
            let error = #expect(throws: DecryptionError.self) { try picture.data() }
            #expect(error?.code == .notAuthentic)
        }
        try bytes.write(to: picture.url)
        #expect(try picture.data().count == bytes.count)
    }

    @Test("Each sealing has a key of its own, and redelivery replaces the picture")
    func twice() async throws {
        let fixture = try PrivateDeliveryFixture(sealedBy: key)
        let bytes = try Kind.kept.bytes()
        var names: Set<[String]> = []
        for _ in 0..<2 {
            let answer = try await fixture.answer(.data(bytes))
            names.insert(try #require(answer.outcome.manifest).renditions.map(\.file))
            #expect(try fixture.container.picture(.expanded, of: "one")?.data() == bytes)
        }
        #expect(names.count == 2)
        try fixture.container.forget(allBut: [], olderThan: .zero)
        let left = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.url.path)
            .filter { $0.contains(".") }
        #expect(left == ["thimble.json"])
    }

    @Test(
        "With a key that cannot be read, the notification arrives without a picture, with the remedy"
    )
    func locked() async throws {
        struct Locked: SealingKeyProviding {
            func sealingKey() throws(ContainerError) -> SealingKey {
                throw ContainerError(.keyUnavailable, path: "group", reason: "it is locked")
            }
        }
        let folder = try TemporaryFolder()
        let container = try SharedContainer.create(at: folder.url).sealing(with: Locked())
        let fixture = try PrivateDeliveryFixture(in: folder, container)
        let answer = try await fixture.answer(.data(try Kind.kept.bytes()))
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
        #expect(answer.reasons.first?.remedy == ContainerError.Code.keyUnavailable.remedy)
    }
}
