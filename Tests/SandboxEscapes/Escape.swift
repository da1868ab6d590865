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
        /// The sandbox leaves it open to make, read, write, move and remove files.
        let incoming: String
        /// The sandbox leaves it open to move files to, and not to read them.
        let stored: String
        /// The sandbox does not leave it open.
        let outside: String
        /// The process that started this one; asked for before the sandbox forbids it.
        let parent = getppid()

        /// What it was handed to read: a file of ``outside``.
        let input: CInt

        init(_ folder: String) {
            input = open("\(folder)/outside/file", O_RDONLY)
            incoming = "\(folder)/incoming"
            stored = "\(folder)/stored"
            outside = "\(folder)/outside"
        }
    }
#endif
