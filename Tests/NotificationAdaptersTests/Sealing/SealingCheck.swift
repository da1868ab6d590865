import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload

/// Promises about a delivery, and those that were broken.
struct SealingCheck {
    private let sealingCase: SealingCase
    private let fixture: PrivateDeliveryFixture
    private let key: SealingKey
    private(set) var faults: [String] = []

    init(_ sealingCase: SealingCase, _ fixture: PrivateDeliveryFixture, _ key: SealingKey) {
        (self.sealingCase, self.fixture, self.key) = (sealingCase, fixture, key)
    }

    mutating func expect(_ isKept: Bool, _ fault: String) {
        if !isKept { faults.append(fault) }
    }

    /// Compares an answer with the one of the same picture in the clear.
    mutating func outcome(of answer: DeliveryAnswer, expected plain: DeliveryAnswer) {
        let (kind, codes) = (answer.outcome.kind, answer.reasons.map(\.code.rawValue))
        let found = "\(kind.rawValue) \(codes)"
        for reason in answer.reasons {
            expect(!reason.message.isEmpty && !reason.remedy.isEmpty, "\(found) without remedy")
        }
        if sealingCase.isSealed { expect(answer.picture == nil, "\(found) with an attachment") }
        let isLowered = answer.outcome.manifest?.rung != plain.outcome.manifest?.rung
        if let refusal = sealingCase.refusal {
            let isExpected =
                codes.first == refusal || sealingCase.isTight && codes.first == "over-cap"
            expect(kind == .withoutPicture && isExpected, "\(found), not \(refusal)")
        } else if sealingCase.isTight, isLowered {
            // The memory that is left differs between two deliveries of one process.
            expect(kind != .original || !sealingCase.isPrivate, found)
        } else {
            let isAnswered = plain.outcome.manifest != nil || !sealingCase.isPrivate
            let expected = isAnswered ? plain.outcome.kind : .withoutPicture
            expect(kind == expected, "\(found), not \(expected.rawValue) \(plain.reasons)")
        }
    }

    /// Compares the pictures of a notification with those in the clear.
    mutating func renditions(
        of answer: DeliveryAnswer, _ identifier: String, _ plain: [RenditionRole: Data],
        _ rung: String?
    ) throws {
        guard let manifest = answer.outcome.manifest else {
            return expect(
                try fixture.container.manifest(for: identifier) == nil,
                "a manifest without a picture")
        }
        expect(
            manifest.renditions.allSatisfy { $0.isSealed == sealingCase.isSealed },
            "a rendition in the clear")
        let pictures = try pictures(of: identifier)
        // Animations need scratch files, so that stills are made of sealed ones.
        guard !sealingCase.isSealed || sealingCase.picture.kind != .animated else {
            return expect(pictures[.attachment] == nil, "a sealed animation")
        }
        expect(!pictures.isEmpty, "a picture cannot be read")
        guard manifest.rung == rung else {
            return expect(sealingCase.isTight, "\(manifest.rung), not \(rung ?? "a refusal")")
        }
        expect(Set(pictures.keys) == Set(plain.keys), "other renditions")
        for rendition in manifest.renditions {
            let isSearched =
                sealingCase.ceiling < .megabytes(10) || sealingCase.method.targetScore != nil
                || rendition.type != RenditionType.jpeg.rawValue
            // A length, a score and a palette are searched in the memory that is left, of which sealing
            // takes a part.
            if sealingCase.isTight, isSearched { continue }
            let role = rendition.role
            expect(pictures[role] == plain[role], "\(role.rawValue) differs")
        }
    }

    /// The renditions of a notification, decrypted.
    func pictures(of identifier: String) throws -> [RenditionRole: Data] {
        var pictures: [RenditionRole: Data] = [:]
        for rendition in try fixture.container.manifest(for: identifier)?.renditions ?? [] {
            pictures[rendition.role] = try fixture.container.picture(
                rendition.role, of: identifier)?.data()
        }
        return pictures
    }

    /// Searches all files and their names.
    mutating func secrets(_ secrets: [String: Data]) throws {
        let contents = try fixture.contents
        for (name, secret) in secrets {
            let runs = PlaintextRuns(of: secret)
            for (path, file) in contents {
                expect(!runs.isFound(in: file), "\(name) is in \(path)")
                expect(!runs.isFound(in: Data(path.utf8)), "\(name) is in the name \(path)")
            }
        }
    }

    /// Verifies the container, which needs no key.
    mutating func verification() throws {
        var findings: [Finding] = []
        try SharedContainer.open(at: fixture.folder.url).verify { event in
            if case .finding(let finding) = event, finding.severity != .information {
                findings.append(finding)
            }
        }
        for finding in findings { expect(false, "\(finding)") }
    }

    /// Expects no file but the format's.
    mutating func nothingLeft(_ time: String) throws {
        let left = try fixture.contents.keys.sorted()
        expect(left == ["thimble.json"], "\(time) are left: \(left)")
    }
}

extension SealingCase {
    /// True if its picture must not be stored in the clear.
    var isPrivate: Bool { isSealed || scheme != nil }

    /// The code of the reason without a picture, whatever the picture; nil if it may have one.
    var refusal: String? {
        if origin == .refused { return isSealed || !hasInlinePicture ? "download-refused" : nil }
        let needsScratch = picture.kind == .lossy || picture.kind == .heic
        if isSealed, engine == .libvips || needsScratch { return "unsupported" }
        return nil
    }
}
