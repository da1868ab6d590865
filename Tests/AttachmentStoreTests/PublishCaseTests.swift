import Foundation
import Randomness
import Testing

/// One combination of options, state of the store and fault.
struct PublishCase: Sendable, CustomTestStringConvertible {
    enum Place: CaseIterable { case server, serverBehindURL, folder }
    enum Object: CaseIterable {
        case missing, recorded
        /// In the store, without a record in the container.
        case unrecorded
        /// Removed from the store by somebody else, long after it was last seen there.
        case lost
    }
    enum Fault: CaseIterable { case none, unavailableOnce, timeout }

    var place = Place.folder
    var object = Object.missing
    var fault = Fault.none
    var hasNote = true
    var attachments = 1
    var isPerNotification = false

    /// Rows in which every pair of values occurs; folders have no faults.
    static let all = servers + folders

    private static let servers = Pairwise([2, 4, 3, 2, 2, 2], seed: 1).rows.map { row in
        PublishCase(
            place: Place.allCases[row[0]], object: Object.allCases[row[1]],
            fault: Fault.allCases[row[2]], hasNote: row[3] == 0, attachments: row[4] == 0 ? 1 : 3,
            isPerNotification: row[5] == 0)
    }

    private static let folders = Pairwise([4, 2, 2, 2], seed: 1).rows.map { row in
        PublishCase(
            object: Object.allCases[row[0]], hasNote: row[1] == 0,
            attachments: row[2] == 0 ? 1 : 3, isPerNotification: row[3] == 0)
    }

    var testDescription: String {
        "\(place), \(object), \(fault), \(attachments) attachments, "
            + (hasNote ? "note" : "no note") + (isPerNotification ? ", manifest each" : "")
    }

    /// False if a request is necessary and the server answers none.
    var isPublished: Bool { fault != .timeout || object == .recorded }

    var uploads: Int { isPublished && [.missing, .lost].contains(object) ? attachments : 0 }

    /// Beginning of the locations in the result.
    var base: String {
        switch place {
        case _ where !isPublished: "Images/"
        case .server: "http://127.0.0.1:"
        case .serverBehindURL, .folder: "https://cdn.example/r/"
        }
    }

    var payload: String {
        let pictures = ["lake-baseline.jpg", "still-life-ready.jpg", "thimble-alpha.png"]
        let members = pictures.prefix(attachments).map { #""\#($0)":"Images/\#($0)""# }
        return #"{"os_data":{"i":"m","att":{\#(members.joined(separator: ","))}},"#
            + #""aps":{"alert":"x"},"thimble":{"id":"case"}}"#
    }

    var options: String {
        let publish =
            switch place {
            case .server: "--publish s3://renditions/p"
            case .serverBehindURL:
                "--publish s3://renditions/p --publish-url https://cdn.example/r/"
            case .folder: "--publish served --publish-url https://cdn.example/r"
            }
        return publish + (hasNote ? "" : " --no-note")
            + (isPerNotification ? " --manifest-per-notification" : "")
            + " --deadline \(fault == .timeout ? 3 : 25)"
    }

    /// Brings store and records into the state before the case.
    var preparation: String {
        switch object {
        case .missing: ""
        case .recorded: "publish <in >/dev/null"
        case .unrecorded: "publish <in >/dev/null; rm -r C/published/*"
        case .lost:
            """
            publish <in >/dev/null
            find objects served -type f -delete 2>/dev/null
            sed -i 's/"verified":1./"verified":10/' C/published/*/*g
            """
        }
    }

    var faults: String {
        switch fault {
        case .none: "[]"
        case .unavailableOnce: #"[{"kind": "error", "status": 503, "count": 1}]"#
        case .timeout: #"[{"kind": "hang", "seconds": 20}]"#
        }
    }
}

@Suite("Combinations of publishing", .timeLimit(.minutes(2)))
struct PublishCaseTests {
    private struct Payload: Decodable {
        struct Media: Decodable { let att: [String: String] }
        struct Note: Decodable {
            let id: String?
            let outcome: String?
            let rendition: String?
            let others: [Note]?

            enum CodingKeys: CodingKey { case id, outcome, rendition, others }
        }
        let media: Media
        let thimble: Note

        enum CodingKeys: String, CodingKey {
            case media = "os_data"
            case thimble
        }
    }

    @Test("Payloads have URLs that answer, or are unchanged", arguments: PublishCase.all)
    func combination(_ testCase: PublishCase) throws {
        let isFolder = testCase.place == .folder
        let run = try StoreShell(
            """
            mkdir served
            echo '\(testCase.payload)' >in
            publish() {
                thimble stage --container C --allow-root Images --s3-region us-east-1 \\
                    --s3-endpoint http://127.0.0.1:$PORT \(testCase.options) "$@"
            }
            # The pictures are ready, and only publishing takes time.
            thimble stage --container C --allow-root Images <in >/dev/null
            \(testCase.preparation)
            faults '\(testCase.faults)'
            puts=$(grep -c '^PUT.* 200 ' log)
            publish <in >out 2>report; echo "code $?"
            faults '[]'
            echo "uploads $(($(grep -c '^PUT.* 200 ' log) - puts))"
            statuses out \(isFolder ? "served" : "")
            thimble container show case --container C >/dev/null 2>&1 && echo own manifest
            grep -o '\\[publish-' report
            echo "payload $(cat out)"
            """)
        let lines = run.output.split(separator: "\n").map(String.init)
        let context = Comment(rawValue: run.output)
        #expect(lines.contains("own manifest") == testCase.isPerNotification, context)
        if !isFolder { #expect(lines.contains("uploads \(testCase.uploads)"), context) }
        let statuses = lines.filter { $0.hasPrefix("status ") }
        let expected = testCase.isPublished ? testCase.attachments : 0
        #expect(statuses == Array(repeating: "status 200", count: expected), context)
        #expect(lines.contains("code \(testCase.isPublished ? 0 : 3)"), context)
        #expect(lines.contains("[publish-") == !testCase.isPublished, context)
        let json = try #require(lines.last { $0.hasPrefix("payload ") }).dropFirst(8)
        let payload = try JSONDecoder().decode(Payload.self, from: Data(json.utf8))
        let locations = payload.media.att
        #expect(locations.count == testCase.attachments, context)
        #expect(locations.values.allSatisfy { $0.hasPrefix(testCase.base) }, context)
        guard testCase.hasNote else {
            #expect(payload.thimble.outcome == nil && payload.thimble.id == "case", context)
            return
        }
        guard testCase.isPublished else {
            #expect(payload.thimble.outcome == "original", context)
            return
        }
        #expect(payload.thimble.outcome == "rendition", context)
        #expect((payload.thimble.id == "case") == testCase.isPerNotification, context)
        let first = try #require(locations["lake-baseline.jpg"])
        #expect(first.hasSuffix(payload.thimble.rendition ?? "-"), context)
        #expect(payload.thimble.others?.count ?? 0 == testCase.attachments - 1, context)
    }
}
