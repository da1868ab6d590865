import ArgumentParser

/// Formats of reports of commands that also write a page.
enum PageReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, html

    static let fromEnvironment = EnvironmentDefault("report", Self.text)

    /// The format of standard output: beside a page it is text.
    var printed: ReportFormat { self == .json ? .json : .text }
}

/// The file of a page.
struct PageReportFile: ParsableArguments {
    @Option(
        help: ArgumentHelp("With --report html, the file of the page.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var reportFile: String?

    /// The file for a format.
    ///
    /// - Throws: `ValidationError` if only one of format and file asks for a page.
    func file(for format: PageReportFormat) throws -> String? {
        guard (format == .html) == (reportFile != nil) else {
            throw ValidationError(
                format == .html
                    ? "--report html needs --report-file." : "--report-file needs --report html.")
        }
        return reportFile
    }
}
