import ArgumentParser
import AttachmentContainer
import Foundation

/// Violations found by a campaign.
struct Violations {
    private(set) var count = 0

    /// Records a violation and prints the first twenty.
    mutating func note(_ message: String) {
        count += 1
        if count <= 20 { FileHandle.standardError.write(Data("violation: \(message)\n".utf8)) }
    }

    /// Exits with code 1 after a violation.
    func exitIfAny() throws {
        if count > 0 { throw ExitCode.failure }
    }
}

extension SharedContainer {
    var findings: [Finding] {
        var findings: [Finding] = []
        verify { if case .finding(let finding) = $0 { findings.append(finding) } }
        return findings
    }
}
