import AttachmentContainer
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import PeakBenchmark

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
        // Smaller pictures are counted separately.
        #expect(text.contains("| 12 MiB | 1 +1"))
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
        let again = try decoder.decode(BenchmarkResult.self, from: Data(result.json().utf8))
        #expect(again.cells == result.cells && again.date == result.date)
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
        let section = ReadmeSection(try await MadeUp.result(), charts: "charts")
        let marks = ReadmeSection.marks
        let once = try section.replacing(in: "before\n\(marks.begin)\nold\n\(marks.end)\nafter\n")
        #expect(once.hasPrefix("before\n") && once.hasSuffix("\nafter\n"))
        #expect(!once.contains("old") && once.contains("charts/survived-dark.svg"))
        #expect(try section.replacing(in: once) == once)
        #expect(throws: BenchmarkError.self) { try section.replacing(in: "no marks") }
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
