import ArgumentParser
import AttachmentContainer
import Foundation

/// `container-torture scale`: measures the growth of the container's operations with its size.
struct Scale: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure list, show, prune and verify over the number of notifications.",
        discussion: """
            Fails where the processor's time for one notification grows to more than three times \
            what it was over a tenth of them: work that is not linear grows to ten times.
            """)

    @Option(help: "Maximum number of notifications; a tenth and a hundredth are measured too.")
    var notifications = 100_000

    @Option(
        help: "Folder in which the container is created.", transform: URL.init(fileURLWithPath:))
    var folder = FileManager.default.temporaryDirectory

    func validate() throws {
        guard notifications >= 1000 else {
            throw ValidationError("notifications must be at least 1000")
        }
    }

    func run() throws {
        let work = ScaleMeasurement.names.map { "\($0), processor" }
        print("| notifications | \(work.joined(separator: " | ")) | list to prune, wall |")
        print("|---:|" + work.map { _ in "---:|" }.joined() + "---:|")
        var violations = Violations()
        var last: ScaleMeasurement?
        for count in [notifications / 100, notifications / 10, notifications] {
            let measured = try ScaleMeasurement(
                count: count, in: Workplace(in: folder), &violations)
            let cells = measured.each.map { String(format: "%.0f µs", $0 / .microseconds(1)) }
            print(
                "| \(Figures.grouped(count)) | \(cells.joined(separator: " | ")) "
                    + "| \(Figures.seconds(measured.wall)) |")
            // Totals below a millisecond are noise.
            if let last, last.count >= 1000 {
                for (name, (one, other)) in zip(
                    ScaleMeasurement.names, zip(last.each, measured.each))
                where other > one * 3 {
                    violations.note("to \(name) one of \(count) takes \(other), and was \(one)")
                }
            }
            last = measured
        }
        // Peak resident set of this process (proc(5)).
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        if let peak = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") }) {
            let size = peak.split(whereSeparator: \.isWhitespace).dropFirst()
            print("\nPeak memory of the whole run: \(size.joined(separator: " "))")
        }
        try violations.exitIfAny()
    }
}

/// Time of each operation, per notification.
struct ScaleMeasurement {
    static let names = ["list", "show", "verify", "prune (dry)", "prune (half)"]

    let count: Int
    /// Processor time, in the order of the names.
    private(set) var each: [Duration] = []
    private(set) var wall = Duration.zero

    /// Number of notifications shown, evenly spread.
    private static let shown = 1000

    init(count: Int, in workplace: Workplace, _ violations: inout Violations) throws {
        self.count = count
        let container = try workplace.fill(count: count, category: "scale")

        var listed = 0
        add(try Stopwatch { for _ in try container.manifests() { listed += 1 } }, for: count)
        if listed != count { violations.note("of \(count) notifications \(listed) were listed") }

        let display = Display(width: 640, scale: 1)
        var absent = 0
        let show = Stopwatch {
            for place in 0..<Self.shown {
                let identifier = "all-\(place * count / Self.shown)"
                if container.content(for: identifier, on: display).picture == nil { absent += 1 }
            }
        }
        add(show, for: Self.shown)
        if absent > 0 { violations.note("\(absent) notifications had nothing to show") }

        var faults = 0
        add(
            Stopwatch {
                let totals = container.verify { if case .finding = $0 { faults += 1 } }
                if totals.manifests != count || totals.renditions != 2 * count { faults += 1 }
            }, for: count)
        if faults > 0 { violations.note("verifying \(count) found \(faults) faults") }

        let policy = try PruningPolicy(maximumCount: count / 2)
        var reports: [PruningReport] = []
        add(try Stopwatch { reports.append(try container.prune(policy, dryRun: true)) }, for: count)
        add(try Stopwatch { reports.append(try container.prune(policy)) }, for: count)
        for report in reports
        where report.after.notifications != count / 2
            || report.after.renditions != count / 2 * 2
        {
            violations.note("pruning left \(report.after) of \(count)")
        }
    }

    private mutating func add(_ stopwatch: Stopwatch, for count: Int) {
        each.append(stopwatch.processor / count)
        wall += stopwatch.wall
    }
}
