import AttachmentContainer
import AttachmentDecryption
import AttachmentFetch
import AttachmentModel
import AttachmentStore
import AttachmentWorker
import Foundation
import NotificationAdapters
import NotificationCheck
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import Testing

@testable import thimble

@Suite("Faults", .timeLimit(.minutes(1)))
struct FaultTests {
    private struct Kind {
        let fault: Fault

        var row: String {
            let options = fault.options.map { "`--\($0)`" }.joined(separator: ", ")
            return "| `\(fault.code)` | \(fault.remedy.replacing("|", with: "\\|")) | \(options) |"
        }
    }

    private static func kinds<Code: FaultCode>(of type: Code.Type) -> [Kind] {
        Code.allCases.map { Kind(fault: $0.fault(reason: "the reason")) }
    }

    private static let domains: [(title: String, kinds: [Kind])] = [
        ("Attachments", kinds(of: AttachmentError.Code.self)),
        ("Fetching", kinds(of: FetchError.Code.self)),
        ("Downloads in a service extension", kinds(of: DownloadError.Code.self)),
        ("Decryption", kinds(of: DecryptionError.Code.self)),
        ("Stores", kinds(of: StoreError.Code.self)),
        ("The shared container", kinds(of: ContainerError.Code.self)),
        ("Payloads", kinds(of: PayloadError.Code.self)),
        ("Pictures inside payloads", kinds(of: InlinePictureError.Code.self)),
        ("Property lists", kinds(of: ProfileError.Code.self)),
        ("Deliveries", kinds(of: DeliveryFault.self)),
        ("Projects of thimble init", kinds(of: ProjectError.Code.self)),
    ]

    private static var table: String {
        domains.map { title, kinds in
            "## \(title)\n\n| code | what to do | options |\n|---|---|---|\n"
                + kinds.map(\.row).joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    @Test("The documentation has every code with its remedy and its options")
    func documentation() throws {
        let path = "Examples/Documentation/Thimble.docc/Failures.md"
        let page = try String(contentsOfFile: Command.package.path + "/" + path, encoding: .utf8)
        let start = try #require(page.range(of: "## \(Self.domains[0].title)\n"))
        #expect(
            String(page[start.lowerBound...]) == Self.table,
            "\(path) must end with:\n\(Self.table)")
    }

    @Test("Every fault of one domain has a code of its own, a remedy and a plain form")
    func kinds() throws {
        for (title, kinds) in Self.domains {
            #expect(Set(kinds.map(\.fault.code)).count == kinds.count, "\(title)")
            for kind in kinds {
                let fault = kind.fault
                #expect(fault.code.wholeMatch(of: /[a-z0-9-]{2,40}/) != nil, "\(fault.code)")
                #expect(!fault.remedy.isEmpty && !fault.remedy.hasSuffix("."), "\(fault.code)")
                #expect(Set(kinds.map(\.fault.domain)) == [fault.domain])
            }
        }
    }

    @Test("An option of a remedy is one of the command")
    func options() throws {
        let help = try ["batch", "stage"].map {
            try Command.thimble($0, "--help", in: Command.package).output
        }.joined()
        for kind in Self.domains.flatMap(\.kinds) {
            for option in kind.fault.options {
                #expect(help.contains("--\(option)"), "\(kind.fault.code): --\(option)")
            }
        }
    }

    @Test("Errors of the product tell reason and remedy through Foundation")
    func localized() {
        let errors: [any FaultConvertible] = [
            AttachmentError(.overCap, file: "a.jpg", reason: "it is large"),
            FetchError(.tls, host: "h", reason: "its certificate is old"),
            StoreError(.denied, destination: "s3://b", reason: "no"),
            ContainerError(.full, path: "/c", reason: "there is no space"),
            PayloadError(.truncated, reason: "it ends early"),
            DownloadError(.late, reason: "it was late"),
            DecryptionError(.notAuthentic, reason: "the digest is another one"),
            WorkerPoolError.noExecutable("/x"),
            DeliveryReason(.missing, message: "there is no file", remedy: "check the path"),
        ]
        for error in errors {
            let text = (error as any Error).localizedDescription
            #expect(text.contains(error.fault.reason), "\(text)")
            #expect(text.contains(error.fault.remedy), "\(text)")
            #expect(error.recoverySuggestion == error.fault.remedy)
        }
    }

    @Test("A fault crosses JSON whole, and one without a domain is an attachment's")
    func coding() throws {
        for kind in Self.domains.flatMap(\.kinds) {
            let fault = Fault(
                kind.fault.domain, kind.fault.code, reason: "r", remedy: kind.fault.remedy,
                options: kind.fault.options, cause: kind.fault)
            let json = try JSONEncoder().encode(fault)
            #expect(try JSONDecoder().decode(Fault.self, from: json) == fault)
        }
        let old = #"{"code":"crashed","reason":"r","remedy":"m"}"#
        let fault = try JSONDecoder().decode(Fault.self, from: Data(old.utf8))
        #expect(fault == Fault(.attachment, "crashed", reason: "r", remedy: "m"))
    }
}
