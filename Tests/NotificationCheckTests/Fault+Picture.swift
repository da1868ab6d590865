import AttachmentContainer
import Foundation
import NotificationCheck
import SampleMedia
import Testing

extension Fault {
    static let pictures = [
        Fault("no container", .missingContainer, in: "absent") {
            $0.input.container = $0.path("absent")
        },
        Fault("a file for the container", .missingContainer, in: "photo.jpg") {
            $0.input.container = $0.path("photo.jpg")
        },
        Fault(
            "a container of a later release", .containerVersion, in: "thimble.json",
            damage: {
                try $0.write(Data(#"{"formatVersion":"2.0"}"#.utf8), to: "container/thimble.json")
            }),
        Fault(
            "a container with a damaged version", .unreadableContainer, in: "thimble.json",
            damage: { try $0.write(Data("{".utf8), to: "container/thimble.json") }),
        Fault("a container without the notification", .missingManifest, in: "payload.json") {
            $0.renditions = []
        },
        Fault(
            "a damaged manifest", .unreadableContainer, in: "\(manifest).json",
            damage: {
                try $0.write(Data("{".utf8), to: "container/notifications/\(manifest).json")
            }),
        Fault(
            "a manifest of another category", .manifestCategory, "“album”", in: "\(manifest).json"
        ) {
            $0.manifestCategory = "album"
        },
        Fault(
            "a picture that is not there", .missingRendition, "is missing",
            in: "\(manifest).json",
            damage: { project in
                let path = try #require(try project.renditionPaths().first)
                try FileManager.default.removeItem(atPath: path)
            }),
        Fault(
            "a picture that is cut", .missingRendition, "not of the size", in: "\(manifest).json",
            damage: { project in
                let path = try #require(try project.renditionPaths().first)
                try Data("cut".utf8).write(to: URL(fileURLWithPath: path))
            }),
        Fault(
            "no expanded rendition", .missingRendition, "no expanded rendition",
            in: "\(manifest).json"
        ) {
            $0.renditions = [(.banner, PixelSize(width: 264, height: 264))]
        },
        Fault("a picture over the budget", .overRenderBudget, "1400x1050", in: "\(manifest).json") {
            $0.renditions[0] = (.expanded, PixelSize(width: 1400, height: 1050))
            $0.input.displayOptions.renderBudget = ByteCount(1400 * 1050 * 4 - 1)
        },
        Fault(
            "a picture of another ratio", .ratioMismatch,
            "ratio is 0.667, and the content extension declares 0.75", in: "\(manifest).json"
        ) {
            $0.renditions[0] = (.expanded, PixelSize(width: 1320, height: 880))
            $0.input.displayOptions.fitting = .crop
        },
        Fault(
            "a rendition of another type", .renditionType, "org.webmproject.webp",
            in: "\(manifest).json",
            damage: {
                try $0.editFirstRendition { $0["type"] = "org.webmproject.webp" }
            }),
        Fault(
            "a rendition of 11 MB", .renditionTooLarge, "the system accepts at most 10 MB",
            in: "\(manifest).json",
            damage: { project in
                try project.editFirstRendition {
                    let file = try #require($0["file"] as? String)
                    #expect(truncate(project.path("container/renditions/\(file)"), 11_000_000) == 0)
                    $0["bytes"] = 11_000_000
                }
            }),
    ]

    private static let manifest = ContentDigest(of: "daily-42")

    static let attachments = [
        Fault("no key that names an attachment", .missingMediaKey, in: "payload.json") {
            $0.setPayload("thimble.media", to: nil)
            // With a container, the check could find the picture there.
            $0.input.container = nil
        },
        Fault("an attachment that is not there", .missingAttachment, in: "payload.json") {
            $0.setPayload("thimble.media", to: "absent.jpg")
        },
        Fault("an attachment that is a folder", .missingAttachment, in: "payload.json") {
            $0.setPayload("thimble.media", to: "container")
        },
        Fault("an attachment of another host", .missingAttachment, in: "payload.json") {
            $0.setPayload("thimble.media", to: "file://server/photo.jpg")
        },
        Fault("an attachment in the clear", .insecureMedia, in: "payload.json") {
            $0.setPayload("thimble.media", to: "http://example.org/photo.jpg")
        },
        Fault("an attachment over FTP", .insecureMedia, in: "payload.json") {
            $0.setPayload("thimble.media", to: "ftp://example.org/photo.jpg")
        },
        media("a WebP picture", "photo.webp", sample("meadow-lossy.webp"), .pictureFormat, "webp"),
        media("an AVIF picture", "photo.avif", sample("aurora.avif"), .pictureFormat, "avif"),
        media("a TIFF picture", "photo.tiff", sample("meadow.tiff"), .pictureFormat, "tiff"),
        media("a text", "photo.jpg", .bytes(.ascii("hello")), .attachmentType, "like text"),
        media(
            "a movie of ProRes", "movie.mov",
            .bytes(
                SampleMovie.MP4(
                    major: "qt  ", brands: ["qt  "], tracks: [SampleMovie.track("vide", "apch")]
                ).bytes), .attachmentType, "MPEG-4 does not support"),
        media("an empty file", "photo.jpg", .bytes([]), .attachmentType, "no bytes"),
        media(
            "a JPEG of two bytes", "photo.jpg", .bytes([0xFF, 0xD8]), .damagedAttachment, "damaged"
        ),
        media(
            "a GIF that says it is a JPEG", "photo.jpg", sample("aurora-animated.gif"),
            .fileExtension, ".gif"),
        media(
            "a movie without an extension", "movie", .bytes(SampleMovie.MP4().bytes),
            .fileExtension, ".mp4"),
        media(
            "a picture of 11 MB", "a.png", sample("thimble-alpha.png"), .pictureTooLarge, "10 MB",
            11_000_000),
        media(
            "sound of 6 MB", "a.wav", .bytes(SampleSound.wav()), .mediumTooLarge, "5 MB",
            6_000_000),
        media(
            "a movie of 51 MB", "a.mp4", .bytes(SampleMovie.MP4().bytes), .mediumTooLarge,
            "50 MB", 51_000_000),
        Fault("a sound of the app's own", .customSound, "“salmon.caf”", in: "payload.json") {
            $0.setPayload("aps.sound", to: "salmon.caf")
        },
        Fault("a critical sound", .customSound, "“salmon.caf”", in: "payload.json") {
            $0.setPayload("aps.sound", to: ["critical": 1, "name": "salmon.caf", "volume": 1])
        },
        Fault("a sound that is not played", .soundType, "“salmon.mp3”", in: "payload.json") {
            $0.setPayload("aps.sound", to: "salmon.mp3")
        },
    ]

    /// The contents of a test's attachment.
    private enum Content {
        case bytes([UInt8])
        case copy(of: URL)
    }

    private static func sample(_ name: String) -> Content {
        .copy(
            of: URL(fileURLWithPath: #filePath).appending(path: "../../../Images/\(name)")
                .standardized)
    }

    /// An attachment, padded with zeros to a given length.
    private static func media(
        _ title: String, _ name: String, _ content: Content, _ code: CheckReport.Code,
        _ message: String, _ length: Int = 0
    ) -> Fault {
        Fault(title, code, message, in: "payload.json") {
            switch content {
            case .bytes(let bytes): try $0.write(Data(bytes), to: name)
            case .copy(let url): try $0.write(Data(contentsOf: url), to: name)
            }
            if length > 0 { #expect(truncate($0.path(name), length) == 0) }
            $0.setPayload("thimble.media", to: name)
        }
    }
}
