import AttachmentContainer
import Foundation
import NotificationPreview
import ProgramLaunch
import Subprocess
import SystemPackage

/// Pictures of pages, made by Chromium if it is installed.
struct ChromiumPicture {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Names of the program, in order.
    private static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    ]

    private let program: String
    private let folder: URL

    /// Finds the program in the folders of `PATH`; `folder` is for the page and the browser's profile.
    init(in folder: URL) throws(Failure) {
        guard let found = Self.installed else {
            throw Failure(
                description: "a PNG needs Chromium, which is not in PATH; install chromium, or "
                    + "give --output the ending .html")
        }
        program = found
        self.folder = folder
    }

    /// The path of the program; nil if it is not in `PATH`.
    static var installed: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            // Relative folders depend on the working directory.
            .filter { $0.hasPrefix("/") }
        return names.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Draws a page of its own height, with two pixels for each of a style sheet.
    func draw(_ page: PreviewPage, width: Int, to path: String) async throws(Failure) {
        let probe = try write(page.heightProbe, "probe.html")
        let text = try await run(["--dump-dom", "--window-size=\(width),800", probe])
        let digits = text.split { !$0.isNumber }.first.map(String.init) ?? ""
        guard let height = Int(digits), 1...20_000 ~= height else {
            throw Failure(description: "\(program) did not tell the height of the page")
        }
        let picture = folder.appending(path: "page.png")
        _ = try await run([
            "--screenshot=\(picture.path)", "--window-size=\(width),\(height)",
            "--force-device-scale-factor=2", "--hide-scrollbars",
            try write(page.html, "page.html"),
        ])
        do {
            try Data(contentsOf: picture).write(to: URL(fileURLWithPath: path))
        } catch {
            throw Failure(description: "\(path) cannot be written")
        }
    }

    private func write(_ html: String, _ name: String) throws(Failure) -> String {
        let file = folder.appending(path: name)
        do {
            try Data(html.utf8).write(to: file)
        } catch {
            throw Failure(description: "\(file.path) cannot be written")
        }
        return file.path
    }

    private func run(_ arguments: [String]) async throws(Failure) -> String {
        let options =
            [
                "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
                "--user-data-dir=\(folder.appending(path: "profile").path)",
            ]
            // As root, Chromium has no sandbox, and refuses to start with one. The pages are ours.
            + (geteuid() == 0 ? ["--no-sandbox"] : [])
        do {
            let result = try await Subprocess.run(
                .path(FilePath(program)), arguments: Arguments(options + arguments),
                output: .string(limit: 1 << 20), error: .discarded)
            guard result.terminationStatus.isSuccess else {
                throw Failure(description: "\(program) failed: \(result.terminationStatus)")
            }
            return result.standardOutput
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "\(program) cannot be run: \(error)")
        }
    }
}
