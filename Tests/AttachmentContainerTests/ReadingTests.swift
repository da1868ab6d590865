import AttachmentContainer
import Foundation
import Testing

@Suite("Reading content")
struct ReadingTests {
    static let pictures: [(RenditionRole, PixelSize)] = [
        (.banner, PixelSize(width: 264, height: 264)),
        (.expanded, PixelSize(width: 660, height: 495)),
        (.expanded, PixelSize(width: 1320, height: 990)),
        (.expanded, PixelSize(width: 2640, height: 1980)),
        (RenditionRole(rawValue: "hologram"), PixelSize(width: 400, height: 300)),
    ]

    /// Width in points, scale, render budget in bytes, and the expected picture's width.
    struct Choice: Sendable, CustomTestStringConvertible {
        var width, scale: Double
        var budget: Int
        var expected: Int?

        init(_ width: Double, _ scale: Double, _ budget: Int, _ expected: Int?) {
            (self.width, self.scale, self.budget, self.expected) = (width, scale, budget, expected)
        }

        var testDescription: String { "\(width) × \(scale) within \(budget)" }
    }

    @Test(
        "The smallest whole picture within the budget that covers the width is chosen",
        arguments: [
            Choice(440, 3, 8 << 20, 1320), Choice(440, 2, 8 << 20, 1320),
            Choice(441, 3, 8 << 20, 1320), Choice(441, 3, 32 << 20, 2640),
            Choice(220, 3, 8 << 20, 660), Choice(220.1, 3, 8 << 20, 660),
            Choice(220.2, 3, 8 << 20, 1320), Choice(88, 3, 8 << 20, 660),
            Choice(9999, 3, .max, 2640), Choice(0, 3, 8 << 20, 660), Choice(.nan, 3, 8 << 20, 1320),
            Choice(.infinity, 3, 8 << 20, 1320), Choice(-5, 1, 8 << 20, 660),
            Choice(440, 3, 1320 * 990 * 4, 1320), Choice(440, 3, 1320 * 990 * 4 - 1, 660),
            Choice(440, 3, 660 * 495 * 4 - 1, 264), Choice(440, 3, 264 * 264 * 4 - 1, nil),
            Choice(440, 3, 0, nil),
        ])
    func choice(choice: Choice) throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one", Self.pictures, notes: ["first frame of 12"])
        let display = Display(
            width: choice.width, scale: choice.scale, renderBudget: ByteCount(choice.budget))
        let content = fixture.container.content(for: "one", on: display)
        #expect(content.picture?.size.width == choice.expected)
        #expect(content.absence == (choice.expected == nil ? .overBudget : nil))
        #expect(content.contentSizeRatio == 0.75)
        #expect(content.placeholder == manifest.placeholder)
        #expect(content.averageColour == manifest.averageColour)
        #expect(content.notes == ["first frame of 12"])
        if let picture = content.picture {
            let text = try String(contentsOf: picture.url, encoding: .utf8)
            #expect(text == "\(picture.role.rawValue) \(picture.size) ")
            #expect(picture.type == "public.jpeg")
        }
    }

    @Test("A rendition for another surface is found by its role, if its file is complete")
    func surfaces() throws {
        let fixture = try ContainerFixture()
        let size = PixelSize(width: 970, height: 728)
        let manifest = try fixture.publish("one", Self.pictures + [(.widget, size)])
        let picture = try #require(try fixture.container.picture(.widget, of: "one"))
        let rendition = try #require(manifest.rendition(.widget))
        #expect(picture.url == fixture.container.url(of: rendition))
        #expect(picture.size == size && picture.role == .widget && picture.type == "public.jpeg")
        #expect(try String(contentsOf: picture.url, encoding: .utf8) == "widget \(size) ")
        #expect(try fixture.container.picture(.liveActivity, of: "one") == nil)
        #expect(try fixture.container.picture(.widget, of: "two") == nil)
        try fixture.write("cut", to: "renditions/\(rendition.file)")
        #expect(try fixture.container.picture(.widget, of: "one") == nil)
        try fixture.write("{", to: "notifications/\(manifest.key).json")
        #expect(throws: ContainerError.self) {
            try fixture.container.picture(.widget, of: "one")
        }
    }

    @Test("A missing or truncated picture is replaced by the next best")
    func damaged() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one", Self.pictures)
        let files = manifest.renditions.map { "renditions/\($0.file)" }
        let shown = {
            fixture.container.content(for: "one", on: Display(width: 440, scale: 3)).picture?.size
                .width
        }
        try fixture.write("cut", to: files[2])
        #expect(shown() == 660)
        try FileManager.default.removeItem(at: fixture.url(files[1]))
        #expect(shown() == 264)
        try FileManager.default.removeItem(at: fixture.url(files[0]))
        #expect(shown() == nil)
        let content = fixture.container.content(for: "one", on: Display(width: 440, scale: 3))
        #expect(content.absence == .evicted)
        #expect(content.averageColour == manifest.averageColour)
        #expect(content.placeholder == manifest.placeholder)
        #expect(content.contentSizeRatio == manifest.contentSizeRatio)
    }

    @Test("The content of an unknown notification is neutral and keeps the layout")
    func unknown() throws {
        let fixture = try ContainerFixture()
        let display = Display(width: 440, scale: 3, initialContentSizeRatio: 0.6)
        let content = fixture.container.content(for: "one", on: display)
        #expect(content == .neutral(on: display))
        #expect(content.picture == nil)
        #expect(content.absence == .unknown)
        #expect(content.contentSizeRatio == 0.6)
        // The hash quantises the colour to six bits.
        let shown = content.placeholder.averageColour
        for (one, other) in [
            (shown.red, content.averageColour.red), (shown.green, content.averageColour.green),
            (shown.blue, content.averageColour.blue),
        ] {
            #expect(abs(Int(one) - Int(other)) <= 8)
        }
    }

    @Test("A manifest without renditions still has its placeholder")
    func noRenditions() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one", [])
        let content = fixture.container.content(for: "one", on: Display(width: 440, scale: 3))
        #expect(content.absence == .evicted)
        #expect(content.placeholder == manifest.placeholder)
    }

    @Test("The content for an unreadable manifest is neutral, with the reason")
    func unreadable() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        try fixture.write("{", to: fixture.manifestFile("one"))
        let display = Display(width: 440, scale: 3)
        let content = fixture.container.content(for: "one", on: display)
        #expect(content == .neutral(.unreadable, on: display))
        #expect(content.absence == .unreadable)
    }

    @Test("All manifests are read, and a damaged one is an error in its place")
    func manifests() throws {
        let fixture = try ContainerFixture()
        for number in 0..<20 { try fixture.publish("\(number)") }
        try fixture.write("{", to: fixture.manifestFile("7"))
        try FileManager.default.copyItem(
            at: fixture.url(fixture.manifestFile("8")),
            to: fixture.url(fixture.manifestFile("copy")))
        try fixture.write("", to: "notifications/.DS_Store")
        var identifiers: Set<String> = []
        var errors: Set<ContainerError.Code> = []
        for entry in try fixture.container.manifests() {
            switch entry {
            case .success(let manifest): identifiers.insert(manifest.identifier)
            case .failure(let error): errors.insert(error.code)
            }
        }
        #expect(identifiers == Set((0..<20).map(String.init)).subtracting(["7"]))
        #expect(errors == [.corrupt, .wrongKey])
    }
}
