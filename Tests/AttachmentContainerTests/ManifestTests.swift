import AttachmentContainer
import Foundation
import Testing

@Suite("Manifest")
struct ManifestTests {
    @Test("A manifest reads as it was published, to the second")
    func roundTrip() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("order-1042", notes: ["first frame of 12"])
        #expect(try fixture.container.manifest(for: "order-1042") == manifest)
        #expect(manifest.created.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) == 0)
        #expect(manifest.rendition(.banner)?.size == PixelSize(width: 264, height: 264))
        #expect(manifest.rendition(RenditionRole(rawValue: "other")) == nil)
    }

    @Test("The JSON is readable: sorted keys, unescaped paths, values as text")
    func json() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("order-1042")
        let text = try String(
            contentsOf: fixture.url(fixture.manifestFile("order-1042")), encoding: .utf8)
        let file = try #require(manifest.rendition(.expanded)?.file)
        #expect(text.contains(#""file" : "\#(file)""#))
        #expect(file.wholeMatch(of: /([0-9a-f]{2})\/\1[0-9a-f]{62}\.jpg/) != nil)
        #expect(text.contains(##""averageColour" : "#c85028""##))
        #expect(text.contains(#""formatVersion" : "1.0""#))
        #expect(text.contains(#""type" : "public.jpeg""#))
        #expect(text.contains(#""placeholder" : "\#(manifest.placeholder.rawValue)""#))
        #expect(text.contains(/"created" : "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/))
        #expect(!text.contains("measuredPeak"))
        let keys = text.matches(of: /\n  "(\w+)"/).map(\.1)
        #expect(keys == keys.sorted())
    }

    @Test("Unknown fields, roles and minor versions are tolerated")
    func tolerated() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        try fixture.edit(fixture.manifestFile("one")) { manifest in
            manifest["formatVersion"] = "1.7"
            manifest["later"] = ["much": 1]
            var renditions = try #require(manifest["renditions"] as? [[String: Any]])
            renditions[1]["role"] = "hologram"
            renditions[1]["later"] = true
            manifest["renditions"] = renditions
        }
        let manifest = try #require(try fixture.container.manifest(for: "one"))
        #expect(manifest.formatVersion == FormatVersion(major: 1, minor: 7))
        #expect(manifest.renditions[1].role.rawValue == "hologram")
        #expect(manifest.readdressed(to: "two").formatVersion == .current)
    }

    @Test("A telling moment is read back, and one out of range is refused")
    func thumbnailTime() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        #expect(try fixture.container.manifest(for: "one")?.thumbnailTime == nil)
        try fixture.edit(fixture.manifestFile("one")) { $0["thumbnailTime"] = 2.5 }
        #expect(try fixture.container.manifest(for: "one")?.thumbnailTime == 2.5)
        #expect(
            try fixture.container.manifest(for: "one")?.readdressed(to: "two").thumbnailTime == 2.5)
        for value in [-1, 1e300] {
            try fixture.edit(fixture.manifestFile("one")) { $0["thumbnailTime"] = value }
            #expect(throws: ContainerError.self) { try fixture.container.manifest(for: "one") }
        }
    }

    @Test(
        "Invalid values are refused and not quoted",
        arguments: [
            ("formatVersion", "2.0", .unknownVersion), ("identifier", "somebody else's", .wrongKey),
            ("created", "yesterday", .corrupt), ("averageColour", "#c8502", .corrupt),
            ("placeholder", "AAAA", .corrupt), ("contentSizeRatio", "wide", .corrupt),
            ("source", "secret", .corrupt), ("renditions", "secret", .corrupt),
        ] as [(String, String, ContainerError.Code)])
    func refused(field: String, value: String, expected: ContainerError.Code) throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        try fixture.edit(fixture.manifestFile("one")) { $0[field] = value }
        let error = try #require(throws: ContainerError.self) {
            try fixture.container.manifest(for: "one")
        }
        #expect(error.code == expected)
        #expect(error.path == fixture.path(fixture.manifestFile("one")))
        #expect(expected != .corrupt || [field, "JSON"].contains(error.detail))
        #expect(expected == .unknownVersion || !error.detailedDescription.contains(value))
    }

    @Test("A manifest longer than 1 MiB is corrupt, whatever it contains")
    func long() throws {
        let fixture = try ContainerFixture()
        let published = try fixture.publish("one")
        let file = fixture.manifestFile("one")
        try fixture.edit(file) { $0["comment"] = String(repeating: "x", count: 1 << 19) }
        #expect(try fixture.container.manifest(for: "one")?.renditions == published.renditions)
        try fixture.edit(file) { $0["comment"] = String(repeating: "x", count: 1 << 20) }
        let error = #expect(throws: ContainerError.self) {
            try fixture.container.manifest(for: "one")
        }
        #expect(error?.code == .corrupt)
    }

    @Test(
        "An out-of-range number is corrupt and reported by its coding path",
        arguments: [
            ("contentSizeRatio", 1e300), ("contentSizeRatio", 1e-300), ("contentSizeRatio", -0.75),
            ("renditions.duration", 1e18), ("renditions.duration", -1), ("renditions.bytes", -1),
            ("renditions.bytes", 1e18), ("measuredPeak", -1), ("measuredPeak", 1e18),
        ] as [(String, Double)])
    func incredible(field: String, value: Double) throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        let places = field.split(separator: ".").map(String.init)
        try fixture.edit(fixture.manifestFile("one")) { manifest in
            // Encodes whole numbers without a fraction.
            let number = Int(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
            if places.count == 1 {
                manifest[field] = number
            } else {
                var renditions = try #require(manifest["renditions"] as? [[String: Any]])
                renditions[0][places[1]] = number
                manifest["renditions"] = renditions
            }
        }
        let error = #expect(throws: ContainerError.self) {
            try fixture.container.manifest(for: "one")
        }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.hasSuffix(places[places.count - 1]) == true)
        #expect(fixture.findings().map(\.code).contains(.corruptManifest))
    }

    @Test("The ratio of a claimed size is 0 when it is out of range")
    func credibleRatio() {
        #expect(Manifest.credibleRatio(of: PixelSize(width: 4, height: 3)) == 0.75)
        #expect(Manifest.credibleRatio(of: PixelSize(width: 1, height: 4_000_000_000)) == 0)
        #expect(Manifest.credibleRatio(of: PixelSize(width: 4_000_000_000, height: 1)) == 0)
        #expect(Manifest.credibleRatio(of: .zero) == 0)
        #expect(Manifest.credibleRatio(of: nil) == 0)
    }

    @Test(
        "A rendition that leads out of the container is refused",
        arguments: [
            "../thimble.json", "/etc/passwd", "ab/../../thimble.json", "", ".",
            "PREFIX/HASH./../../../thimble.json",
        ])
    func escape(file: String) throws {
        let fixture = try ContainerFixture()
        let digest = try #require(try fixture.publish("one").renditions.first).sha256.rawValue
        try fixture.edit(fixture.manifestFile("one")) { manifest in
            var renditions = try #require(manifest["renditions"] as? [[String: Any]])
            renditions[0]["file"] = file.replacing("PREFIX", with: digest.prefix(2))
                .replacing("HASH", with: digest)
            manifest["renditions"] = renditions
        }
        let error = #expect(throws: ContainerError.self) {
            try fixture.container.manifest(for: "one")
        }
        #expect(error?.code == .corrupt)
    }

    @Test(
        "No identifier escapes the folder, and each names a separate notification",
        arguments: [
            "../../etc/passwd", "", "/", ".", "👩‍👩‍👧‍👦", "nul\0byte", "line\nbreak", "\"quoted\\\"",
            String(repeating: "long", count: 2500),
        ])
    func hostile(identifier: String) throws {
        let fixture = try ContainerFixture()
        try fixture.publish("plain")
        let manifest = try fixture.publish(identifier)
        #expect(try fixture.container.manifest(for: identifier) == manifest)
        #expect(try fixture.container.manifest(for: identifier + " ") == nil)
        #expect(
            try fixture.files(in: "notifications")
                == ["plain", identifier].map { "\(ContentDigest(of: $0)).json" }.sorted())
    }

    @Test("Identifiers are compared byte by byte, without normalisation")
    func normalisation() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("caf\u{E9}")
        #expect(try fixture.container.manifest(for: "cafe\u{301}") == nil)
    }

    @Test("Neither a manifest's description nor an error shows the identifier")
    func privacy() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("private-name")
        #expect(!"\(manifest)".contains("private-name"))
        #expect("\(manifest)".contains(manifest.key.rawValue))
        try fixture.write(
            #"{"formatVersion":"1.0","identifier":"private-name"}"#,
            to: fixture.manifestFile("private-name"))
        let error = try #require(throws: ContainerError.self) {
            try fixture.container.manifest(for: "private-name")
        }
        #expect(!error.detailedDescription.contains("private-name"))
    }
}
