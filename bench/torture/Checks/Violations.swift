import ArgumentParser
import AttachmentContainer
import Foundation

/// What was seen and should not have been.
struct Violations {
    private(set) var count = 0

    /// Notes one, and tells of the first twenty.
    mutating func note(_ message: String) {
        count += 1
        if count <= 20 { FileHandle.standardError.write(Data("violation: \(message)\n".utf8)) }
    }

    /// Ends the program with exit code 1 if there was one.
    func exitIfAny() throws {
        if count > 0 { throw ExitCode.failure }
    }
}

extension SharedContainer {
    /// All that verification finds.
    var findings: [Finding] {
        var findings: [Finding] = []
        verify { if case .finding(let finding) = $0 { findings.append(finding) } }
        return findings
    }
}
