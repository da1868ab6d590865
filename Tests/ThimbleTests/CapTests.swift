import AttachmentWorker
import Foundation
import Testing

/// The promise, on real pictures and with real limits.
@Suite("The cap is kept", .serialized, .timeLimit(.minutes(8)))
struct CapTests {
    private struct Report: Decodable {
        struct File: Decodable {
            let file, outcome: String
            let rung, error, reason, remedy: String?
            let measuredPeak, predictedPeak, kernelPeak: Int?
        }

        let cap: Int
        let enforcement: String
        let workersLost: Int
        let files: [File]
    }

    /// The corpus where it is there, else the sample pictures.
    private static let folder =
        Corpus.isThere ? Corpus.folder : Command.package.appending(path: "Images")

    private static let hasGroups = (try? ControlGroupHierarchy.delegated()) != nil

    private func batch(_ options: String..., in folder: URL) throws -> Report {
        let line =
            "thimble batch '\(Self.folder.path)' --container C-$RANDOM --report json "
            + options.joined(separator: " ")
        let run = try Command.shell(line, in: folder)
        #expect(run.code == 0 || run.code == 3, "\(run.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }

    @Test(
        "No worker is killed, and all ends as a rendition under the cap or a typed refusal",
        arguments: ["cgroup", "rlimit"], ["12MB", "16MB", "24MB", "50MB"])
    func kept(enforcement: String, cap: String) throws {
        guard enforcement != "cgroup" || Self.hasGroups else {
            return print("no control groups here: the cap of \(cap) was not tried under one")
        }
        try WorkingFolder.with { folder in
            let report = try batch(
                "--cap", cap, "--enforce", enforcement, "--timeout 300", in: folder)
            #expect(report.workersLost == 0)
            #expect(report.enforcement.hasPrefix(enforcement))
            for file in report.files {
                switch file.outcome {
                case "made", "reused":
                    let measured = try #require(file.measuredPeak, "\(file.file)")
                    #expect(measured <= report.cap, "\(file.file)")
                    if let kernel = file.kernelPeak { #expect(kernel <= report.cap) }
                case "not-a-picture":
                    break
                default:
                    #expect(file.outcome == "failed" && file.error != nil && file.remedy != nil)
                    #expect(file.error != "killed" && file.error != "crashed", "\(file.file)")
                }
            }
        }
    }

    @Test("No picture takes more than was predicted, nor less than half of it")
    func predictions() throws {
        try WorkingFolder.with { folder in
            let report = try batch(
                "--cap 4GiB --timeout 600 --enforce monitor --jobs 1", in: folder)
            let made = report.files.filter { $0.outcome == "made" }
            #expect(made.count >= 15)
            for file in made {
                let predicted = try #require(file.predictedPeak, "\(file.file)")
                let measured = try #require(file.measuredPeak, "\(file.file)")
                #expect(measured <= predicted, "\(file.file)")
                #expect(predicted <= 2 * measured + 2_000_000, "\(file.file)")
            }
        }
    }
}
