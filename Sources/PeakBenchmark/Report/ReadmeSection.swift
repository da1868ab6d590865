package import Foundation

/// The section of a README with charts and table, between two marks.
package struct ReadmeSection {
    /// HTML comments, which are not rendered.
    package static let marks = (begin: "<!-- bench: begin -->", end: "<!-- bench: end -->")

    private let text: String

    package init(_ result: BenchmarkResult, charts: String) {
        let count = result.files.count
        let name = result.peers.first?.name ?? ""
        text = """
            \(Self.picture(charts, "survived", "Files survived at each cap, by tool"))

            Files survived under a hard cap, of \(count), at the size asked for (\(result.date.day)):

            \(MarkdownReport(result).survivals)

            \(Self.picture(charts, "footprint", "Peak footprint of \(name) and the best other tool"))
            """
    }

    /// Replaces the section in the file.
    package func write(into readme: URL) throws(BenchmarkError) {
        do {
            let old = try String(contentsOf: readme, encoding: .utf8)
            try Data(replacing(in: old).utf8).write(to: readme, options: .atomic)
        } catch let error as BenchmarkError {
            throw error
        } catch {
            throw BenchmarkError(
                "\(readme.path) cannot be changed: \(error.localizedDescription)")
        }
    }

    func replacing(in readme: String) throws(BenchmarkError) -> String {
        guard let begin = readme.firstRange(of: Self.marks.begin),
            let end = readme.firstRange(of: Self.marks.end), begin.upperBound <= end.lowerBound
        else {
            throw BenchmarkError(
                "the benchmark's section is missing: write \(Self.marks.begin) and "
                    + "\(Self.marks.end) on lines of their own")
        }
        return readme[..<begin.upperBound] + "\n\n\(text)\n\n" + readme[end.lowerBound...]
    }

    private static func picture(_ folder: String, _ name: String, _ title: String) -> String {
        """
        <picture>
          <source media="(prefers-color-scheme: dark)" srcset="\(folder)/\(name)-dark.svg">
          <img alt="\(title)" src="\(folder)/\(name)-light.svg">
        </picture>
        """
    }
}
