import AttachmentContainer
import Foundation
import Testing

@Suite("Reusing a result")
struct ResultTests {
    private let source = ContentDigest(of: "picture")

    @Test("A result is found only for the same bytes and settings")
    func found() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one", text: "picture")
        #expect(fixture.container.result(source: source, settings: "5e77") == manifest)
        #expect(fixture.container.result(source: source, settings: "5e78") == nil)
        #expect(
            fixture.container.result(source: ContentDigest(of: "other"), settings: "5e77") == nil)
    }

    @Test("A reused result marks its renditions as used")
    func readdressed() throws {
        let fixture = try ContainerFixture()
        let file = "renditions/\(try fixture.publish("one", text: "picture").renditions[0].file)"
        try fixture.age(file, by: 86_400)
        let result = try #require(fixture.container.result(source: source, settings: "5e77"))
        let used = try FileManager.default.attributesOfItem(atPath: fixture.path(file))[
            .modificationDate]
        #expect(try #require(used as? Date).timeIntervalSinceNow > -60)

        let date = Date(timeIntervalSince1970: 1_800_000_000.9)
        let manifest = result.readdressed(to: "two", created: date)
        try Publication(in: fixture.container).commit(manifest)
        let read = try #require(try fixture.container.manifest(for: "two"))
        #expect(read == manifest)
        #expect(read.category == nil)
        #expect(read.created == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(read.renditions == result.renditions)
    }

    @Test("A result outlives its notification, and the latest result is used")
    func latest() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "picture", notes: ["older"])
        try fixture.publish("two", text: "picture", notes: ["newer"])
        try fixture.publish("two", text: "something else")
        let result = fixture.container.result(source: source, settings: "5e77")
        #expect(result?.notes == ["newer"])
    }

    @Test(
        "A result with a missing or truncated rendition is a cache miss", arguments: [0, 1],
        [true, false])
    func miss(index: Int, isRemoved: Bool) throws {
        let fixture = try ContainerFixture()
        let file = try fixture.publish("one", text: "picture").renditions[index].file
        if isRemoved {
            try FileManager.default.removeItem(at: fixture.url("renditions/\(file)"))
        } else {
            try fixture.write("cut", to: "renditions/\(file)")
        }
        #expect(fixture.container.result(source: source, settings: "5e77") == nil)
    }

    @Test("A damaged or misnamed result is a cache miss")
    func damaged() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "picture")
        let name = "results/\(try #require(try fixture.files(in: "results").first))"
        try fixture.publish("two", text: "other")
        let other = try #require(
            try fixture.files(in: "results").first { "results/\($0)" != name })
        try FileManager.default.removeItem(at: fixture.url(name))
        try FileManager.default.moveItem(at: fixture.url("results/\(other)"), to: fixture.url(name))
        #expect(fixture.container.result(source: source, settings: "5e77") == nil)
        try FileManager.default.removeItem(at: fixture.url(name))
        try fixture.write("{", to: name)
        #expect(fixture.container.result(source: source, settings: "5e77") == nil)
    }

    @Test("Notifications are published even if results cannot be stored")
    func unkept() throws {
        let fixture = try ContainerFixture()
        try FileManager.default.removeItem(at: fixture.url("results"))
        let manifest = try fixture.publish("one", text: "picture")
        #expect(try fixture.container.manifest(for: "one") == manifest)
        #expect(try fixture.files(in: "incoming").isEmpty)
    }
}
