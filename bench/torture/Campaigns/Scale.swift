import ArgumentParser
import AttachmentContainer
import Foundation

/// `container-torture scale`: measures how the container's work grows with what is in it.
struct Scale: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure list, show, prune and verify over the number of notifications.")

    @Option(help: "The most notifications; a tenth and a hundredth are measured as well.")
    var notifications = 100_000

    @Option(help: "Where the container is made.", transform: URL.init(fileURLWithPath:))
    var folder = FileManager.default.temporaryDirectory

    func validate() throws {
        guard notifications >= 1000 else {
            throw ValidationError("notifications must be at least 1000")
        }
    }

    func run() throws {
        let steps = [notifications / 100, notifications / 10, notifications]
        print("| notifications | list | show one | verify | prune, dry | prune half |")
        print("|---:|---:|---:|---:|---:|---:|")
        var violations = Violations()
        for count in steps {
            let workplace = try Workplace(in: folder)
            let container = try fill(workplace, count)
            let clock = ContinuousClock()
            var listed = 0
            let list = try clock.measure {
                listed = try container.manifests().reduce(0) { sum, _ in sum + 1 }
            }
            let show = show(container, count, &violations)
            var totals = VerificationTotals?.none
            let verify = clock.measure { totals = container.verify { _ in } }
            let policy = try PruningPolicy(maximumCount: count / 2)
            let dry = try clock.measure { _ = try container.prune(policy, dryRun: true) }
            var report = PruningReport?.none
            let prune = try clock.measure { report = try container.prune(policy) }
            print(
                "| \(Figures.grouped(count)) | \(each(list, count)) | \(micro(show)) "
                    + "| \(each(verify, count)) | \(each(dry, count)) | \(each(prune, count)) |")
            if listed != count || totals?.manifests != count || totals?.renditions != 2 * count {
                violations.note("of \(count) notifications \(listed) were listed")
            }
            if report?.after.notifications != count - count / 2
                || report?.after.renditions != count - count / 2 + count - count / 2
            {
                violations.note("pruning left \(String(describing: report?.after))")
            }
        }
        // proc(5): the most that this process ever had in memory.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        if let peak = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") }) {
            print(
                "\nPeak memory of the whole run: \(peak.split(separator: " ").suffix(2).joined(separator: " "))"
            )
        }
        try violations.exitIfAny()
    }

    /// Publishes so many notifications with two small renditions each, two hours ago.
    private func fill(_ workplace: Workplace, _ count: Int) throws -> SharedContainer {
        let hasty = try SharedContainer.create(
            at: workplace.container, interposer: HastyInterposer())
        for number in 0..<count {
            try FakePicture(number: number).publish("\(number)", category: "scale", in: hasty)
        }
        for name in ["notifications", "renditions", "results"] { try workplace.age(name, by: 7200) }
        return try SharedContainer.open(at: workplace.container)
    }

    /// The mean time of asking what to show, over a thousand notifications spread over all.
    private func show(
        _ container: SharedContainer, _ count: Int, _ violations: inout Violations
    ) -> Duration {
        let display = Display(width: 640, scale: 1)
        var absent = 0
        let time = ContinuousClock().measure {
            for place in 0..<1000 {
                let number = place * count / 1000
                if container.content(for: "\(number)", on: display).picture == nil { absent += 1 }
            }
        }
        if absent > 0 { violations.note("\(absent) notifications had nothing to show") }
        return time / 1000
    }

    private func each(_ duration: Duration, _ count: Int) -> String {
        "\(Figures.seconds(duration)), \(micro(duration / count)) each"
    }

    private func micro(_ duration: Duration) -> String {
        String(format: "%.0f µs", duration / .microseconds(1))
    }
}
