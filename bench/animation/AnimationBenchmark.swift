import ArgumentParser
import BenchmarkMeasuring
import Foundation

/// Compares animations with `gifsicle` and `vipsthumbnail` in time and bytes.
@main
struct AnimationBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "animation-benchmark",
        abstract: "Measure the cost of an animation against gifsicle and vipsthumbnail.",
        discussion: """
            The whole job of thimble (the GIF, both stills, digests, placeholder, manifest, \
            durable writes, a worker under the cap) stands against programs that make a GIF alone. \
            Needs apt-get install gifsicle libvips-tools

            EXAMPLES
              .build/release/animation-benchmark
              .build/release/animation-benchmark Images ~/Animations --rounds 9 --write
            """)

    @Argument(help: "Folders of animations.", completion: .directory)
    var folders = ["Images"]

    @Option(help: "Measured rounds, after a warm-up round.")
    var rounds = 5

    @Option(help: "The thimble to measure; by default the one beside this program.")
    var thimble: String?

    @Flag(help: "Also write the report to bench/results/animation.md.")
    var write = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        let program = try ProductUnderTest.thimble(thimble)
        let folder = URL(fileURLWithPath: ".build/animation", isDirectory: true)
        let tournament = AnimationTournament(
            thimble: program,
            pictures: try MovingPicture.all(
                in: folders.map { URL(fileURLWithPath: $0, isDirectory: true) }, thimble: program)
                + MovingPicture.films(in: folder),
            scratch: folder.appendingPathComponent("scratch"))
        let rows = try tournament.run(rounds: rounds)
        let machine = try Machine(
            programs: [
                ChildProcess(program.path, "--version"), ChildProcess("gifsicle", "--version"),
                ChildProcess("vips", "--version"),
            ]
                + (AnimationContender.isNewestLibvipsInstalled
                    ? [AnimationContender.newestLibvipsVersion] : []))
        let report = AnimationReport(
            rows: rows, contenders: tournament.contenders, rounds: rounds, machine: machine)
        print(report.markdown)
        if write { try ResultPage.write(report.markdown, under: "Animations", in: "animation.md") }
    }
}
