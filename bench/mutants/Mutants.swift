import ArgumentParser

/// Decodes damaged pictures with the real workers and checks the results.
@main
struct Mutants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decode thousands of damaged pictures in sandboxed workers, and check them.",
        discussion: """
            A mutant is told by the seed, its number and the pictures that are mutated: the same are \
            made at every run. Exit code 1 says that there was a finding; the mutants that make it are \
            kept.

            EXAMPLES
              mutants run .build/seeds --count 20000
              mutants run .build/seeds --only 4711
              mutants run .build/seeds --preset content --preset content,avatar,web-push
              mutants batch .build/seeds --count 1000
            """,
        subcommands: [Run.self, BatchOfMutants.self], defaultSubcommand: Run.self)
}
