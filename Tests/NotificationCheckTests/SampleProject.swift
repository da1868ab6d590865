import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationCheck
import SampleMedia
import Testing

/// A complete project without faults, in a temporary folder that is removed after the test.
///
/// A test changes one part and then runs the check.
final class SampleProject {
    let folder: URL
    var input = CheckInput()
    /// The payload.
    var payload: [String: Any] = [
        "aps": [
            "alert": ["title": "Salmon at dawn", "body": "The picture of the day"],
            "category": "photo", "mutable-content": 1, "sound": "default",
        ] as [String: Any],
        "thimble": ["id": "daily-42", "media": "photo.jpg"],
    ]
    var app: [String: Any] = [
        "CFBundleIdentifier": "org.example.daily", "MinimumOSVersion": "18.0",
    ]
    var service: [String: Any] = [
        "MinimumOSVersion": "18.0",
        "NSExtension": [
            "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
            "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).NotificationService",
        ],
    ]
    var content: [String: Any] = [
        "MinimumOSVersion": "18",
        "NSExtension": [
            "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
            "NSExtensionMainStoryboard": "MainInterface",
            "NSExtensionAttributes": [
                "UNNotificationExtensionCategory": ["photo", "album"],
                "UNNotificationExtensionInitialContentSizeRatio": 0.75,
                "UNNotificationExtensionUserInteractionEnabled": true,
            ] as [String: Any],
        ] as [String: Any],
    ]
    var entitlements: [String: [String: Any]] = {
        let groups: [String: Any] = [
            "com.apple.security.application-groups": ["group.org.example.daily"]
        ]
        var app = groups
        app["aps-environment"] = "production"
        return ["app": app, "service": groups, "content": groups]
    }()
    /// The pictures in the container; if empty, the container lacks the notification.
    var renditions: [(RenditionRole, PixelSize)] = [
        (.expanded, PixelSize(width: 1320, height: 990)),
        (.banner, PixelSize(width: 264, height: 264)),
    ]
    var manifestCategory = "photo"

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        input.payloads = [.file(path("payload.json"))]
        input.registeredCategories = ["photo", "album"]
        input.appInfoPlist = path("app.plist")
        input.serviceInfoPlist = path("service.plist")
        input.contentInfoPlists = [path("content.plist")]
        input.appEntitlements = path("app.entitlements")
        input.serviceEntitlements = path("service.entitlements")
        input.contentEntitlements = [path("content.entitlements")]
        input.container = path("container")
        input.hasControls = true
        try write(Data(contentsOf: Self.picture), to: "photo.jpg")
    }

    /// A picture that the system accepts unchanged.
    private static let picture = URL(fileURLWithPath: #filePath)
        .appending(path: "../../../Images/still-life-ready.jpg").standardized

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path(name)))
    }

    /// Changes a value at a dotted key path; nil removes it.
    static func set(_ path: String, of values: inout [String: Any], to value: Any?) {
        let keys = path.split(separator: ".").map(String.init)
        guard let first = keys.first else { return }
        guard keys.count > 1 else {
            values[first] = value
            return
        }
        var inner = values[first] as? [String: Any] ?? [:]
        set(keys.dropFirst().joined(separator: "."), of: &inner, to: value)
        values[first] = inner
    }

    func setPayload(_ path: String, to value: Any?) {
        Self.set(path, of: &payload, to: value)
    }

    /// Changes the category of the payload and the manifest.
    func setCategory(_ category: String) {
        setPayload("aps.category", to: category)
        manifestCategory = category
    }

    func setContent(_ attribute: String, to value: Any?) {
        Self.set("NSExtension.NSExtensionAttributes.\(attribute)", of: &content, to: value)
    }

    func setGroups(_ target: String, to groups: Any?) {
        entitlements[target]?["com.apple.security.application-groups"] = groups
    }

    /// Writes the files that do not exist yet.
    func write() throws {
        try write(JSONSerialization.data(withJSONObject: payload), to: "payload.json")
        try writeList(app, to: "app.plist")
        try writeList(service, to: "service.plist")
        try writeList(content, to: "content.plist")
        for (target, values) in entitlements { try writeList(values, to: "\(target).entitlements") }
        let container = try SharedContainer.create(at: URL(fileURLWithPath: path("container")))
        guard !renditions.isEmpty else { return }
        var publication = Publication(in: container)
        var published: [Manifest.Rendition] = []
        for (role, size) in renditions {
            let file = try IncomingFile(in: container)
            try file.append(Data("\(role.rawValue) \(size)".utf8))
            published.append(try publication.add(file, as: role, type: .jpeg, size: size))
        }
        try publication.commit(
            Manifest(
                identifier: "daily-42", category: manifestCategory,
                source: Manifest.Source(
                    format: "jpeg", coding: "baseline", size: PixelSize(width: 4032, height: 3024),
                    bytes: .megabytes(3), sha256: ContentDigest(of: "source")),
                settings: "5e77", renditions: published, contentSizeRatio: 0.75,
                placeholder: try #require(
                    ThumbHash(width: 1, height: 1, rgba: [200, 80, 40, 255])),
                averageColour: Colour(red: 200, green: 80, blue: 40), rung: "streamed"))
    }

    /// Writes all files, applies a test's damage, and runs the check.
    func check(_ damage: (SampleProject) throws -> Void = { _ in }) async throws -> CheckReport {
        try write()
        try damage(self)
        return try await ProjectCheck(input).run(inspecting: Self.inspect)
    }

    /// Reads a header in this process.
    static func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        try InspectedAttachment(headerOf: AttachmentRequest(path: path, identifier: ""))
    }

    /// The paths of the renditions.
    func renditionPaths() throws -> [String] {
        let root = path("container/renditions")
        return try FileManager.default.subpathsOfDirectory(atPath: root).map { "\(root)/\($0)" }
            .filter { $0.hasSuffix(".jpg") }.sorted()
    }

    /// Changes the first rendition in the notification's manifest.
    func editFirstRendition(_ change: (inout [String: Any]) throws -> Void) throws {
        let file = "container/notifications/\(ContentDigest(of: "daily-42")).json"
        let data = try Data(contentsOf: URL(fileURLWithPath: path(file)))
        var json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        var renditions = try #require(json["renditions"] as? [[String: Any]])
        try change(&renditions[0])
        json["renditions"] = renditions
        try write(JSONSerialization.data(withJSONObject: json), to: file)
    }

    func writeList(_ values: [String: Any], to name: String) throws {
        try write(
            PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0),
            to: name)
    }
}
