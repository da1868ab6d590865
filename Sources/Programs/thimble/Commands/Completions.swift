import ArgumentParser

/// `thimble completions`: prints a script that completes command lines in a shell.
struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a script that completes command lines.",
        discussion: """
            Packages and 'make install' install the scripts for bash, zsh and fish where these look for \
            them. Otherwise load one at the start of your shell.

            EXAMPLES
              source <(thimble completions bash)
              thimble completions zsh > ~/.zfunc/_thimble
              thimble completions fish > ~/.config/fish/completions/thimble.fish
            """)

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        fileprivate var parsers: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    func run() { print(Thimble.completionScript(for: shell.parsers)) }
}
