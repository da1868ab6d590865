import AttachmentContainer
import Foundation
import ProgramLaunch
import Subprocess
import SystemPackage

/// A program that is installed with the command, with the libraries that it has loaded.
struct ProgramVersion: Sendable {
    let name: String
    /// What `--version` of the program prints in brackets; nil if the program does not run.
    let libraries: String?

    static let names = ["thimble-worker", "thimble-row-worker", "thimble-transfer"]

    /// Asks an installed program, because the command itself links none of these libraries.
    static func installed(_ name: String) async -> ProgramVersion {
        guard let path = InstalledProgram.url(named: name)?.path,
            let result = try? await run(
                .path(FilePath(path)), arguments: ["--version"], input: .none,
                output: .string(limit: 4096), error: .discarded),
            result.terminationStatus.isSuccess
        else { return ProgramVersion(name: name, libraries: nil) }
        let text = result.standardOutput.split(separator: "\n").first ?? ""
        // A library's own text may have brackets, too.
        let libraries = text.drop { $0 != "(" }.dropFirst().dropLast()
        return ProgramVersion(name: name, libraries: String(libraries))
    }
}
