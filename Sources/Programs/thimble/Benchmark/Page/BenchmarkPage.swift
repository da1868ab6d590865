internal import AttachmentContainer
internal import Foundation
internal import NotificationPreview

/// A result as one self-contained page: the charts of the README with figures under the pointer, and
/// tables.
struct BenchmarkPage {
    private let result: BenchmarkResult

    init(_ result: BenchmarkResult) { self.result = result }

    var html: String {
        Markup.document(
            title: "Peak memory, \(result.date.day)",
            sheets: StyleSheet.text(StyleSheet.colours, PackageResources.bench_css),
            script: String(decoding: PackageResources.bench_js, as: UTF8.self),
            body: .element(
                "main", ["class": "bench"],
                .element("h1", [:], .text("Peak memory")),
                .element(
                    "p", [:],
                    .text("\(result.date.day). Task: \(result.task). \(result.machine.text)")),
                chart { SurvivalChart(result, $0, hasFigures: true).svg },
                chart { FootprintChart(result, $0, hasFigures: true).svg },
                .element("h2", [:], .text("Peak footprint without a cap, MiB")),
                table("Peak footprint by file and tool", peak) { cell in
                    cell.representative == nil ? "is-lost" : isLeast(cell) ? "is-best" : nil
                },
                .element("h2", [:], .text("Smallest hard cap survived, MiB")),
                table("Smallest hard cap by file and tool", result.smallestCap(of:)) { cell in
                    cell.smallestCap == nil ? "is-lost" : nil
                },
                .element(
                    "p", [:],
                    .text(
                        ">: not even at the largest cap. In brackets the cap from which there was "
                            + "a smaller picture. –: it cannot do the file at all. "
                            + "time: not done in time."))))
    }

    /// A chart on a light and on a dark background, of which the style sheet shows one.
    private func chart(_ svg: (Palette) -> String) -> Markup {
        .element(
            "div", ["class": "bench-chart"],
            Palette.all.map {
                .element("div", ["class": "is-\($0.name)"], .drawing(svg($0)))
            })
    }

    private func table(
        _ label: String, _ text: (Cell) -> String, mark: (Cell) -> String?
    ) -> Markup {
        let head = ["File"] + result.peers.map(\.name)
        let body = result.files.map { file -> Markup in
            let cells = result.peers.map { peer -> Markup in
                guard let cell = result.cell(file.name, peer.name) else {
                    return .element("td", [:])
                }
                return .element("td", ["class": mark(cell)], .text(text(cell)))
            }
            return .element(
                "tr", [:], [.element("th", ["scope": "row"], .text(file.name))] + cells)
        }
        return .element(
            "div", ["class": "table", "tabindex": "0", "role": "region", "aria-label": label],
            .element(
                "table", [:],
                .element(
                    "thead", [:],
                    .element(
                        "tr", [:], head.map { .element("th", ["scope": "col"], .text($0)) })),
                .element("tbody", [:], body)))
    }

    private func peak(_ cell: Cell) -> String {
        cell.representative?.measurement.peakFootprint.mebibytes ?? cell.open.outcome.rawValue
    }

    private func isLeast(_ cell: Cell) -> Bool {
        let peaks = result.peers.compactMap { result.cell(cell.file, $0.name) }
            .compactMap { $0.representative?.measurement.peakFootprint }
        return cell.representative?.measurement.peakFootprint == peaks.min()
    }
}
