#if os(Linux)
    import CEscapes
    import Foundation

    /// Something that code from a stranger's file would try.
    struct Escape: Sendable {
        /// Its name in the tests.
        let name: String
        /// Whether it does no harm where nothing stops it, so that it may be tried there.
        let isHarmless: Bool
        /// Tries it: 0 when the system did it, else the number of the error.
        let attempt: @Sendable (Playground) -> CInt

        init(
            _ name: String, harmless: Bool = true,
            _ attempt: @escaping @Sendable (Playground) -> CInt
        ) {
            self.name = name
            isHarmless = harmless
            self.attempt = attempt
        }

        /// A bare system call, with numbers as arguments.
        init(_ name: String, harmless: Bool = false, call: CInt, _ arguments: CInt...) {
            self.init(name, harmless: harmless) { _ in
                let words = arguments.map { Int($0) } + [Int](repeating: 0, count: 6)
                return escape_call(
                    Int(call), words[0], words[1], words[2], words[3], words[4], words[5])
            }
        }
    }

    /// The folders that escapes are tried in.
    struct Playground: Sendable {
        /// Where a supervisor makes files without names.
        let incoming: String
        /// Where a supervisor publishes.
        let stored: String
        /// A folder elsewhere.
        let outside: String
        /// The process that started this one; asked for before the sandbox forbids it.
        let parent = getppid()

        /// What it was handed to read: a file of ``outside``.
        let input: CInt
        /// What it was handed to write to: a file without a name.
        let output: CInt

        init(_ folder: String) {
            input = open("\(folder)/outside/file", O_RDONLY)
            // O_TMPFILE, or where the file system does not know it, a file that is removed at once.
            let unnamed = open("\(folder)/incoming", 0o20_000_000 | O_DIRECTORY | O_RDWR, 0o600)
            if unnamed >= 0 {
                output = unnamed
            } else {
                output = open("\(folder)/incoming/unnamed", O_RDWR | O_CREAT, 0o600)
                unlink("\(folder)/incoming/unnamed")
            }
            incoming = "\(folder)/incoming"
            stored = "\(folder)/stored"
            outside = "\(folder)/outside"
        }
    }
#endif
