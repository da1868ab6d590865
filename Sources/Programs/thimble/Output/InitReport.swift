import AttachmentContainer

/// The JSON report of `thimble init`.
struct InitReport: Encodable {
    struct File: Encodable {
        let path: String
        let bytes: ByteCount
        /// The text, in a dry run.
        let contents: String?
    }

    let kind: ProjectKind
    let folder: String
    let names: ProjectNames
    let dryRun: Bool
    let files: [File]
    let steps: [String]
    /// The command line that checks the files, in the folder.
    let check: String
    /// The code of the error; nil if the files were written.
    let error: String?
    /// The part of the product that failed.
    let domain: Fault.Domain?
    /// The path of the file or folder at fault.
    let errorPath: String?
    let reason: String?
    let remedy: String?

    private enum CodingKeys: String, CodingKey {
        case kind = "for"
        case folder, names, dryRun, files, steps, check, error, domain, errorPath, reason, remedy
    }

    init(_ project: ProjectFiles, in folder: String, dryRun: Bool, failure: ProjectError?) {
        kind = project.kind
        self.folder = folder
        names = project.names
        self.dryRun = dryRun
        files = project.files.map { file in
            File(
                path: file.path, bytes: ByteCount(file.contents.count),
                contents: dryRun ? String(decoding: file.contents, as: UTF8.self) : nil)
        }
        steps = project.kind.steps(project.names)
        check = project.checkCommand
        error = failure?.code.rawValue
        domain = failure?.fault.domain
        errorPath = failure?.path
        reason = failure?.reason
        remedy = failure?.fault.remedy
    }

    /// The report as text: files, the steps that remain, and the check.
    var lines: [String] {
        let files = files.flatMap { file in
            guard let contents = file.contents else { return ["wrote \(file.path)"] }
            return ["== \(file.path)"]
                + contents.split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
        let steps = steps.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
        return files + ["Next"] + steps + ["Check", "  \(check)"]
    }
}

extension ProjectFiles {
    /// The command line that checks these files, in the project's folder.
    var checkCommand: String { (["thimble", "check"] + checkArguments).joined(separator: " ") }
}
