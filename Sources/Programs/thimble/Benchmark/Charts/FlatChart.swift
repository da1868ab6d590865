internal import AttachmentContainer

/// Chart of one worker's footprint over many attachments.
struct FlatChart {
    private let series: FlatSeries
    private let palette: Palette
    private let left = 64.0, right = 206.0, top = 76.0, bottom = 62.0
    private let width = 880.0, height = 360.0

    init(_ series: FlatSeries, _ palette: Palette) {
        self.series = series
        self.palette = palette
    }

    var svg: String {
        var drawing = SVG(
            width: width, height: height,
            title: "Footprint of one worker over \(series.attachments) attachments",
            background: palette.background)
        drawing.text(
            "Footprint of one worker over \(series.attachments) attachments", (left - 40, 32),
            palette.ink, size: 18, bold: true)
        drawing.text(
            "Each point is the least and the most over \(FlatRun.window) attachments",
            (left - 40, 54), palette.faint)
        axes(in: &drawing)
        for (name, colour, figure) in [
            ("while one is processed", palette.others[0], \FlatSeries.Window.most),
            ("between attachments", palette.accent, \FlatSeries.Window.least),
        ] {
            // The first window includes the worker's start.
            let points = series.windows.dropFirst().map {
                (x: x(Double($0.attachments)), y: y(Self.mebibytes($0[keyPath: figure])))
            }
            drawing.path(points, colour, width: 2)
            if let end = points.last {
                drawing.text(name, (end.x + 10, end.y + 4), colour, bold: true)
            }
        }
        return drawing.text
    }

    private var highest: Double {
        let most = series.windows.map { Self.mebibytes($0.most) }.max() ?? 1
        return (most / 4).rounded(.up) * 4
    }

    private func x(_ attachments: Double) -> Double {
        left + attachments / Double(max(1, series.attachments)) * (width - left - right)
    }

    private func y(_ mebibytes: Double) -> Double {
        height - bottom - mebibytes / highest * (height - top - bottom)
    }

    private func axes(in drawing: inout SVG) {
        for tick in stride(from: 0, through: highest, by: highest / 4) {
            drawing.line((left, y(tick)), (width - right, y(tick)), palette.grid)
            drawing.text(tick.digits(0), (left - 10, y(tick) + 4), palette.faint, anchor: .end)
        }
        let step = max(1, series.attachments / 5)
        for tick in stride(from: 0, through: series.attachments, by: step) {
            drawing.text(
                "\(tick)", (x(Double(tick)), height - bottom + 22), palette.faint,
                anchor: .middle)
        }
        drawing.text(
            "attachments processed", ((left + width - right) / 2, height - 14), palette.ink,
            anchor: .middle)
        drawing.text(
            "footprint, MiB", (20, (top + height - bottom) / 2), palette.ink, anchor: .middle,
            turned: true)
    }

    private static func mebibytes(_ count: ByteCount) -> Double { Double(count.bytes) / 1_048_576 }
}
