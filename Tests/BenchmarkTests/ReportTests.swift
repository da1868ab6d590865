import AttachmentContainer
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import thimble

@Suite("Reports", .timeLimit(.minutes(1)))
struct ReportTests {
    private func isWellFormed(_ xml: String) -> Bool {
        XMLParser(data: Data(xml.utf8)).parse()
    }

    @Test("The charts are well-formed, label their axes and escape text")
    func charts() async throws {
        let result = try await MadeUp.result()
        for palette in Palette.all {
            let survival = SurvivalChart(result, palette).svg
            let footprint = FootprintChart(result, palette).svg
            #expect(isWellFormed(survival) && isWellFormed(footprint))
            #expect(survival.contains("hard cap, MiB") && survival.contains("files survived"))
            #expect(footprint.contains("peak footprint, MiB"))
            #expect(survival.contains("&lt;other&gt; &amp; co"))
            #expect(!isWellFormed(survival.replacing("&amp;", with: "&")))
            var series = FlatSeries(attachments: 300)
            series.windows = [100, 200, 300].map {
                .init(attachments: $0, least: .mebibytes(9), most: .mebibytes(12))
            }
            #expect(isWellFormed(FlatChart(series, palette).svg))
        }
    }

    @Test("The page has the same charts with figures, and needs no other file")
    func page() async throws {
        let result = try await MadeUp.result()
        let html = BenchmarkPage(result).html
        let figures = html.matches(of: /<g class="figure"[^>]*><title>([^<]+)</)
        // On a light and on a dark background.
        #expect(figures.count >= 2 * result.peers.count * result.caps.count)
        #expect(figures.contains { $0.1.contains("MiB") && $0.1.contains("files") })
        #expect(html.contains("&lt;other&gt; &amp; co") && !html.contains("<other>"))
        #expect(html.contains("default-src &#39;none&#39;") && html.utf8.count < 300_000)
        #expect(!html.contains("src=\"http") && !html.contains("href=\"http"))
        // The charts of the README have none, so that their bytes stay the same.
        #expect(!SurvivalChart(result, .light).svg.contains("figure"))
    }

    @Test("Every table row has the columns of the header")
    func tables() async throws {
        let text = MarkdownReport(try await MadeUp.result()).full
        var columns: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let count = line.count { $0 == "|" }
            #expect(columns == nil || columns == count, "\(line)")
            columns = count
        }
        #expect(text.contains("38.0") && text.contains("0.9700"))
        #expect(text.contains("77.7 (0.2)"))
        // Smaller pictures are counted separately.
        #expect(text.contains("| 12 MiB | 1 +1"))
    }

    @Test("A benchmark without SSIMULACRA2 has no table of it")
    func unscored() async throws {
        let made = try await MadeUp.result()
        let cells = made.cells.map { cell in
            var cell = cell
            cell.quality = cell.quality.map { Quality(psnr: $0.psnr, ssim: $0.ssim) }
            return cell
        }
        let result = BenchmarkResult(
            date: made.date, machine: made.machine, task: made.task, caps: made.caps,
            peers: made.peers, files: made.files, cells: cells)
        #expect(MarkdownReport(made).summary.contains("## Quality"))
        #expect(!MarkdownReport(result).summary.contains("## Quality"))
    }

    @Test("Survivors are counted at the cap and below")
    func counts() async throws {
        let result = try await MadeUp.result()
        #expect(result.survived("thimble", cap: 12) == 1)
        #expect(result.survived("thimble", cap: 24) == 2)
        #expect(result.smaller("thimble", cap: 12) == 1)
        #expect(result.smaller("thimble", cap: 24) == 0)
        #expect(result.survived("<other> & co", cap: 24) == 1)
    }

    @Test("A result can be decoded from its JSON")
    func json() async throws {
        let result = try await MadeUp.result()
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let again = try decoder.decode(BenchmarkResult.self, from: Data(JSONText.of(result).utf8))
        #expect(again.cells == result.cells && again.date == result.date)
    }

    @Test("Figures of other tools come from an earlier result of the same task")
    func others() async throws {
        let earlier = try await MadeUp.result()
        let peers = Array(earlier.peers.prefix(1))
        let machine = try await MachineFacts(
            peers: peers, values: Peer.Values(), hierarchy: nil)
        let own = { (caps: [Int]) in
            BenchmarkResult(
                date: earlier.date, machine: machine, task: earlier.task, caps: caps, peers: peers,
                files: earlier.files, cells: earlier.cells.filter { $0.peer == peers[0].name })
        }
        let result = try own(earlier.caps).adding(othersOf: earlier)
        #expect(result.peers == earlier.peers)
        #expect(result.cells.count == earlier.cells.count)
        #expect(result.cell("a.jpg", "<other> & co") == earlier.cell("a.jpg", "<other> & co"))
        #expect(throws: BenchmarkError.self) { try own([16]).adding(othersOf: earlier) }
    }

    @Test("A result keeps its own thresholds, and a worse one crosses them")
    func thresholds() async throws {
        let result = try await MadeUp.result()
        var thresholds = Thresholds(keptBy: result)
        #expect(thresholds.crossed(by: result).isEmpty)
        thresholds.survivedAtLeast["12"] = 2
        thresholds.peakAtMost["b.png"] = 9.5
        let crossed = thresholds.crossed(by: result)
        #expect(
            crossed == [
                "survived at 12 MiB: 1 files, 1 fewer than 2",
                "b.png: peak 10.0 MiB, 0.5 over 9.5",
            ])
    }

    @Test("Only the README's section between the marks is replaced")
    func readme() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-readme-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = MarkdownReport(try await MadeUp.result())
        try Data(report.full.utf8).write(to: folder.appending(path: "latest.md"))
        let readme = folder.appending(path: "README.md")
        let marks = (begin: "<!-- bench: begin -->", end: "<!-- bench: end -->")
        try Data("before\n\(marks.begin)\nold\n\(marks.end)\nafter\n".utf8).write(to: readme)
        #expect(try updateReadme(readme, from: folder) == 0)
        let once = try String(contentsOf: readme, encoding: .utf8)
        #expect(once.hasPrefix("before\n") && once.hasSuffix("\nafter\n"))
        #expect(!once.contains("old") && once.contains("survived-dark.svg"))
        #expect(once.contains(report.survivals))
        #expect(try updateReadme(readme, from: folder) == 0)
        #expect(try String(contentsOf: readme, encoding: .utf8) == once)
        try Data("no marks".utf8).write(to: readme)
        #expect(try updateReadme(readme, from: folder) == 1)
        #expect(try String(contentsOf: readme, encoding: .utf8) == "no marks")
    }

    /// Runs `bench/readme/update.py`, and returns its exit code.
    private func updateReadme(_ readme: URL, from results: URL) throws -> Int32 {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            package.appending(path: "bench/readme/update.py").path, results.path, readme.path,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("Growth is measured from the second window to the worst one")
    func growth() {
        var series = FlatSeries(attachments: 400)
        series.windows = zip([100, 200, 300, 400], [6, 9, 11, 10]).map {
            .init(attachments: $0, least: .mebibytes($1), most: .mebibytes(12))
        }
        #expect(series.growth == .mebibytes(2))
        #expect(series.peakGrowth == ByteCount(0))
    }
}
