import Foundation
import SampleMedia
import Testing

@Suite(
    "The corpus", .enabled(if: Corpus.isAvailable, "the corpus is missing"),
    .timeLimit(.minutes(10)))
struct CorpusTests {
    @Test("A picture of high dynamic range is tone-mapped, with a note")
    func toneMapping() throws {
        try WorkingFolder.with { folder in
            let picture = Corpus.path("sdwebimage__TestHDR.avif")
            let run = try Command.thimble(
                "process", picture, "--container", "C", "--id", "hdr", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("tone-mapped from high dynamic range"))
        }
    }

    @Test("The engine of rows agrees with libvips: 40 dB and more, in the same sizes and types")
    func engines() throws {
        try WorkingFolder.with { folder in
            for engine in ["auto", "libvips"] {
                // JPEG's loss at lower qualities would hide what the engines differ in.
                let run = try Command.thimble(
                    "batch", Corpus.folder, "--container", engine, "--cap", "4GiB",
                    "--timeout", "600", "--quality", "100", "--engine", engine, in: folder)
                #expect(run.code == 3, "\(run.errors)")
            }
            let script = Command.package.appending(path: "bench/fidelity/engines.py").path
            let comparison = try Command.shell(
                "/usr/bin/python3 \(script) --rows auto --libvips libvips", in: folder)
            #expect(comparison.code == 0, "\(comparison.output)\(comparison.errors)")
        }
    }

    private struct File: Decodable {
        struct Size: Decodable { let width, height: Int }
        let file, outcome: String
        let size: Size?
        let notes: [String]?
        let error, reason, remedy: String?

        /// True if the picture was made smaller to be no longer than its source allows.
        var isShortened: Bool { notes?.contains { $0.hasSuffix("its source allows") } ?? false }
    }

    private struct Summary: Decodable {}

    @Test(
        "Valid files match an independent reference, and invalid ones are typed errors"
    )
    func wholeCorpus() throws {
        try WorkingFolder.with { folder in
            let run = try Command.thimble(
                "batch", Corpus.folder, "--container", "C", "--report", "json", "--cap", "4GiB",
                // The encoders of the reference and of the engine of rows round differently.
                "--quality", "100", "--timeout", "600", in: folder)
            #expect(run.code == 3)
            let report = try BatchOutput<File, Summary>(run.output)
            let files = Dictionary(uniqueKeysWithValues: report.files.map { ($0.file, $0) })
            try #require(Corpus.pictures.contains { $0.expected == "ok" })
            try #require(Corpus.pictures.contains { $0.expected.hasPrefix("reject") })
            for picture in Corpus.pictures {
                let file = try #require(files[picture.file], "\(picture)")
                if picture.expected == "ok" {
                    #expect(file.outcome == "made", "\(picture): \(file.reason ?? "")")
                    let size = try #require(file.size, "\(picture)")
                    #expect(
                        file.isShortened || picture.allows(width: size.width, height: size.height),
                        "\(picture): \(size)")
                } else if picture.file == "imagor__bmp_24.bmp" {
                    // The table rejects it as its project does.
                    #expect(file.outcome == "made", "\(picture)")
                } else if picture.expected.hasPrefix("reject") {
                    #expect(file.outcome == "failed", "\(picture)")
                }
                if file.outcome == "failed" {
                    #expect(file.error != nil && file.reason != nil && file.remedy != nil)
                }
            }
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0, "\(verify.output)")

            // Upright, in the right colours and sharp: 38 dB against a full decode by other
            // libraries, or listed as an exception with a reason.
            let script = Command.package.appending(path: "bench/fidelity/fidelity.py").path
            let fidelity = try Command.shell(
                "/usr/bin/python3 \(script) --sources \(Corpus.folder) --container C "
                    // The reference alone takes two minutes.
                    + "--skip pillowheif__200MP.heic", in: folder)
            #expect(fidelity.code == 0, "\(fidelity.output)\(fidelity.errors)")
        }
    }
}

extension Corpus.Picture {
    /// True if a rendition's size fits the size in the manifest.
    ///
    /// Some formats give the stored size, so the sides may be exchanged.
    func allows(width: Int, height: Int) -> Bool {
        let sides = size.split(separator: "x").compactMap { Double($0) }
        guard sides.count == 2 else { return false }
        return [(sides[0], sides[1]), (sides[1], sides[0])].contains { side in
            // At most 1320 pixels wide and 8 MiB decoded, never enlarged.
            let factor = min(1, 1320 / side.0, (8_388_608 / (4 * side.0 * side.1)).squareRoot())
            return abs(max(1, side.0 * factor) - Double(width)) <= 1
                && abs(max(1, side.1 * factor) - Double(height)) <= 1
        }
    }
}
