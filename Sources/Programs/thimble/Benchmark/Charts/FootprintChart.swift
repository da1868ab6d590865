internal import AttachmentContainer
internal import Foundation

/// Chart of the peak footprint per file: the first tool and the best of the others.
struct FootprintChart {
    private let result: BenchmarkResult
    private let palette: Palette
    private let left = 210.0, right = 240.0, top = 92.0, bottom = 56.0, row = 21.0
    private let width = 880.0
    /// Range of the axis, in MiB.
    ///
    /// Smaller values are drawn at its start.
    private let range: (least: Double, most: Double)

    /// True for a page, which shows figures under the pointer.
    private let hasFigures: Bool

    init(_ result: BenchmarkResult, _ palette: Palette, hasFigures: Bool = false) {
        self.result = result
        self.palette = palette
        self.hasFigures = hasFigures
        let shown = result.files.flatMap { file in
            [Self.first(file, result)?.mebibytes, Self.best(file, result)?.mebibytes]
                .compactMap { $0 }
        }
        range = (2, max(64, (shown.max() ?? 64) * 1.1))
    }

    private var height: Double { top + row * Double(result.files.count) + bottom }

    var svg: String {
        let name = result.peers.first?.name ?? ""
        var drawing = SVG(
            width: width, height: height,
            title: "Peak footprint of \(name) and of the best other tool, by file",
            background: palette.background)
        drawing.text(
            "Peak footprint: \(name) and the best other tool", (20, 32), palette.ink, size: 18,
            bold: true)
        drawing.dot((28, 54), radius: 5, palette.accent)
        drawing.text(name, (40, 58), palette.accent, bold: true)
        let next = 56 + Double(name.count) * 9
        drawing.dot((next, 54), radius: 5, palette.others[0], hollow: palette.background)
        drawing.text(
            "the best other tool, without a cap; its name at the right", (next + 12, 58),
            palette.others[0])
        axis(in: &drawing)
        for (index, file) in result.files.enumerated() { draw(file, at: index, in: &drawing) }
        return drawing.text
    }

    private func draw(_ file: BenchmarkFile, at index: Int, in drawing: inout SVG) {
        let y = top + row * (Double(index) + 0.5)
        let stem = URL(fileURLWithPath: file.name).deletingPathExtension().lastPathComponent
        drawing.text(stem, (left - 14, y + 4), palette.ink, size: 12, anchor: .end)
        drawing.line((left, y), (width - right, y), palette.grid, width: 0.5)
        let ours = Self.first(file, result)
        let best = Self.best(file, result)
        if let ours, let best {
            drawing.line((x(ours.mebibytes), y), (x(best.mebibytes), y), palette.faint, width: 2)
        }
        if let best {
            drawing.dot(
                (x(best.mebibytes), y), radius: 4.5, palette.others[0], hollow: palette.background,
                figure: figure(of: best, for: stem))
            drawing.text(
                "\(best.mebibytes.digits(1))  \(best.name)", (width - right + 68, y + 4),
                palette.faint, size: 12)
        }
        let cell = result.peers.first.flatMap { result.cell(file.name, $0.name) }
        drawing.text(
            ours?.mebibytes.digits(1) ?? cell?.open.outcome.rawValue ?? "",
            (width - right + 58, y + 4), palette.accent, size: 12, anchor: .end, bold: true)
        if let ours {
            drawing.dot(
                (x(ours.mebibytes), y), radius: 4.5, palette.accent,
                figure: figure(of: ours, for: stem))
        }
    }

    private func figure(of point: Point, for stem: String) -> String? {
        hasFigures ? "\(point.name), \(stem): \(point.mebibytes.digits(1)) MiB" : nil
    }

    private func axis(in drawing: inout SVG) {
        let floor = height - bottom
        for tick in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] where Double(tick) <= range.most {
            drawing.line((x(Double(tick)), top), (x(Double(tick)), floor), palette.grid)
            drawing.text(
                "\(tick)", (x(Double(tick)), floor + 18), palette.faint, size: 12, anchor: .middle)
        }
        for cap in [12.0, 24.0] {
            drawing.line((x(cap), top - 6), (x(cap), floor), palette.ink, dashed: true)
            drawing.text(
                "\(Int(cap)) MiB", (x(cap), top - 10), palette.ink, size: 12, anchor: .middle)
        }
        drawing.text(
            "peak footprint, MiB (logarithmic)", ((left + width - right) / 2, height - 12),
            palette.ink, anchor: .middle)
    }

    private func x(_ mebibytes: Double) -> Double {
        let share = log2(max(range.least, mebibytes) / range.least) / log2(range.most / range.least)
        return left + share * (width - left - right)
    }

    private struct Point {
        let name: String
        let mebibytes: Double

        init?(_ cell: Cell?) {
            guard let cell, let shown = cell.representative else { return nil }
            name = cell.peer
            mebibytes = Double(shown.measurement.peakFootprint.bytes) / 1_048_576
        }
    }

    private static func first(_ file: BenchmarkFile, _ result: BenchmarkResult) -> Point? {
        result.peers.first.flatMap { Point(result.cell(file.name, $0.name)) }
    }

    private static func best(_ file: BenchmarkFile, _ result: BenchmarkResult) -> Point? {
        result.peers.dropFirst().compactMap { Point(result.cell(file.name, $0.name)) }
            .min { $0.mebibytes < $1.mebibytes }
    }
}
