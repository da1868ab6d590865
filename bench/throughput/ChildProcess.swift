import Foundation

/// A command line to be run as a child process.
struct ChildProcess: Sendable {
    /// The path of the program, or its name when it is on the search path.
    let program: String
    /// What follows the program's name.
    var arguments: [String]
    /// Variables set beside those inherited.
    var variables: [String: String] = [:]

    /// Makes a command line.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or its name when it is on the search path.
    ///   - arguments: What follows the program's name.
    init(_ program: String, _ arguments: String...) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the command to its end.
    ///
    /// - Returns: What it wrote on standard output and standard error.
    /// - Throws: `BenchmarkError` when it cannot be run or fails, with what it wrote.
    @discardableResult
    func run() throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = try executable()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchmarkError("\(program) failed (\(process.terminationStatus)): \(text)")
        }
        return text
    }

    /// The file to run: the program itself, or the first of its name on the search path.
    private func executable() throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let candidates =
            program.contains("/")
            ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
        guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
            throw BenchmarkError(
                "no \(program): apt-get install libvips-tools libjpeg-turbo-progs")
        }
        return URL(fileURLWithPath: found)
    }
}

/// What child processes took, from start to end.
struct Cost: Sendable {
    /// User and system time of the processes and of those that they waited for, in seconds.
    var processor: Double
    /// Elapsed time, in seconds.
    var wall: Double

    /// Measures work that is done by child processes, and by nothing else meanwhile.
    ///
    /// - Parameter work: What starts the processes and waits for them.
    /// - Returns: Their cost.
    /// - Throws: What the work throws.
    static func measured(_ work: () throws -> Void) throws -> Cost {
        let before = childProcessorTime()
        let elapsed = try ContinuousClock().measure(work)
        return Cost(processor: childProcessorTime() - before, wall: elapsed / .seconds(1))
    }

    /// The processor time of all children so far that have ended and been waited for, in seconds.
    private static func childProcessorTime() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
            getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime]
            .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

/// Why the benchmark could not go on.
struct BenchmarkError: Error, CustomStringConvertible {
    /// The reason and, where there is one, the remedy.
    let description: String

    /// Makes an error.
    ///
    /// - Parameter description: The reason and, where there is one, the remedy.
    init(_ description: String) { self.description = description }
}
