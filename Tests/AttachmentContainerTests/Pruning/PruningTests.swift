import AttachmentContainer
import Foundation
import Testing

@Suite("Pruning", .timeLimit(.minutes(1)))
struct PruningTests {
    /// No limits, and the default grace period of an hour.
    private let sweep: PruningPolicy

    init() throws { sweep = try PruningPolicy() }

    @Test("Within the limits nothing is removed")
    func within() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9, 8, 7])
        let files = try fixture.allFiles()
        let report = try fixture.container.prune()
        #expect(report.removed == [:])
        #expect(report.before == report.after)
        #expect(report.after.notifications == 3)
        #expect(report.after.renditions == 6)
        #expect(report.pinned == 0 && report.fresh == 0 && !report.exceedsPolicy)
        #expect(try fixture.allFiles() == files)
    }

    @Test("Notifications beyond the age limit are removed with renditions and results")
    func age() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [50, 49, 47])
        let report = try fixture.prune(PruningPolicy(maximumAge: .seconds(48 * 3600)))
        #expect(try fixture.identifiers() == ["2"])
        #expect(report.removed[.age]?.files == 2)
        #expect(report.removed[.unreferenced]?.files == 4)
        #expect(report.removed[.staleResult]?.files == 2)
        #expect(try fixture.files(in: "renditions").count == 2)
        #expect(try fixture.files(in: "results").count == 1)
        #expect(try fixture.files(in: "notifications").count == 1)
        fixture.expectSound()
    }

    @Test("Beyond the count limit the oldest are removed, regardless of the folder's order")
    func count() throws {
        let fixture = try ContainerFixture()
        let hours = Array(2...41).shuffled()
        try fixture.publishAged(hours: hours)
        let report = try fixture.prune(PruningPolicy(maximumCount: 7))
        let youngest = hours.indices.filter { hours[$0] <= 8 }.map(String.init)
        #expect(try fixture.identifiers() == youngest.sorted())
        #expect(report.removed[.count]?.files == 33)
        #expect(report.after.notifications == 7)
        fixture.expectSound()
    }

    @Test("Beyond the byte limit the oldest are removed, and shared pictures count once")
    func bytes() throws {
        let fixture = try ContainerFixture()
        // All share one picture of 60 kB; each has its own of 10 kB.
        for number in 0..<6 { try fixture.publish("\(number)", sharing: 60_000, own: 10_000) }
        for number in 0..<6 { try fixture.age("\(number)", hours: 20 - number) }
        let held = try fixture.prune(sweep, dryRun: true).after.bytes.bytes
        #expect(held > 120_000 && held < 130_000)
        let report = try fixture.prune(
            PruningPolicy(maximumBytes: ByteCount(held - 25_000)))
        #expect(try fixture.identifiers() == ["3", "4", "5"])
        #expect(report.removed[.bytes]?.files == 3)
        #expect(report.removed[.unreferenced]?.files == 3)
        #expect(report.after.bytes.bytes <= held - 25_000)
        #expect(report.before.bytes.bytes == held)
        // Total of the remaining files on disk.
        let stored =
            try fixture.files(in: "renditions").map { "renditions/\($0)" }
            + fixture.files(in: "notifications").map { "notifications/\($0)" }
        let lengths = try stored.map { try Data(contentsOf: fixture.url($0)).count }
        #expect(report.after.bytes.bytes == lengths.reduce(0, +))
        fixture.expectSound()
    }

    @Test("Pinned and fresh notifications stay, and the report says that they exceed the policy")
    func kept() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [30, 20, 10, 0, 0])
        try fixture.container.pin("1")
        let report = try fixture.prune(PruningPolicy(maximumBytes: ByteCount(0)))
        #expect(try fixture.identifiers() == ["1", "3", "4"])
        #expect(report.pinned == 1)
        #expect(report.fresh == 2)
        #expect(report.exceedsPolicy)
        #expect(try fixture.container.manifest(for: "1") != nil)
        fixture.expectSound()
    }

    @Test("A rendition shared with a kept notification stays")
    func shared() throws {
        let fixture = try ContainerFixture()
        for identifier in ["old", "pinned"] {
            try fixture.publish(identifier, text: "the same")
            try fixture.age(identifier, hours: 10)
        }
        try fixture.container.pin("pinned")
        let report = try fixture.prune(PruningPolicy(maximumCount: 0))
        #expect(report.removed[.count]?.files == 1)
        #expect(report.removed[.unreferenced] == nil)
        #expect(try fixture.identifiers() == ["pinned"])
        fixture.expectSound()
    }

    @Test("A dry run changes nothing and predicts the real run exactly")
    func dryRun() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [30, 20, 10, 5, 0])
        try fixture.container.pin("nobody")
        try fixture.age(file: "pinned/\(ContentDigest(of: "nobody"))", hours: 2)
        try fixture.write("{", to: fixture.manifestFile("damaged"))
        try fixture.age(file: fixture.manifestFile("damaged"), hours: 2)
        try fixture.write("left", to: "incoming/left")
        try fixture.age(file: "incoming/left", hours: 2)
        let policy = try PruningPolicy(maximumAge: .seconds(25 * 3600), maximumCount: 3)
        let files = try fixture.allFiles()
        let dry = try fixture.removals(policy, dryRun: true)
        #expect(try fixture.allFiles() == files)
        let wet = try fixture.removals(policy)
        #expect(Set(dry.removals) == Set(wet.removals))
        #expect(dry.removals.count == wet.removals.count)
        #expect(dry.report.removed == wet.report.removed)
        #expect(dry.report.after == wet.report.after)
        #expect(
            wet.report.removed.mapValues(\.files) == [
                .age: 1, .count: 1, .damaged: 1, .unreferenced: 4, .staleResult: 2, .stalePin: 1,
                .staleIncoming: 1,
            ])
        #expect(
            Set(try fixture.allFiles()) == Set(files).subtracting(wet.removals.map(\.path)))
        fixture.expectSound()
    }

    @Test("Unreferenced renditions of fresh publications stay for the grace period")
    func grace() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "old")
        try fixture.publish("one", text: "new")
        #expect(try fixture.prune(sweep).removed == [:])
        #expect(try fixture.files(in: "renditions").count == 4)
        for file in try fixture.files(in: "renditions") {
            try fixture.age(file: "renditions/\(file)", hours: 2)
        }
        for file in try fixture.files(in: "results") {
            try fixture.age(file: "results/\(file)", hours: 2)
        }
        let report = try fixture.prune(sweep)
        #expect(report.removed.mapValues(\.files) == [.unreferenced: 2, .staleResult: 1])
        fixture.expectSound()
    }

    @Test("Renditions of a forgotten notification are removed once they are old")
    func forgotten() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [3])
        try fixture.container.forget("0")
        #expect(try fixture.prune(sweep).removed.mapValues(\.files) == [.unreferenced: 2])
        #expect(
            try fixture.allFiles() == ["thimble.json"])
    }

    @Test("A manifest of an unknown version protects every rendition")
    func laterFormat() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9, 8])
        try fixture.edit(fixture.manifestFile("0")) { $0["formatVersion"] = "2.0" }
        try fixture.age(file: fixture.manifestFile("0"), hours: 9)
        let report = try fixture.prune(PruningPolicy(maximumCount: 0))
        #expect(report.keptEveryRendition)
        #expect(report.failures == 1)
        #expect(report.removed.mapValues(\.files) == [.count: 1])
        #expect(try fixture.files(in: "renditions").count == 4)
        #expect(try fixture.files(in: "notifications").count == 1)
    }

    @Test("An invalid policy is refused with the field and its range")
    func policy() throws {
        let attempts: [(String, () throws -> PruningPolicy)] = [
            ("gracePeriod", { try PruningPolicy(gracePeriod: .milliseconds(999)) }),
            ("maximumBytes", { try PruningPolicy(maximumBytes: ByteCount(-1)) }),
            ("maximumCount", { try PruningPolicy(maximumCount: -1) }),
            ("maximumAge", { try PruningPolicy(maximumAge: .seconds(3599)) }),
        ]
        for (field, attempt) in attempts {
            let error = #expect(throws: SettingsError.self) { try attempt() }
            #expect(error?.field == field)
            #expect(error?.description.hasPrefix("\(field) must be at least ") == true)
        }
        #expect(PruningPolicy.default.maximumBytes == .mebibytes(256))
    }

    @Test("The report survives coding")
    func report() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let report = try fixture.prune(PruningPolicy(maximumCount: 0), dryRun: true)
        let json = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(PruningReport.self, from: json) == report)
        #expect(String(decoding: json, as: UTF8.self).contains(#""unreferenced":{"#))
    }

    @Test("Files outside the layout are kept")
    func strays() throws {
        let fixture = try ContainerFixture()
        let strays = ["notifications/.DS_Store", "renditions/file", "results/file", "pinned/file"]
        for stray in strays {
            try fixture.write("", to: stray)
            try fixture.age(file: stray, hours: 9)
        }
        try FileManager.default.createDirectory(
            at: fixture.url(fixture.manifestFile("folder")), withIntermediateDirectories: true)
        #expect(try fixture.prune(PruningPolicy(maximumCount: 0)).removed == [:])
        #expect(try fixture.allFiles() == (strays + ["thimble.json"]).sorted())
    }
}
