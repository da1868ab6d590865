import ArgumentParser

/// Stress tests of a shared container, with checks of what readers see.
///
/// Prints figures as table rows for `bench/results/reliability.md`.
@main
struct Torture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container-torture",
        abstract: "Kill, crowd, fill and grow a shared container, search its disk, and check it.",
        discussion: """
            Exit code 1 says that a check failed; what was seen is on standard error.

            EXAMPLES
              container-torture kill --kills 1000
              container-torture crowd --seconds 180
              container-torture full
              container-torture scale --notifications 100000
              container-torture raw --kills 1000 Images/still-life-ready.jpg
            """,
        subcommands: [Kill.self, Crowd.self, Full.self, Scale.self, Raw.self, Act.self])
}
