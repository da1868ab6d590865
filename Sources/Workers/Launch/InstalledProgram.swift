package import Foundation

/// Programs that are installed with the running one.
///
/// Builds and tarballs have them in one folder. Installations have the command in `PREFIX/bin` and its
/// workers in `PREFIX/libexec/thimble`, where no shell finds them. Programs in other folders name the
/// workers' folder in the environment.
package enum InstalledProgram {
    /// The environment variable with the folder; no other is searched then.
    package static let variable = "THIMBLE_PROGRAMS"

    /// The executable file of that name in the first of ``folders`` that has one; nil if missing.
    package static func url(named name: String) -> URL? {
        folders.map { $0.appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// The places of a missing program, for errors: `NAME in FOLDER or FOLDER`.
    package static func places(of name: String) -> String {
        "\(name) in " + folders.map(\.path).joined(separator: " or ")
    }

    /// What to do about a missing program.
    package static let remedy =
        "put thimble-worker, thimble-row-worker and thimble-transfer there, as 'make install' and the "
        + "packages do, or name their folder in \(variable); in a Swift package of your own, add "
        + #".product(name: "thimble-worker", package: "thimble") and the same of the others to the "#
        + "dependencies of your program's target, so that 'swift build' puts them there"

    /// The folder of the environment; else the folder of the running program, and
    /// `../libexec/thimble` of it, without repetitions.
    private static let folders: [URL] = {
        // `ProcessInfo` would copy all variables.
        if let named = getenv(variable), named.pointee != 0 {
            return [URL(fileURLWithPath: String(cString: named), isDirectory: true)]
        }
        var found: [URL] = []
        for program in [running, started].compactMap(\.self) {
            let folder = program.deletingLastPathComponent()
            let internals = folder.deletingLastPathComponent().appending(path: "libexec/thimble")
            for place in [folder, internals] where !found.contains(where: { $0.path == place.path })
            {
                found.append(place)
            }
        }
        return found
    }()

    /// The file of the running program, by the system; nil on Linux without `/proc`.
    package static var running: URL? {
        #if os(Linux)
            let link = "/proc/self/exe"
            let target = URL(fileURLWithPath: link).resolvingSymlinksInPath()
            return target.path == link ? nil : target
        #else
            return Bundle.main.executableURL?.resolvingSymlinksInPath()
        #endif
    }

    /// The running program by its first argument; nil if a shell found it on its path.
    ///
    /// A bare name would be a file of the working folder, which may be a stranger's.
    private static var started: URL? {
        CommandLine.arguments.first.flatMap { argument in
            argument.contains("/" as Character)
                ? URL(fileURLWithPath: argument).resolvingSymlinksInPath() : nil
        }
    }
}
