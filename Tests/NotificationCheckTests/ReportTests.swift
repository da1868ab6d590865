import AttachmentContainer
import Foundation
import NotificationCheck
import Testing

@Suite("Reports of a check", .timeLimit(.minutes(1)))
struct ReportTests {
    @Test("An empty input checks nothing, finds nothing, and lists what was missing")
    func nothing() async throws {
        let report = try await ProjectCheck(CheckInput()).run(inspecting: SampleProject.inspect)
        #expect(report.findings.isEmpty)
        #expect(
            report.unchecked.map(\.part) == [
                .payload, .profile, .registeredCategory, .appEntitlements, .serviceEntitlements,
                .contentEntitlements, .serviceInfo, .appInfo, .controls, .container,
            ])
        #expect(report.exitCode == 0)
        #expect(report.lines().contains { $0.hasPrefix("  container  ") })
    }

    /// A removal from the input, and the part that the report then lists.
    private static let narrowings: [(CheckInput.Part, @Sendable (SampleProject) -> Void)] = [
        (.payload, { $0.input.payloads = [] }),
        (.profile, { $0.input.contentInfoPlists = [] }),
        (.registeredCategory, { $0.input.registeredCategories = nil }),
        (.appEntitlements, { $0.input.appEntitlements = nil }),
        (.serviceEntitlements, { $0.input.serviceEntitlements = nil }),
        (.contentEntitlements, { $0.input.contentEntitlements = [] }),
        (.serviceInfo, { $0.input.serviceInfoPlist = nil }),
        (.appInfo, { $0.input.appInfoPlist = nil }),
        (.controls, { $0.input.hasControls = false }),
        (.container, { $0.input.container = nil }),
        (.identifier, { $0.setPayload("thimble.id", to: nil) }),
    ]

    @Test("A missing input narrows the check, and the part is listed", arguments: narrowings)
    func narrowing(part: CheckInput.Part, change: @Sendable (SampleProject) -> Void) async throws {
        let project = try SampleProject()
        change(project)
        let report = try await project.check()
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        #expect(report.unchecked.map(\.part) == [part])
        #expect(report.lines().contains { $0.hasPrefix("  \(part.rawValue)  ") })
    }

    @Test("Without a payload, every manifest is checked against the profile of its category")
    func allManifests() async throws {
        let project = try SampleProject()
        project.input.payloads = []
        project.renditions[0] = (.expanded, PixelSize(width: 1320, height: 1320))
        #expect(try await project.check().findings.map(\.code) == [.ratioMismatch])
        project.manifestCategory = "weather"
        #expect(try await project.check().findings.isEmpty)
    }

    @Test("A fitted picture may have another ratio, unreported within the tolerance")
    func ratios() async throws {
        let heights =
            [(990, nil), (1009, nil), (1011, .note), (960, .note)]
            as [(Int, CheckReport.Severity?)]
        for (height, severity) in heights {
            let project = try SampleProject()
            project.renditions[0] = (.expanded, PixelSize(width: 1320, height: height))
            let report = try await project.check()
            #expect(report.findings.map(\.severity) == [severity].compactMap(\.self))
            #expect(report.exitCode == 0)
        }
    }

    @Test("A missing category is a note, unless a content extension is among the input")
    func missingCategory() async throws {
        let text = #"{"aps":{"alert":"Hi","mutable-content":1},"media-url":"https://e.com/a.jpg"}"#
        var input = CheckInput()
        input.payloads = [.bytes(Array(text.utf8), name: "payload", folder: "/")]
        let alone = try await ProjectCheck(input).run(inspecting: SampleProject.inspect)
        #expect(alone.findings.map(\.severity) == [.note] && alone.exitCode == 0)
        #expect(alone.findings.map(\.code) == [.missingCategory])
        let project = try SampleProject()
        project.setPayload("aps.category", to: nil)
        let report = try await project.check()
        #expect(report.findings.map(\.severity) == [.error] && report.exitCode == 3)
    }

    @Test("All faults of an Info.plist are found at once")
    func manyFaults() async throws {
        let project = try SampleProject()
        project.setContent("UNNotificationExtensionInitialContentSizeRatio", to: "0.75")
        project.setContent("UNNotificationExtensionCategory", to: ["photo", "album", ""])
        project.setContent("UNNotificationExtensionUserInteractionEnabled", to: "YES")
        SampleProject.set("NSExtension.NSExtensionMainStoryboard", of: &project.content, to: nil)
        let report = try await project.check()
        #expect(
            report.findings.map(\.code) == [.missingKey, .wrongType, .wrongType, .invalidValue])
    }

    @Test("Invisible characters in a payload's keys are escaped")
    func keys() async throws {
        let project = try SampleProject()
        project.setPayload("thimble.media", to: nil)
        project.payload["att"] = ["a\u{1B}[31m": "http://example.org/photo.jpg"]
        let report = try await project.check()
        #expect(report.findings.first?.places.map(\.key) == [#"att.a\u{1B}\[31m"#])
        #expect(!report.lines().joined().contains("\u{1B}"))
    }

    @Test("A given identifier overrides the payload's")
    func identifier() async throws {
        let project = try SampleProject()
        project.input.identifier = "daily-43"
        #expect(try await project.check().findings.map(\.code) == [.missingManifest])
        project.input.payloads = []
        #expect(try await project.check().findings.map(\.code) == [.missingManifest])
    }

    @Test("Findings are in order of importance, regardless of the order of files")
    func order() async throws {
        let project = try SampleProject()
        project.setPayload("thimble.media", to: "http://example.org/photo.jpg")
        project.setCategory("Photo")
        project.setPayload("aps.mutable-content", to: nil)
        project.setGroups("service", to: nil)
        project.service["NSExtension"] = nil
        project.renditions.removeFirst()
        let report = try await project.check()
        #expect(
            report.findings.map(\.code) == [
                .unknownCategory, .notMutable, .missingAppGroup, .extensionPoint,
                .missingRendition, .insecureMedia,
            ])
        let order = report.findings.compactMap { CheckReport.Code.allCases.firstIndex(of: $0.code) }
        #expect(order == order.sorted())
        #expect(report.exitCode == 3)
    }

    @Test("The same fault in many payloads is one finding, with its first lines and their number")
    func manyPayloads() async throws {
        let project = try SampleProject()
        project.setPayload("aps.alert", to: nil)
        let report = try await project.check { project in
            let line = try Data(contentsOf: URL(fileURLWithPath: project.path("payload.json")))
            let lines = Data((0..<1000).map { _ in line + Data("\n".utf8) }.joined())
            try project.write(lines + Data("{\n".utf8), to: "payload.json")
        }
        #expect(report.findings.map(\.code) == [.malformedPayload, .missingAlert])
        #expect(report.findings.first?.places.map(\.line) == [1001])
        #expect(report.findings.last?.count == 1000)
        #expect(report.findings.last?.places.map(\.line) == (1...10).map { $0 })
        #expect(report.payloads == 1000)
        #expect(report.lines().contains { $0.contains("and 990 more") })
    }

    @Test("Bytes are checked like a file")
    func bytes() async throws {
        let project = try SampleProject()
        let payload = try JSONSerialization.data(withJSONObject: project.payload)
        project.input.payloads = [
            .bytes(Array(payload), name: "standard input", folder: project.folder.path)
        ]
        #expect(try await project.check().findings.isEmpty)
        project.input.payloads = [.bytes([], name: "standard input", folder: "/")]
        let finding = try #require(try await project.check().findings.first)
        #expect(finding.code == .malformedPayload)
        #expect(finding.places.first?.file == "standard input")
    }

    @Test("The report survives a round trip through JSON")
    func json() async throws {
        let project = try SampleProject()
        project.setCategory("Photo")
        project.input.container = nil
        let report = try await project.check()
        let json = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(CheckReport.self, from: json) == report)
        let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        let finding = (object?["findings"] as? [[String: Any]])?.first
        #expect(finding?["code"] as? String == "unknown-category")
        #expect(finding?["severity"] as? String == "error")
        #expect(
            (object?["unchecked"] as? [[String: Any]])?.first?["part"] as? String == "container")
    }

    @Test(
        "The text groups findings, with location, consequence and remedy, and ends with the totals")
    func text() async throws {
        let project = try SampleProject()
        project.setCategory("Photo")
        project.setPayload("aps.sound", to: "salmon.caf")
        let report = try await project.check()
        let lines = report.lines { word, severity in "<\(severity == .error ? "red" : "")>\(word)" }
        let payload = project.path("payload.json")
        #expect(
            lines == [
                "Category: is it the same everywhere?",
                "  <red>error    no content extension declares “Photo”; “photo” differs only in upper "
                    + "and lower case",
                "           at     \(payload): aps.category",
                "           why    names must match exactly; otherwise the custom interface silently "
                    + "does not appear (Apple, Declaring your actionable notification types)",
                "           fix    use the same category in aps.category and in "
                    + "UNNotificationExtensionCategory",
                "",
                "Attachment: does the system take it?",
                "  <>note     the sound “salmon.caf” must be in the app",
                "           at     \(payload): aps.sound",
                "           why    if the file is missing, the system plays its default sound (Apple, "
                    + "UNNotificationSound)",
                "           fix    keep it in the app's bundle or in Library/Sounds, shorter than 30 s",
                "",
                "Places to look at, in this order",
                "  1  faults, see above                the same category in payload, app and content "
                    + "extension",
                "  2  no fault                         mutable-content and an alert, so that the "
                    + "service extension is called",
                "  3  no fault                         the same App Group in app and extensions",
                "  4  no fault                         extensions that the system finds and loads",
                "  5  by hand, on the device           press and hold the notification, or pull it "
                    + "down: it must be expanded",
                "  6  no fault                         a picture in the container, and an attachment "
                    + "that the system takes",
                "",
                "1 error, 0 warnings, 1 note (1 payload checked)",
            ])
    }

    @Test("The six places are in the order in which to look, and expanding is left to a person")
    func checklist() async throws {
        let project = try SampleProject()
        project.setGroups("service", to: nil)
        project.input.container = nil
        let report = try await project.check()
        #expect(
            report.checklist.map(\.place) == [
                .category, .delivery, .sharing, .extensions, .expansion, .picture,
            ])
        #expect(
            report.checklist.map(\.state) == [
                .clear, .clear, .faults, .clear, .manual, .incomplete,
            ])
        #expect(report.lines().contains { $0.contains("press and hold") })
    }

    @Test("Reports never contain texts, identifiers and URLs of a notification")
    func privacy() async throws {
        let project = try SampleProject()
        project.setPayload("aps.alert", to: ["title": "private-title", "body": "private-body"])
        project.setPayload("thimble.id", to: "private-identifier")
        project.setPayload("thimble.media", to: "http://example.org/private-address")
        project.setPayload("aps.mutable-content", to: "private-flag")
        let report = try await project.check()
        #expect(report.findings.map(\.code) == [.notMutable, .missingManifest, .insecureMedia])
        let json = try JSONEncoder().encode(report)
        #expect(!String(decoding: json, as: UTF8.self).contains("private"))
        #expect(!report.lines().joined().contains("private"))
    }
}
