import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentStore
import Foundation
import Testing
import ThimbleOptions

@Suite("Declarations of options", .timeLimit(.minutes(1)))
struct OptionTests {
    /// Environment variables that no program reads.
    private static let environment = OptionEnvironment(prefix: "THIMBLE_OPTION_TESTS_")

    /// Name, default, range and help of an option, whatever it writes.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let builtIn: String
        let range: String
        let summary: String
        /// False for a default that the option itself would refuse.
        let readsDefault: Bool

        var testDescription: String { name }

        init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
            (name, builtIn, range) = (option.name, option.builtIn, option.range)
            summary = option.summary
            var target = Target()
            readsDefault =
                option.read(option.builtIn, &target) && option.show(target) == option.builtIn
        }
    }

    private static let sections: [(title: String, rows: [Row])] = [
        ("Renditions", RenditionOption.all.map(Row.init)),
        ("Payloads", PayloadOption.all.map(Row.init)),
        ("Fetching", FetchOption.all.map(Row.init)),
        ("Publishing", StoreOption.all.map(Row.init)),
        ("Workers", WorkerOption.all.map(Row.init)),
        ("Logging", LoggingOption.all.map(Row.init)),
    ]

    @Test("Each option reads the default that it shows", arguments: sections.flatMap(\.rows))
    func defaults(row: Row) {
        #expect(row.readsDefault)
        #expect(row.summary.hasSuffix(".") && !row.range.isEmpty)
    }

    @Test("No two options have one name")
    func names() {
        let names = Self.sections.flatMap(\.rows).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(RenditionOption.all.count == 28)
    }

    @Test("Every field of the settings of renditions is written by one option")
    func coverage() throws {
        let other: [String: String] = [
            "cap": "12MiB", "preset": "avatar", "width": "321", "scale": "2",
            "render-budget": "1MiB", "crop-ratio": "0.5", "banner-side": "60", "quality": "71",
            "effort": "best", "target-score": "70.5", "max-bytes": "1MB",
            "animation-render-budget": "2MiB",
            "max-frames": "12",
            "max-duration": "3", "max-canvas": "1.5", "max-frame-pixels": "7",
            "max-sound-bytes": "3kB", "max-movie-bytes": "4kB", "colour-space": "p3",
            "linear": "yes", "tolerate-truncation": "yes", "decoder": "library",
            "engine": "libvips",
            "scratch": "/scratch", "max-scratch": "0", "max-pixels": "9",
            "max-pixels-per-byte": "8", "max-source-bytes": "7MB",
        ]
        for option in RenditionOption.all {
            var settings = ProcessingSettings()
            let text = try #require(other[option.name])
            #expect(option.read(text, &settings) && option.show(settings) == text)
            #expect(settings != ProcessingSettings(), "\(option.name)")
        }
        var all = ProcessingSettings()
        for option in RenditionOption.all { _ = option.read(other[option.name] ?? "", &all) }
        // Fields without an option keep their defaults; a new field needs an option here.
        let (changed, standard) = (try json(all), try json(ProcessingSettings()))
        #expect(changed.keys == standard.keys || Set(changed.keys).isSuperset(of: standard.keys))
        for (field, value) in standard { #expect(changed[field] != value, "\(field)") }
    }

    @Test("A quality and a target score exclude each other, on the command line and in settings")
    func targetScore() throws {
        let texts = ["--quality", "80", "--target-score", "75"]
        let refused = #expect(throws: (any Error).self) { try RenditionFlags.parse(texts) }
        let message = RenditionFlags.message(for: try #require(refused))
        #expect(message.contains("--quality") && message.contains("--target-score"), "\(message)")
        let flags = try RenditionFlags.parse(["--quality", "70", "--target-score", "none"])
        #expect(flags.targetScore == "none")
        var settings = ProcessingSettings()
        settings.targetScore = 75
        try settings.validate()
        settings.quality = 70
        let error = #expect(throws: SettingsError.self) { try settings.validate() }
        #expect(error?.description.contains("targetScore must be nil where quality is set") == true)
        for score in [0, 100.5, .nan] {
            (settings.quality, settings.targetScore) = (80, score)
            #expect(throws: SettingsError.self) { try settings.validate() }
        }
    }

    private func json(_ settings: ProcessingSettings) throws -> [String: String] {
        let data = try JSONEncoder().encode(settings)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return try #require(object).mapValues { "\($0)" }
    }

    @Test(
        "A cap without a unit is refused, and the likely one offered",
        arguments: [("24", "Did you mean 24MiB?"), ("12", "Did you mean 12MiB?"), ("0", nil)])
    func capWithoutUnit(text: String, hint: String?) {
        var settings = ProcessingSettings()
        #expect(!RenditionOption.cap.read(text, &settings))
        #expect(RenditionOption.cap.hint(text) == hint)
        #expect(RenditionOption.cap.read("25165824", &settings))
        #expect(settings.cap == .serviceExtension)
    }

    @Test("A misspelt value is refused with the nearest one")
    func misspelt() throws {
        for (option, text, hint) in [
            (RenditionOption.preset, "content,avtar", "Did you mean avatar?"),
            (RenditionOption.colourSpace, "srbg", "Did you mean srgb?"),
            (RenditionOption.engine, "libvip", "Did you mean libvips?"),
        ] {
            var settings = ProcessingSettings()
            let error = #expect(throws: (any Error).self) {
                try option.read(given: text, Self.environment, into: &settings)
            }
            #expect(try #require(error).localizedDescription.isEmpty == false)
            #expect("\(try #require(error))".contains(hint))
            #expect(settings == ProcessingSettings())
        }
    }

    @Test("Answers have the same words in every source")
    func answers() {
        for (text, value) in [
            ("yes", true), ("on", true), ("true", true), ("1", true),
            ("no", false), ("off", false), ("false", false), ("0", false),
        ] {
            var choices = PayloadChoices()
            choices.fetches = !value
            #expect(PayloadOption.fetch.read(text, &choices) && choices.fetches == value)
        }
        var choices = StoreChoices()
        for option in StoreOption.all where option.name == "s3-path-style" {
            #expect(option.read("yes", &choices) && choices.access.s3.usesPathStyle == true)
            #expect(option.read("auto", &choices) && choices.access.s3.usesPathStyle == nil)
            #expect(!option.read("maybe", &choices))
        }
    }

    @Test("The command line has precedence over the environment, and that over the default")
    func precedence() throws {
        let environment = OptionEnvironment(prefix: "THIMBLE_OPTION_TESTS_PRECEDENCE_")
        let variable = environment.variable(of: "max-bytes")
        #expect(variable == "THIMBLE_OPTION_TESTS_PRECEDENCE_MAX_BYTES")
        setenv(variable, "2MB", 1)
        defer { unsetenv(variable) }
        var settings = ProcessingSettings()
        try RenditionOption.maxBytes.read(nil, environment, into: &settings)
        #expect(settings.maximumBytes == .megabytes(2))
        try RenditionOption.maxBytes.read(given: "3MB", environment, into: &settings)
        #expect(settings.maximumBytes == .megabytes(3))
        setenv(variable, "much", 1)
        let error = #expect(throws: (any Error).self) {
            try RenditionOption.maxBytes.read(nil, environment, into: &settings)
        }
        #expect("\(try #require(error))".contains(variable))
    }

    @Test("A path with a colon is one path on the command line and in an array, two in a text")
    func paths() throws {
        let flags = try PayloadFlags.parse(["--allow-root", "/a:b", "--allow-root", "c"])
        var choices = PayloadChoices()
        try PayloadOption.allowRoot.read(flags, Self.environment, into: &choices)
        #expect(choices.allowedFolders == ["/a:b", "c"])
        let single = try PayloadFlags.parse(["--allow-root", " /a:b"])
        try PayloadOption.allowRoot.read(single, Self.environment, into: &choices)
        #expect(choices.allowedFolders == [" /a:b"])
        #expect(PayloadOption.allowRoot.read(PayloadOption.allowRoot.joined(["/a:b"]), &choices))
        #expect(choices.allowedFolders == ["/a:b"])
        #expect(PayloadOption.allowRoot.read("/a:b", &choices))
        #expect(choices.allowedFolders == ["/a", "b"])
    }

    @Test("The page of the documentation has every option")
    func page() throws {
        let path = "../../Examples/Documentation/Thimble.docc/Options.md"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        let tables = Self.sections.map { section in
            let rows = section.rows.map {
                "| `\($0.name)` | \($0.builtIn.isEmpty ? "" : "`\($0.builtIn)`") | "
                    + "\($0.range) | \($0.summary) |"
            }
            return
                (["## \(section.title)", "", "| Option | Default | Values | Meaning |"]
                + ["|---|---|---|---|"] + rows).joined(separator: "\n")
        }
        let expected = tables.joined(separator: "\n\n") + "\n"
        #expect(text.hasSuffix(expected), "the page must end with:\n\(expected)")
    }
}
