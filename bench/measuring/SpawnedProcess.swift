package import Foundation

/// A process started by `posix_spawn`.
///
/// Foundation's `Process` takes about 25 ms for each start under a limit of 20,000 open files, because
/// it closes every number on its own. That would be a third of what is measured.
package final class SpawnedProcess {
    private let identifier: pid_t
    /// Sends to its standard input, if that is a pipe.
    package let input: FileHandle?
    /// Its standard output.
    package let output: FileHandle

    /// The source of its standard input.
    package enum Input {
        case nothing
        case pipe
    }

    /// Starts a program; `errors` is its standard error, by default its output.
    package init(
        _ program: String, _ arguments: [String], variables: [String: String] = [:],
        input source: Input = .nothing, errors: CInt? = nil
    ) throws {
        let (read, written) = try Self.pipe()
        let own: (read: CInt, written: CInt)
        switch source {
        case .nothing: own = (open("/dev/null", O_RDONLY | O_CLOEXEC), -1)
        case .pipe: own = try Self.pipe()
        }
        defer {
            close(own.read)
            close(written)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, own.read, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, written, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors ?? written, STDERR_FILENO)
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        // Copies for C, ended by nil as posix_spawn requires, and freed below.
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var identifier: pid_t = 0
        let error = posix_spawn(&identifier, program, &actions, nil, words, settings)
        output = FileHandle(fileDescriptor: read, closeOnDealloc: true)
        input =
            own.written >= 0 ? FileHandle(fileDescriptor: own.written, closeOnDealloc: true) : nil
        self.identifier = identifier
        guard error == 0 else {
            throw BenchmarkError("\(program) does not start: \(String(cString: strerror(error)))")
        }
    }

    /// Waits for its end and returns its exit code, or 128 plus the number of the signal.
    package func wait() -> Int {
        var status: CInt = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        // WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros.
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
    }

    private static func pipe() throws -> (read: CInt, written: CInt) {
        var ends: [CInt] = [0, 0]
        // The child closes its copies.
        guard Foundation.pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 })
        else { throw BenchmarkError("no pipe: \(String(cString: strerror(errno)))") }
        return (ends[0], ends[1])
    }
}
