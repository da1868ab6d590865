import AttachmentModel
import Foundation
import Testing

@Suite("Decompression bombs", .timeLimit(.minutes(3)))
struct BombTests {
    private struct File: Decodable {
        let file, outcome: String
        let error: AttachmentError.Code?
        let reason, remedy: String?
        let measuredPeak: Int?
    }

    private struct Summary: Decodable { let cap, workersLost: Int }

    /// Errors that blame the file.
    ///
    /// A crash, a breach of the cap or a timeout is not allowed.
    private static let allowed: Set<AttachmentError.Code> = [
        .unsupported, .truncated, .corrupt, .dimensions, .sparse, .tooLarge, .overCap,
        .decoderLimit,
    ]

    @Test("Each bomb results in a rendition or a typed error, under the cap and within the timeout")
    func all() throws {
        try WorkingFolder.with { folder in
            let place = folder.appending(path: "In")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let bombs = Bombs.all()
            try #require(!bombs.isEmpty)
            for (name, bytes) in bombs { try bytes.write(to: place.appending(path: name)) }
            let run = try Command.thimble(
                "batch", "In", "--container", "C", "--jobs", "1", "--report", "json", in: folder)
            let report = try BatchOutput<File, Summary>(run.output)
            #expect(report.files.count == bombs.count)
            #expect(report.summary.workersLost == 0)
            for file in report.files {
                guard let error = file.error else {
                    #expect(["made", "reused"].contains(file.outcome), "\(file.file)")
                    #expect(
                        file.measuredPeak.map { $0 <= report.summary.cap } ?? false, "\(file.file)")
                    continue
                }
                #expect(Self.allowed.contains(error), "\(file.file): \(error)")
                #expect(file.reason?.isEmpty == false && file.remedy?.isEmpty == false)
            }
            // Excessive declared sizes are refused before decoding.
            for name in ["plain.png", "interlaced.png", "screen.gif"] {
                #expect(report.files.first { $0.file == name }?.error == .dimensions)
            }
        }
    }

    @Test("A bomb allowed by raised limits is decoded under the cap, or fails in time")
    func askedFor() throws {
        try WorkingFolder.with { folder in
            try #require(Bombs.all()["plain.png"]).write(to: folder.appending(path: "plain.png"))
            let run = try Command.thimble(
                "process", "plain.png", "--id", "a", "--container", "C", "--max-pixels",
                "1000000000", "--timeout", "2", "--report", "json", in: folder)
            struct Report: Decodable {
                struct Attachment: Decodable { let error: AttachmentError.Code? }
                let attachments: [Attachment]
            }
            let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
            let error = report.attachments.first?.error
            #expect(run.code == 0 ? error == nil : error == .late, "\(run.errors)")
        }
    }
}
