import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// Every pair of presets, picture, way in, publishing, cap and byte ceiling.
@Suite("Pairs of presets and options of the service", .serialized, .timeLimit(.minutes(3)))
struct PresetPairwiseTests {
    /// The options of one server.
    struct Options: Hashable, CustomTestStringConvertible, Sendable {
        let publishing: Publishing
        /// MiB.
        let cap: Int
        let ceiling: ByteCount

        var testDescription: String { "\(publishing), \(cap) MiB, \(ceiling)" }
    }

    enum Publishing: CaseIterable, Sendable { case none, container, folder }

    /// Ways of a picture into the service.
    enum Delivery: CaseIterable, Sendable { case body, form, url }

    struct Case: Sendable {
        let presets: PresetSelection
        /// Pictures for both engines, opaque and not, upright and turned.
        let picture: String
        let delivery: Delivery
        let options: Options
    }

    private static let selections: [PresetSelection] = [
        [.content], [.avatar], [.content, .webPush], PresetSelection(Preset.allCases),
    ]
    private static let pictures = [
        "still-life-ready.jpg", "peak-orientation-6.jpg", "thimble-alpha.png", "meadow-lossy.webp",
        "meadow.tiff", "lake-evening.heic",
    ]

    /// The cases by the options of the server that answers them.
    static let servers: [(options: Options, cases: [Case])] = {
        let cases = rows.map { row in
            let options = Options(
                publishing: Publishing.allCases[row[3]], cap: [24, 64][row[4]],
                ceiling: [.megabytes(10), ByteCount(12_000)][row[5]])
            return Case(
                presets: selections[row[0]], picture: pictures[row[1]],
                delivery: Delivery.allCases[row[2]], options: options)
        }
        return Dictionary(grouping: cases, by: \.options).map { ($0.key, $0.value) }
            .sorted { $0.options.testDescription < $1.options.testDescription }
    }()

    /// The index of one value of every factor, for each case.
    ///
    /// Every preset meets every picture. Consecutive pictures run through all pairs of values of two other
    /// factors with 2 and 3 values, because 2 and 3 are coprime. The low ceiling meets the picture with
    /// alpha only for an avatar: its larger PNGs would be refused.
    private static let rows = selections.indices.flatMap { preset in
        pictures.indices.map { picture in
            let isLow = (selections[preset] == [.avatar]) == picture.isMultiple(of: 2)
            return [
                preset, picture, (preset + picture) % 3, (preset + 2 * picture) % 3,
                (preset + picture) % 2, isLow ? 1 : 0,
            ]
        }
    }

    @Test("Every pair of values of two factors is in a case")
    func coverage() {
        let counts = [
            Self.selections.count, Self.pictures.count, Delivery.allCases.count,
            Publishing.allCases.count, 2, 2,
        ]
        for second in counts.indices {
            for first in 0..<second {
                let pairs = Set(Self.rows.map { [$0[first], $0[second]] })
                #expect(pairs.count == counts[first] * counts[second], "\(first), \(second)")
            }
        }
    }

    @Test(
        "Every rendition is made under the cap and its ceiling, served, and published by name",
        arguments: servers.map(\.options))
    func pairs(options: Options) throws {
        let cases = try #require(Self.servers.first { $0.options == options }).cases
        try TestOrigin.with { origin throws in
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "thimble-published-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let publishing: [String] =
                switch options.publishing {
                case .none: []
                case .container: ["--publish-url", "https://media.example/r"]
                case .folder:
                    ["--publish-url", "https://media.example/r", "--publish", folder.path]
                }
            let server = try TestServer(
                origin.options + publishing + [
                    "--cap", "\(options.cap)MiB", "--max-bytes", "\(options.ceiling.bytes)",
                ])
            defer { server.end() }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            for (number, example) in cases.enumerated() {
                let answer = try send(example, as: "case-\(number)", to: server, from: origin)
                let name: Comment = "\(example): \(answer.text)"
                try #require(answer.status == 201, name)
                let object = try #require(answer.json["manifest"])
                let manifest = try decoder.decode(
                    Manifest.self, from: JSONSerialization.data(withJSONObject: object))
                #expect(manifest.renditions.map(\.role) == example.presets.roles, name)
                let cap = ByteCount.mebibytes(options.cap)
                #expect(try #require(manifest.predictedPeak) <= cap, name)
                #expect(try #require(manifest.measuredPeak) <= cap, name)
                try expectSizes(manifest, example)
                try expectFiles(manifest, answer, options, in: folder, from: server)
            }
        }
    }

    /// Sends a picture with the names of presets.
    private func send(
        _ example: Case, as identifier: String, to server: TestServer, from origin: TestOrigin
    ) throws -> Response {
        let path = "/v1/attachments"
        let names = example.presets.description
        switch example.delivery {
        case .body:
            return try server.request(
                "POST", path,
                [
                    "Content-Type": "application/octet-stream", "Thimble-Preset": names,
                    "Thimble-Identifier": identifier,
                ], body: TestServer.picture(example.picture))
        case .form:
            let heads = [("preset", names), ("identifier", identifier)].map { name, value in
                "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
            }
            let file =
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
            return try server.request(
                "POST", path, ["Content-Type": "multipart/form-data; boundary=b"],
                body: Array((heads.joined() + file).utf8)
                    + TestServer.picture(example.picture) + Array("\r\n--b--\r\n".utf8))
        case .url:
            let source = [
                "url": origin.url(example.picture), "preset": names, "identifier": identifier,
            ]
            return try server.request(
                "POST", path, ["Content-Type": "application/json"],
                body: Array(JSONSerialization.data(withJSONObject: source)))
        }
    }

    /// Checks lengths and sizes against ceilings and surfaces.
    private func expectSizes(_ manifest: Manifest, _ example: Case) throws {
        var settings = ProcessingSettings()
        settings.maximumBytes = example.options.ceiling
        let orientation = try #require(Orientation(rawValue: manifest.source.orientation))
        #expect((orientation == .upright) == (example.picture != "peak-orientation-6.jpg"))
        let isPortrait = ["peak-orientation-6.jpg", "meadow.tiff"].contains(example.picture)
        for rendition in manifest.renditions {
            let name: Comment = "\(example) \(rendition.role.rawValue) \(rendition.size)"
            #expect(rendition.bytes <= settings.maximumBytes(of: rendition.role), name)
            if rendition.role == .expanded, rendition.size.width != rendition.size.height {
                #expect((rendition.size.width < rendition.size.height) == isPortrait, name)
            }
            let preset = Preset.allCases.first { $0.role == rendition.role }
            guard let surface = preset?.surface else { continue }
            #expect(rendition.size.width <= surface.size.width, name)
            #expect(rendition.size.height <= surface.size.height, name)
            #expect(rendition.size.pixelCount <= surface.maximumPixels, name)
        }
    }

    /// Checks what devices get of each rendition.
    private func expectFiles(
        _ manifest: Manifest, _ answer: Response, _ options: Options, in folder: URL,
        from server: TestServer
    ) throws {
        let paths = try #require(answer.json["paths"] as? [String: String])
        #expect(Set(paths.keys) == Set(manifest.renditions.map(\.role.rawValue)))
        let published = options.publishing == .none ? [] : manifest.published
        let urls = answer.json["urls"] as? [String: String]
        #expect(
            Set(urls?.keys.map(\.self) ?? [])
                == Set(published.count > 1 ? published.map(\.role.rawValue) : []))
        #expect((answer.json["url"] != nil) == !published.isEmpty)
        for rendition in manifest.renditions {
            let role = rendition.role.rawValue
            let served = try server.request("GET", try #require(paths[role]))
            #expect(served.status == 200 && served.body.count == rendition.bytes.bytes, "\(role)")
            #expect("\(ContentDigest(of: served.body))" == "\(rendition.sha256)", "\(role)")
            guard published.contains(rendition) else { continue }
            let url = urls?[role] ?? answer.json["url"] as? String
            #expect(url == "https://media.example/r/\(rendition.file)", "\(role)")
            guard options.publishing == .folder else { continue }
            let stored = try Data(contentsOf: folder.appending(path: rendition.file))
            #expect(Array(stored) == served.body, "\(role)")
        }
    }
}
