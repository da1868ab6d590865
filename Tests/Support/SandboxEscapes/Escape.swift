#if os(Linux)
    import CEscapes
    import Foundation

    /// Operation that exploit code in an attachment would try.
    struct Escape: Sendable {
        let name: String
        /// True if the attempt is harmless without a sandbox, so that it may run there.
        let isHarmless: Bool
        /// Tries it; returns 0 on success, otherwise an error number.
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

    /// Folders and files for escape attempts.
    struct Playground: Sendable {
        /// Folder of a supervisor's unnamed files.
        let incoming: String
        /// Folder of published files.
        let stored: String
        /// Folder outside the container.
        let outside: String
        /// Parent process, read before the sandbox forbids it.
        let parent = getppid()

        /// Input descriptor: a file in ``outside``.
        let input: CInt
        /// Output descriptor: an unnamed file.
        let output: CInt

        init(_ folder: String) {
            input = open("\(folder)/outside/file", O_RDONLY)
            // O_TMPFILE, or an unlinked file on file systems without it.
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
