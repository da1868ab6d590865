import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import SampleCiphertexts

/// Delivers the picture of a case, and checks every file and rendition that results.
struct SealingRun {
    /// A delivery in the clear, with its renditions.
    private struct Delivered {
        let fixture: PrivateDeliveryFixture
        let answer: DeliveryAnswer
        var renditions: [RenditionRole: Data] = [:]
    }

    private static let identifier = "notification of a private picture"
    private static let other = "the same picture for someone else"

    let sealingCase: SealingCase
    /// The folder of `write_pictures.py`.
    let pictures: URL
    let key: SealingKey

    private var bytes: Data {
        get throws {
            try Data(
                contentsOf: pictures.appendingPathComponent("\(sealingCase.picture)"))
        }
    }

    /// Delivers and ends the case: broken promises, and whether a picture is shown.
    func result() async throws -> (faults: [String], isShown: Bool) {
        let reference = try await deliverInTheClear()
        let fixture = try makeFixture(isSealed: sealingCase.isSealed)
        var check = SealingCheck(sealingCase, fixture, key)
        let answer = try await deliver(to: fixture, Self.identifier)
        check.outcome(of: answer, expected: reference.answer)
        try check.renditions(
            of: answer, Self.identifier, reference.renditions,
            reference.answer.outcome.manifest?.rung)
        let secrets = try self.secrets(reference, answer, fixture)
        try check.secrets(secrets)
        try check.verification()
        try await end(fixture, answer, &check)
        return (check.faults, answer.outcome.manifest != nil)
    }

    /// The case's picture, as a public one in a container of its own.
    private func deliverInTheClear() async throws -> Delivered {
        let fixture = try makeFixture(isSealed: false)
        let source: PictureSource? = sealingCase.origin == .refused ? nil : .data(try bytes)
        // The picture inside the payload is shown where it is the only one.
        let inlinePicture =
            source == nil && sealingCase.hasInlinePicture ? try InlineDeliveryTests.picture : nil
        let answer = try await fixture.answer(
            source, identifier: Self.identifier, inlinePicture: inlinePicture)
        var delivered = Delivered(fixture: fixture, answer: answer)
        for rendition in answer.outcome.manifest?.renditions ?? [] {
            delivered.renditions[rendition.role] = try fixture.container.picture(
                rendition.role, of: Self.identifier)?.data()
        }
        return delivered
    }

    private func makeFixture(isSealed: Bool) throws -> PrivateDeliveryFixture {
        let folder = try TemporaryFolder()
        let clear = try SharedContainer.create(at: folder.url)
        // Enough for small pictures at most: the footprint is the one of all tests.
        let tight = ByteCount((Footprint.current()?.bytes ?? 0) + 4_000_000)
        return try PrivateDeliveryFixture(
            in: folder, isSealed ? clear.sealing(with: key) : clear,
            sealingCase.settings, cap: sealingCase.isTight ? tight : .mebibytes(4096),
            fallback: .libvips)
    }

    private func deliver(
        to fixture: PrivateDeliveryFixture, _ identifier: String
    ) async throws -> DeliveryAnswer {
        let plain = try bytes
        let sample = sealingCase.scheme.map { SampleCiphertext($0, of: plain) }
        let file = sample?.bytes ?? plain
        let isRefused = sealingCase.origin == .refused
        let server = try LoopbackServer { request in
            guard request.headers["authorization"] == "Bearer secret", !isRefused else {
                return .answer(status: 403)
            }
            return .answer(status: 200, body: file)
        }
        let local = try TemporaryFolder()
        var source: PictureSource
        switch sealingCase.origin {
        case .request, .refused:
            source = .request(
                PictureRequest(
                    try server.url("file"), headers: ["Authorization": "Bearer secret"]))
        case .data: source = .data(file)
        case .file:
            let url = local.url.appendingPathComponent("picture")
            try file.write(to: url)
            source = .file(url)
        case .stream:
            source = .stream(
                AsyncStream<Data> { stream in
                    for start in stride(from: 0, to: file.count, by: 1000) {
                        stream.yield(file[start..<min(start + 1000, file.count)])
                    }
                    stream.finish()
                })
        }
        source.decryption = try sample?.decryption()
        return try await fixture.answer(
            source, identifier: identifier,
            inlinePicture: sealingCase.hasInlinePicture ? try InlineDeliveryTests.picture : nil)
    }

    /// Texts that no file of a container may have.
    private func secrets(
        _ reference: Delivered, _ answer: DeliveryAnswer, _ fixture: PrivateDeliveryFixture
    ) throws -> [String: Data] {
        let plain = try bytes
        var secrets: [String: Data] = [:]
        if let scheme = sealingCase.scheme {
            let sample = SampleCiphertext(scheme, of: plain)
            secrets["ciphertext"] = sample.bytes
            secrets["digest of the ciphertext"] = Data(
                ContentDigest(of: sample.bytes).rawValue.utf8)
            secrets["key"] = sample.key
            secrets["key in Base64"] = Data(sample.key.base64EncodedString().utf8)
            // A picture that needs no change is its own rendition, named by its digest.
            if sealingCase.picture.kind != .ready {
                secrets["digest"] = Data(ContentDigest(of: plain).rawValue.utf8)
            }
        }
        guard sealingCase.isSealed else { return secrets }
        secrets["original"] = plain
        secrets["digest"] = Data(ContentDigest(of: plain).rawValue.utf8)
        secrets["identifier"] = Data(Self.identifier.utf8)
        secrets["sealing key"] = Data(key.withBytes { $0 })
        for (role, data) in reference.renditions {
            secrets[role.rawValue] = data
            secrets["digest of \(role.rawValue)"] = Data(ContentDigest(of: data).rawValue.utf8)
        }
        if let manifest = reference.answer.outcome.manifest {
            secrets["placeholder"] = Data(manifest.placeholder.rawValue.utf8)
            secrets["settings"] = Data(manifest.settings.utf8)
        }
        for rendition in try fixture.container.manifest(for: Self.identifier)?.renditions ?? [] {
            let key = rendition.seal?.key ?? Data()
            secrets["key of \(rendition.role.rawValue)"] = key
            secrets["key of \(rendition.role.rawValue) in Base64"] = Data(
                key.base64EncodedString().utf8)
        }
        return secrets
    }
}

extension SealingRun {
    /// Ends the notification as the case says, and checks that nothing is left.
    private func end(
        _ fixture: PrivateDeliveryFixture, _ answer: DeliveryAnswer, _ check: inout SealingCheck
    ) async throws {
        let container = fixture.container
        // The system moves an attachment.
        Self.attach(answer)
        switch sealingCase.ending {
        case .forgotten: break
        case .another:
            let another = try await deliver(to: fixture, Self.other)
            Self.attach(another)
            let before = try check.pictures(of: Self.other)
            try container.forget(allBut: [Self.other], olderThan: .zero)
            check.expect(
                try check.pictures(of: Self.other) == before,
                "forgetting changed another notification")
            check.expect(
                try container.manifest(for: Self.identifier) == nil,
                "the forgotten manifest is left")
            try check.secrets(["identifier": Data(Self.identifier.utf8)])
            try check.verification()
        case .again:
            Self.attach(try await deliver(to: fixture, Self.identifier))
            try check.verification()
        case .pinned:
            try container.pin(Self.identifier)
            let before = try check.pictures(of: Self.identifier)
            try container.forget(allBut: [], olderThan: .zero)
            check.expect(
                try check.pictures(of: Self.identifier) == before, "a pinned picture is gone")
            try container.unpin(Self.identifier)
        case .expired:
            let past = Date(timeIntervalSinceNow: -660)
            for path in try fixture.contents.keys {
                try FileManager.default.setAttributes(
                    [.modificationDate: past],
                    ofItemAtPath: fixture.folder.url.appendingPathComponent(path).path)
            }
            try container.prune(try .retaining(for: .seconds(600)))
            return try check.nothingLeft("after the retention")
        }
        let report = try container.forget(allBut: [], olderThan: .zero)
        check.expect(report.isComplete, "forgetting is not complete")
        try check.nothingLeft("after forgetting")
    }

    private static func attach(_ answer: DeliveryAnswer) {
        if let file = answer.picture { try? FileManager.default.removeItem(at: file) }
    }
}
