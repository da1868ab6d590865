/// Chart of the number of files that each tool survives at each cap.
struct SurvivalChart {
    private let result: BenchmarkResult
    private let palette: Palette
    private let left = 64.0, right = 190.0, top = 76.0, bottom = 62.0
    private let width = 880.0, height = 520.0
    /// Minimum distance of labels, in pixels.
    private let spacing = 17.0

    /// True for a page, which shows figures under the pointer.
    private let hasFigures: Bool

    init(_ result: BenchmarkResult, _ palette: Palette, hasFigures: Bool = false) {
        self.result = result
        self.palette = palette
        self.hasFigures = hasFigures
    }

    var svg: String {
        let count = result.files.count
        var drawing = SVG(
            width: width, height: height,
            title: "Files survived under hard memory caps, of \(count), by tool",
            background: palette.background)
        drawing.text(
            "Files survived under a hard memory cap, of \(count)", (left - 40, 32), palette.ink,
            size: 18, bold: true)
        drawing.text(
            "A whole picture of the size asked for; the process is killed when it needs more",
            (left - 40, 54), palette.faint)
        axes(in: &drawing)
        let series = result.peers.indices.map { index in
            result.caps.map { Double(result.survived(result.peers[index].name, cap: $0)) }
        }
        // The first tool is drawn last, on top of the others.
        for index in series.indices.reversed() {
            let points = series[index].enumerated().map { (x: x($0), y: y($1)) }
            drawing.path(points, palette.colour(index), width: index == 0 ? 3.5 : 2)
            for (step, point) in points.enumerated() {
                drawing.dot(
                    point, radius: index == 0 ? 4 : 2.5, palette.colour(index),
                    figure: figure(of: index, at: step))
            }
        }
        names(series.map { $0.last ?? 0 }, in: &drawing)
        return drawing.text
    }

    private func figure(of peer: Int, at step: Int) -> String? {
        guard hasFigures else { return nil }
        let (name, cap) = (result.peers[peer].name, result.caps[step])
        let smaller = result.smaller(name, cap: cap)
        let survived = "\(result.survived(name, cap: cap)) of \(result.files.count) files"
        return "\(name), \(cap) MiB: \(survived)"
            + (smaller > 0 ? ", \(smaller) more only smaller" : "")
    }

    private func x(_ index: Int) -> Double {
        let steps = Double(max(1, result.caps.count - 1))
        return left + 16 + Double(index) / steps * (width - left - right - 32)
    }

    private func y(_ files: Double) -> Double {
        height - bottom - files / Double(max(1, result.files.count)) * (height - top - bottom)
    }

    private func axes(in drawing: inout SVG) {
        let count = result.files.count
        let step = max(1, (count + 5) / 6)
        for tick in stride(from: 0, through: count, by: step) {
            let level = y(Double(tick))
            drawing.line((left, level), (width - right, level), palette.grid)
            drawing.text("\(tick)", (left - 10, level + 4), palette.faint, anchor: .end)
        }
        for (index, cap) in result.caps.enumerated() {
            drawing.line(
                (x(index), height - bottom), (x(index), height - bottom + 6), palette.faint)
            drawing.text("\(cap)", (x(index), height - bottom + 22), palette.faint, anchor: .middle)
        }
        drawing.text(
            "hard cap, MiB", ((left + width - right) / 2, height - 14), palette.ink,
            anchor: .middle)
        drawing.text(
            "files survived", (20, (top + height - bottom) / 2), palette.ink, anchor: .middle,
            turned: true)
    }

    /// Labels each line at its end, moved apart to avoid overlaps.
    private func names(_ ends: [Double], in drawing: inout SVG) {
        let order = ends.indices.sorted { (ends[$0], -$0) > (ends[$1], -$1) }
        var baselines: [Double] = []
        for index in order {
            baselines.append(max(y(ends[index]) + 4, (baselines.last ?? 0) + spacing))
        }
        // Move all labels up if the last is below the axis.
        let overflow = (baselines.last ?? 0) - (height - bottom + 4)
        if overflow > 0 {
            var floor = height - bottom + 4
            for place in baselines.indices.reversed() {
                baselines[place] = min(baselines[place], floor)
                floor = baselines[place] - spacing
            }
        }
        for (index, baseline) in zip(order, baselines) {
            let end = width - right - 16
            drawing.line((end + 5, y(ends[index])), (end + 24, baseline - 4), palette.colour(index))
            drawing.text(
                "\(result.peers[index].name)  \(Int(ends[index]))", (end + 28, baseline),
                palette.colour(index), bold: index == 0)
        }
    }
}
