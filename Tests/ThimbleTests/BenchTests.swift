import AttachmentWorker
import Foundation
import Testing

@Suite(
    "The peak memory benchmark, with animations, sound and movies", .timeLimit(.minutes(2)),
    .enabled(
        if: (try? ControlGroupHierarchy.delegated()) != nil, "control groups are unavailable"))
struct BenchTests {
    private struct Result: Decodable {
        struct Cell: Decodable {
            struct Attempt: Decodable {
                struct Picture: Decodable { let rung: String? }
                struct Measurement: Decodable { let peakFootprint: Int }

                let outcome: String
                let reason: String?
                let measurement: Measurement
                let picture: Picture?
            }

            let file: String
            let capped: [Attempt]
        }

        let cells: [Cell]
    }

    /// Measures animations, a sound and a movie at a cap of 12 MiB.
    private func cells(_ environment: String = "") throws -> [Result.Cell] {
        try WorkingFolder.with { folder in
            let line =
                "mkdir Some && cp Images/aurora-animated.* Images/aurora.avi Images/chime.wav Some "
                + "&& \(environment) thimble bench Some --compare none --caps 12 --report json"
            let run = try Command.shell(line, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            return try JSONDecoder().decode(Result.self, from: Data(run.output.utf8)).cells
        }
    }

    @Test("Under 12 MiB animations stay animated, and media is passed through")
    func survived() throws {
        let cells = try cells()
        #expect(cells.count == 5)
        for cell in cells {
            let attempt = try #require(cell.capped.first)
            #expect(attempt.outcome == "survived", "\(cell)")
            let isAnimation = cell.file.hasPrefix("aurora-animated")
            #expect(attempt.picture?.rung == (isAnimation ? "animated" : "passed-through"))
            #expect(1_000_000..<12 << 20 ~= attempt.measurement.peakFootprint)
        }
    }

    @Test("A still of an animation counts as reduced")
    func still() throws {
        let cells = try cells("THIMBLE_ANIMATION_RENDER_BUDGET=1000")
        #expect(cells.count == 5)
        for cell in cells {
            let attempt = try #require(cell.capped.first)
            if cell.file.hasPrefix("aurora-animated") {
                #expect(attempt.outcome == "reduced" && attempt.reason == "a still", "\(cell)")
            } else {
                #expect(attempt.outcome == "survived", "\(cell)")
            }
        }
    }
}
